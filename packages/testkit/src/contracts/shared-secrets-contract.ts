import { FORMER_SECRET_LIFETIME_MS, listSharedSecrets, setSharedSecret } from '@handover/domain';
import { openShop } from '../samples.ts';
import type { OpenedShop, StoresRunner } from './harness.ts';

/** The secrets of the shared platform, and the list of its accounts. */
export function sharedSecretsContract({ describe, it, expect }: StoresRunner): void {
  describe('the shared secret', () => {
    it('is none until it is set, and then lasts', async (opened) => {
      expect(await secretsOf(opened)).toEqual([]);
      const setAt = opened.clock.now();
      expect((await set(opened, ' whsec_first ')).kind).toBe('set');
      opened.clock.advance(10 * FORMER_SECRET_LIFETIME_MS);
      expect(await opened.stores.sharedSecrets.list(opened.clock.now())).toEqual([
        { secret: 'whsec_first', setAt, expiresAt: null },
      ]);
    });

    it('that it replaces works for another day, and not longer when it is replaced again', async (opened) => {
      await set(opened, 'whsec_first');
      opened.clock.advance(1);
      const formerUntil = new Date(opened.clock.now().getTime() + FORMER_SECRET_LIFETIME_MS);
      expect(await set(opened, 'whsec_second')).toEqual({ kind: 'replaced', formerUntil });
      opened.clock.advance(FORMER_SECRET_LIFETIME_MS / 2);
      await set(opened, 'whsec_third');
      expect(await secretsOf(opened)).toEqual(['whsec_third', 'whsec_second', 'whsec_first']);
      opened.clock.advance(FORMER_SECRET_LIFETIME_MS / 2);
      expect(await secretsOf(opened)).toEqual(['whsec_third', 'whsec_second']);
      opened.clock.advance(FORMER_SECRET_LIFETIME_MS / 2);
      expect(await secretsOf(opened)).toEqual(['whsec_third']);
    });

    it('stays as it is when the same is set again', async (opened) => {
      await set(opened, 'whsec_first');
      expect(await set(opened, 'whsec_first')).toEqual({ kind: 'known' });
      expect(await secretsOf(opened)).toEqual(['whsec_first']);
    });

    it('is one, though two are set at once', async (opened) => {
      const outcomes = await Promise.all(['whsec_one', 'whsec_two'].map((secret) => set(opened, secret)));
      expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['replaced', 'set']);
      opened.clock.advance(FORMER_SECRET_LIFETIME_MS);
      expect(await secretsOf(opened)).toHaveLength(1);
    });

    it('must be a signing secret', async (opened) => {
      for (const text of ['', 'whsec_', 'whsec_a b c', 'sk_live_0123456789']) {
        expect(await set(opened, text)).toMatchObject({ kind: 'invalid', field: 'secret' });
      }
      expect(await secretsOf(opened)).toEqual([]);
    });

    it('counts only where settings name none, and before that of a trial', async (opened) => {
      const used = (settings: Parameters<typeof listSharedSecrets>[1]) =>
        listSharedSecrets(opened.stores, settings, opened.clock.now(), 'recent');
      expect(await used({ secrets: [], trialSecret: 'derived' })).toEqual(['derived']);
      await set(opened, 'whsec_first');
      expect(await used({ secrets: [], trialSecret: 'derived' })).toEqual(['whsec_first']);
      expect(await used({ secrets: ['whsec_environment'] })).toEqual(['whsec_environment']);
    });
  });

  describe('the list of accounts', () => {
    it('has those of all organisations, in order and in pages', async (opened) => {
      const { stores, shop, ids, clock } = opened;
      const other = await openShop(opened, 'Other');
      for (const [account, orgId] of [
        ['acct_b', shop.orgId],
        ['acct_C', other.orgId],
        ['acct_a', other.orgId],
      ] as const)
        await stores.accounts.map({ account, orgId, connectionId: ids.next(), now: clock.now() });
      const list = (after: string | null, limit: number) => stores.accounts.list({ after, limit });
      expect(await list(null, 2)).toEqual([
        { account: 'acct_C', orgId: other.orgId, organisation: 'Other' },
        { account: 'acct_a', orgId: other.orgId, organisation: 'Other' },
      ]);
      expect((await list('acct_a', 2)).map(({ account, orgId }) => [account, orgId])).toEqual([
        ['acct_b', shop.orgId],
      ]);
    });

    it('loses an account only for the organisation that it is named for', async (opened) => {
      const { stores, shop, ids, clock } = opened;
      const connectionId = ids.next();
      await stores.accounts.map({ account: 'acct_1', orgId: shop.orgId, connectionId, now: clock.now() });
      expect(await stores.accounts.unmap('acct_1', ids.next())).toBe(null);
      expect(await stores.accounts.unmap('acct_1', 'nobody')).toBe(null);
      expect(await stores.accounts.unmap('acct_1', shop.orgId)).toEqual({ orgId: shop.orgId, connectionId });
      expect(await stores.accounts.list({ after: null, limit: 2 })).toEqual([]);
    });
  });
}

function set({ stores, clock, ids }: OpenedShop, secret: string) {
  return setSharedSecret({ sharedSecrets: stores.sharedSecrets, clock, ids }, secret);
}

async function secretsOf({ stores, clock }: OpenedShop): Promise<readonly string[]> {
  return (await stores.sharedSecrets.list(clock.now())).map(({ secret }) => secret);
}
