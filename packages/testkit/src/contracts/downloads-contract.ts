import { LINK_LIFETIME_MS, restoreLink, revokeLink } from '@handover/domain';
import { prepare } from '../runner.ts';
import { BY_JANA, openShop } from '../samples.ts';
import { collect, type OpenedShop, type StoresRunner } from './harness.ts';
import { beginDownload, completeDownload, sell, sendBytes } from './shop-actions.ts';

const MINUTE = 60 * 1000;
const HOUR = 60 * MINUTE;

/** Links and their downloads. */
export function downloadsContract(runner: StoresRunner): void {
  const { describe, it, expect } = prepare(runner, openSale);

  describe('a download link', () => {
    it('is prolonged by an opening and by a fetched file, until it has expired', async (opened) => {
      const { stores, shop, clock, linkId } = opened;
      const expiry = () => new Date(clock.now().getTime() + LINK_LIFETIME_MS);
      for (const move of [stores.links.refresh, stores.links.prolong]) {
        clock.advance(47 * HOUR);
        expect(await move(shop.orgId, linkId, clock.now(), expiry())).toBe(true);
        expect((await stores.links.find(shop.orgId, linkId))?.expiresAt).toEqual(expiry());
      }
      clock.advance(48 * HOUR);
      for (const move of [stores.links.refresh, stores.links.prolong]) {
        expect(await move(shop.orgId, linkId, clock.now(), expiry())).toBe(false);
      }
    });

    it('that is withdrawn stays so from the first time, and works again once it is restored', async (opened) => {
      const { stores, shop, clock, linkId } = opened;
      const withdrawnAt = clock.now();
      for (let times = 0; times < 2; times += 1) {
        const revoked = await revokeLink(opened, shop.orgId, linkId, BY_JANA);
        expect(revoked?.revokedAt).toEqual(withdrawnAt);
        clock.advance(MINUTE);
      }
      for (const move of [stores.links.refresh, stores.links.prolong]) {
        expect(await move(shop.orgId, linkId, clock.now(), clock.now())).toBe(false);
      }
      for (let times = 0; times < 2; times += 1) {
        const restored = await restoreLink(opened, shop.orgId, linkId, BY_JANA);
        expect(restored?.revokedAt).toBe(null);
      }
    });

    it('of another organisation is neither prolonged nor withdrawn', async (opened) => {
      const { stores, clock, linkId } = opened;
      const { orgId } = await openShop(opened, 'Other');
      for (const id of [linkId, 'nonsense', opened.ids.next()]) {
        expect(await stores.links.prolong(orgId, id, clock.now(), clock.now())).toBe(false);
        expect(await revokeLink(opened, orgId, id, BY_JANA)).toBe(null);
      }
      expect((await stores.links.find(opened.shop.orgId, linkId))?.revokedAt).toBe(null);
    });
  });

  describe('download sessions', () => {
    it('are joined by requests that follow soon, and begun anew after a long pause', async (opened) => {
      const first = await begin(opened);
      opened.clock.advance(59 * MINUTE);
      expect(await begin(opened)).toBe(first);
      await sendBytes(opened, first, [[0, 3]]);
      opened.clock.advance(59 * MINUTE);
      expect(await begin(opened)).toBe(first);
      opened.clock.advance(2 * MINUTE);
      expect((await begin(opened)) === first).toBe(false);
    });

    it('are joined by a request that names an open one of the link, however long the pause', async (opened) => {
      const first = await begin(opened);
      opened.clock.advance(5 * HOUR);
      const second = await begin(opened);
      expect(await begin(opened, { joining: first })).toBe(first);
      const elsewhere = { ...opened, linkId: (await sell(opened, other)).linkId };
      expect(await begin(opened, { joining: await begin(elsewhere) })).toBe(second);
      expect(await begin(opened, { joining: 'nonsense' })).toBe(second);
      await complete(opened, first);
      expect(await begin(opened, { joining: first })).toBe(second);
    });

    it('are one when ten requests begin at the same moment, and their bytes add up', async (opened) => {
      const begun = await Promise.all(Array.from({ length: 10 }, () => begin(opened)));
      expect(new Set(begun).size).toBe(1);
      opened.clock.advance(MINUTE);
      await Promise.all(begun.map((id) => sendBytes(opened, id, [[0, 5e9]])));
      const lastByteAt = opened.clock.now();
      const [row, ...more] = await listSessions(opened);
      expect(more).toEqual([]);
      expect(row).toMatchObject({ id: begun[0], bytes: 5e10, lastByteAt, completedAt: null });
    });

    it('know of each file how much of it went out, whatever was sent twice', async (opened) => {
      const sessionId = await begin(opened);
      await sendBytes(opened, sessionId, [
        [0, 4],
        [8, 10],
      ]);
      await sendBytes(opened, sessionId, [[2, 5]]);
      await sendBytes(opened, sessionId, [], { name: 'empty.txt', size: 0 });
      await sendBytes(opened, sessionId, [[0, 7]], { version: '0.9', size: 7 });
      expect(await opened.stores.sessions.latest(opened.shop.orgId, opened.linkId)).toEqual({
        id: sessionId,
        startedAt: opened.clock.now(),
        lastByteAt: opened.clock.now(),
        completedAt: null,
        files: [
          { version: '0.9', name: 'pads.zip', size: 7, sent: 7, whole: true },
          { version: '1.0', name: 'empty.txt', size: 0, sent: 0, whole: true },
          { version: '1.0', name: 'pads.zip', size: 10, sent: 7, whole: false },
        ],
      });
      await Promise.all([5, 6, 7].map((at) => sendBytes(opened, sessionId, [[at, at + 1]])));
      expect(await listSessions(opened)).toMatchObject([{ bytes: 19, filesBegun: 3, filesWhole: 3 }]);
    });

    it('keep a file in a thousand pieces at most, and never count more than went out', async (opened) => {
      const sessionId = await begin(opened);
      const scattered = Array.from({ length: 1000 }, (_, at) => [at * 2, at * 2 + 1] as const);
      await sendBytes(opened, sessionId, scattered, { size: 5000 });
      await sendBytes(opened, sessionId, [[4000, 4001]], { size: 5000 });
      const sent = async () => {
        const found = await opened.stores.sessions.latest(opened.shop.orgId, opened.linkId);
        return found?.files[0]?.sent;
      };
      expect(await sent()).toBe(1000);
      await sendBytes(opened, sessionId, [[0, 1000]], { size: 5000 });
      await sendBytes(opened, sessionId, [[4000, 4001]], { size: 5000 });
      expect(await sent()).toBe(1501);
    });

    it('of another organisation’s link do not begin, and are in no other report', async (opened) => {
      const { stores, linkId } = opened;
      const shop = await openShop(opened, 'Other');
      expect(await begin({ ...opened, shop })).toBe('');
      expect(await begin({ ...opened, linkId: 'nonsense' })).toBe('');
      const sessionId = await begin(opened);
      await sendBytes({ ...opened, shop }, sessionId, [[0, 5]]);
      await sendBytes(opened, 'nonsense', [[0, 5]]);
      expect(await listSessions({ ...opened, shop })).toEqual([]);
      expect(await stores.sessions.latest(shop.orgId, linkId)).toBe(null);
      expect(await stores.sessions.latest(opened.shop.orgId, 'nonsense')).toBe(null);
      expect(await listSessions(opened)).toMatchObject([{ bytes: 0, filesBegun: 0 }]);
    });
  });

  completionContract(runner);
}

function completionContract(runner: StoresRunner): void {
  const { describe, it, expect } = prepare(runner, openSale);

  describe('a download that is complete', () => {
    it('completes its session and makes the link used once, however often it is said', async (opened) => {
      const { stores, shop, clock, linkId } = opened;
      const sessionId = await begin(opened);
      const usedAt = clock.now();
      const answers = await Promise.all(Array.from({ length: 5 }, () => complete(opened, null)));
      clock.advance(MINUTE);
      answers.push(await complete(opened, sessionId));
      for (const answer of answers) expect(answer).toEqual({ kind: 'completed', sessionId, usedAt });
      expect((await stores.links.find(shop.orgId, linkId))?.usedAt).toEqual(usedAt);
      expect(await listSessions(opened)).toMatchObject([{ completedAt: usedAt }]);
      expect(await countEntries(opened)).toBe(1);
      expect((await begin(opened)) === sessionId).toBe(false);
    });

    it('again in another session has an entry of its own, and the link was first used before', async (opened) => {
      const usedAt = opened.clock.now();
      const first = await begin(opened);
      await complete(opened, null);
      opened.clock.advance(MINUTE);
      const second = await begin(opened);
      expect(await complete(opened, first)).toEqual({ kind: 'completed', sessionId: first, usedAt });
      expect(await complete(opened, null)).toEqual({ kind: 'completed', sessionId: second, usedAt });
      expect(await countEntries(opened)).toBe(2);
    });

    it('without a session of ours has one entry', async (opened) => {
      const usedAt = opened.clock.now();
      const answers = await Promise.all([complete(opened, null), complete(opened, null)]);
      for (const answer of answers) expect(answer).toEqual({ kind: 'completed', sessionId: null, usedAt });
      expect(await countEntries(opened)).toBe(1);
    });

    it('is not taken for a withdrawn link, for another’s, nor for a session of another', async (opened) => {
      const sessionId = await begin(opened);
      const elsewhere = { ...opened, linkId: (await sell(opened, other)).linkId };
      expect(await complete(elsewhere, sessionId)).toEqual({ kind: 'unknown-session' });
      expect(await complete(opened, 'nonsense')).toEqual({ kind: 'unknown-session' });
      const shop = await openShop(opened, 'Other');
      expect(await complete({ ...opened, shop }, null)).toEqual({ kind: 'unknown' });
      expect(await complete({ ...opened, linkId: 'nonsense' }, null)).toEqual({ kind: 'unknown' });
      await revokeLink(opened, opened.shop.orgId, opened.linkId, BY_JANA);
      expect(await complete(opened, null)).toEqual({ kind: 'revoked' });
      expect(await listSessions(opened)).toMatchObject([{ completedAt: null }]);
      expect(await countEntries(opened)).toBe(0);
    });
  });
}

/** A second customer, because the first one is new only once. */
const other = { newCustomer: { name: 'Bea', email: 'bea@example.com' } };

interface OpenedSale extends OpenedShop {
  readonly linkId: string;
  readonly purchaseId: string;
}

async function openSale(opened: OpenedShop): Promise<OpenedSale> {
  return { ...opened, ...(await sell(opened)) };
}

function begin(opened: OpenedSale, { joining = null }: { readonly joining?: string | null } = {}) {
  return beginDownload(opened, opened.linkId, joining);
}

function complete(opened: OpenedSale, sessionId: string | null) {
  return completeDownload(opened, opened.linkId, sessionId);
}

async function countEntries({ stores, shop, linkId }: OpenedSale): Promise<number> {
  const query = { subjectId: linkId, before: null, limit: 100 };
  const entries = await stores.activity.list(shop.orgId, query);
  return entries.filter(({ kind }) => kind === 'download-completed').length;
}

function listSessions({ stores, shop, clock }: OpenedShop) {
  const now = clock.now().getTime();
  const period = { from: new Date(now - 24 * HOUR), until: new Date(now + 24 * HOUR) };
  return collect(stores.sessions.list(shop.orgId, period));
}
