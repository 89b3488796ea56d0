import { CLAIM_LASTS_MS, type EmailClaim, type EmailOutcome, linkExpiry } from '@handover/domain';
import { claimIdOf } from '../complete-emails.ts';
import { opening, type TestRunner } from '../runner.ts';
import { makeLine } from '../samples.ts';
import {
  type CreateFulfilmentStore,
  fulfil,
  KEYS,
  LUMEN,
  MIRA,
  type OpenedStore,
  openStore,
  orderOf,
  PADS,
  planOf,
} from './harness.ts';

const HOUR = 60 * 60 * 1000;
const SENT = { kind: 'sent', answer: '250 OK' } as const;
const REFUSED = { kind: 'refused', answer: '550', reason: 'No such box.' } as const;
/** The state of a completed entry: see `stateOf`. */
const SUCCESS = ['success', null];

/** Receipts: what `claim`, `complete` and `release` of a FulfilmentStore must do. It also needs the methods of fulfilment. */
export function receiptsContract(runner: TestRunner, create: CreateFulfilmentStore): void {
  const { describe, it, expect } = opening(runner, () => openStore('receiptsContract', create));

  describe('a receipt', () => {
    it('has everything that its mail needs, with every digit of the amount', async (opened) => {
      const amount = '12345678901234567890.123456700';
      const sold = await sell(opened, [makeLine('PADS', { amount })]);
      const claim = await claimNow(opened, sold.receiptId);
      const at = opened.clock.now();
      expect(withoutOptional(claim)).toEqual({
        kind: 'claimed',
        claimId: claimIdOf(claim),
        email: {
          ...{ kind: 'receipt', id: sold.receiptId, orgId: LUMEN.id, orderedAt: at, pendingSince: at },
          ...{ attempts: 0, orderNumber: '#1001' },
          organisation: { name: LUMEN.name, email: LUMEN.email },
          customer: { email: 'ana@example.com', name: 'Ana Lima' },
          items: [
            {
              ...{ productName: 'Pads', version: '1.0', fileCount: 1, totalSize: 5 },
              ...{ amount, currency: 'EUR', linkId: sold.plan.links[0]?.id },
            },
          ],
        },
      });
    });

    it('names the version that was bought, even if another one is live now', async (opened) => {
      const { receiptId } = await sell(opened);
      const version = { ...PADS.version, id: opened.ids.next(), label: '2.0' };
      await opened.putShop({ ...LUMEN, products: [{ ...PADS, version }, KEYS] });
      expect(await claimNow(opened, receiptId)).toMatchObject({ email: { items: [{ version: '1.0' }] } });
    });

    it('names the live version if there was none when it was bought', async (opened) => {
      const { plan } = await planOf(opened, orderOf());
      const purchases = plan.purchases.map((purchase) => ({ ...purchase, versionId: null }));
      expect(await opened.store.commit({ ...plan, purchases })).toBe('committed');
      expect(await claimNow(opened, plan.receipt?.id ?? '')).toMatchObject({
        email: { items: [{ version: '1.0', fileCount: 1 }] },
      });
    });

    it('renews the 48 hours of its links whenever it is claimed', async (opened) => {
      const { receiptId, plan } = await sell(opened);
      for (const hours of [3, 60]) {
        opened.clock.advance(hours * HOUR);
        const claimId = claimIdOf(await claimNow(opened, receiptId));
        const end = await linkExpiresAt(opened, plan.links[0]?.id ?? '');
        expect(end?.toISOString()).toBe(linkExpiry(opened.clock.now()).toISOString());
        await opened.store.release(LUMEN.id, receiptId, claimId);
      }
    });

    it('is claimed by one of many at once', async (opened) => {
      const { receiptId } = await sell(opened);
      const claims = await Promise.all(Array.from({ length: 10 }, () => claimNow(opened, receiptId)));
      expect(claims.filter(({ kind }) => kind === 'claimed')).toHaveLength(1);
      expect(claims.filter(({ kind }) => kind === 'not-now')).toHaveLength(9);
    });

    it('is unknown to another organisation', async (opened) => {
      const { receiptId } = await sell(opened);
      const { store, clock } = opened;
      const newLinkId = () => opened.ids.next();
      expect(await store.claim(MIRA.id, receiptId, clock.now(), newLinkId)).toEqual({ kind: 'not-pending' });
      const claimId = claimIdOf(await claimNow(opened, receiptId));
      const sent = { ...SENT, at: clock.now() };
      expect(await store.complete(MIRA.id, receiptId, claimId, sent)).toBe('not-held');
      await store.release(MIRA.id, receiptId, claimId);
      expect((await claimNow(opened, receiptId)).kind).toBe('not-now');
    });

    it('can be claimed again once its claim was released', async (opened) => {
      const { receiptId } = await sell(opened);
      await opened.store.release(LUMEN.id, receiptId, claimIdOf(await claimNow(opened, receiptId)));
      expect((await claimNow(opened, receiptId)).kind).toBe('claimed');
    });

    it('is claimed again once the first claim has expired, whose outcome then changes nothing', async (opened) => {
      const { receiptId, deliveryId } = await sell(opened);
      const former = claimIdOf(await claimNow(opened, receiptId));
      await expire(opened);
      const latter = claimIdOf(await claimNow(opened, receiptId));
      const end = (claimId: string, outcome: EmailOutcome) =>
        opened.store.complete(LUMEN.id, receiptId, claimId, outcome);
      const at = opened.clock.now();
      await opened.store.release(LUMEN.id, receiptId, former);
      expect(await end(former, { ...REFUSED, at })).toBe('not-held');
      expect(await end(latter, { ...SENT, at })).toBe('completed');
      expect(await end(latter, { ...REFUSED, at })).toBe('not-held');
      expect(await opened.store.find(LUMEN.id, deliveryId)).toMatchObject({
        status: 'success',
        reason: null,
      });
    });

    it('completes every entry of its order, once it is sent', async (opened) => {
      const first = await sell(opened);
      const again = await sell(opened);
      await complete(opened, first.receiptId, SENT);
      for (const { deliveryId } of [first, again]) {
        expect(await opened.store.find(LUMEN.id, deliveryId)).toMatchObject({
          status: 'success',
          reason: null,
        });
      }
      expect(await claimNow(opened, first.receiptId)).toEqual({ kind: 'not-pending' });
    });

    it('that was not accepted shows why, and is due again at its time with one more try', async (opened) => {
      const { receiptId, deliveryId } = await sell(opened);
      const nextTryAt = new Date(opened.clock.now().getTime() + HOUR);
      await complete(opened, receiptId, { kind: 'try-again', answer: '451', reason: 'Not yet.', nextTryAt });
      expect(await opened.store.find(LUMEN.id, deliveryId)).toMatchObject({
        status: 'pending',
        reason: 'Not yet.',
      });
      expect(await claimNow(opened, receiptId)).toEqual({ kind: 'not-now', at: nextTryAt });
      const pendingSince = opened.clock.now();
      opened.clock.advance(HOUR);
      expect(await claimNow(opened, receiptId)).toMatchObject({
        ...{ kind: 'claimed', email: { attempts: 1, pendingSince } },
      });
    });

    it('that is postponed waits from its time on, with no more tries', async (opened) => {
      const { receiptId, deliveryId } = await sell(opened);
      const nextTryAt = new Date(opened.clock.now().getTime() + HOUR);
      await complete(opened, receiptId, { kind: 'postponed', answer: '', reason: 'Enough.', nextTryAt });
      expect(await opened.store.find(LUMEN.id, deliveryId)).toMatchObject({
        status: 'pending',
        reason: 'Enough.',
      });
      expect(await claimNow(opened, receiptId)).toEqual({ kind: 'not-now', at: nextTryAt });
      opened.clock.advance(HOUR);
      expect(await claimNow(opened, receiptId)).toMatchObject({
        ...{ kind: 'claimed', email: { attempts: 0, pendingSince: nextTryAt } },
      });
    });

    it('that waits for its next try is due at once, as if none had failed, when its order comes again', async (opened) => {
      const { receiptId } = await sell(opened);
      const nextTryAt = new Date(opened.clock.now().getTime() + HOUR);
      await complete(opened, receiptId, { kind: 'try-again', answer: '451', reason: 'Not yet.', nextTryAt });
      opened.clock.advance(HOUR / 2);
      expect((await sell(opened)).plan.resend).toEqual([receiptId]);
      expect(await claimNow(opened, receiptId)).toMatchObject({
        ...{ kind: 'claimed', email: { attempts: 0, pendingSince: opened.clock.now() } },
      });
    });

    it('completes entries that were an error because of it, once it is sent after all', async (opened) => {
      const first = await sell(opened);
      await complete(opened, first.receiptId, REFUSED);
      const again = await sell(opened);
      await complete(opened, first.receiptId, SENT);
      for (const { deliveryId } of [first, again]) expect(await stateOf(opened, deliveryId)).toEqual(SUCCESS);
    });

    it('leaves entries an error because of it until it is sent', async (opened) => {
      const { deliveryId, receiptId } = await sell(opened);
      await complete(opened, receiptId, REFUSED);
      await sell(opened);
      const nextTryAt = opened.clock.now();
      await complete(opened, receiptId, { kind: 'try-again', answer: '451', reason: 'Not yet.', nextTryAt });
      expect(await stateOf(opened, deliveryId)).toEqual(['error', REFUSED.reason]);
    });

    it('does not complete an entry while another of its receipts is not sent', async (opened) => {
      const first = await sell(opened);
      const both = await sell(opened, [makeLine('PADS'), makeLine('KEYS')]);
      await complete(opened, both.receiptId, SENT);
      expect(await stateOf(opened, both.deliveryId)).toEqual(['pending', null]);
      await complete(opened, first.receiptId, SENT);
      expect(await stateOf(opened, both.deliveryId)).toEqual(SUCCESS);
    });

    it('does not change a held entry', async (opened) => {
      await opened.putShop({ ...LUMEN, products: [PADS, { ...KEYS, status: 'draft' }] });
      const { plan, deliveryId, receiptId } = await sell(opened, [makeLine('PADS'), makeLine('KEYS')]);
      const held = ['held', plan.delivery.reason];
      expect(await stateOf(opened, deliveryId)).toEqual(held);
      const nextTryAt = opened.clock.now();
      const outcomes = [
        { kind: 'try-again', answer: '451', reason: 'Not yet.', nextTryAt },
        REFUSED,
      ] as const;
      for (const outcome of outcomes) {
        await complete(opened, receiptId, outcome);
        expect(await stateOf(opened, deliveryId)).toEqual(held);
      }
    });

    it('that was refused makes its entry an error, and goes out when the order comes again', async (opened) => {
      const { receiptId, deliveryId } = await sell(opened);
      await complete(opened, receiptId, REFUSED);
      expect(await opened.store.find(LUMEN.id, deliveryId)).toMatchObject({
        status: 'error',
        reason: 'No such box.',
      });
      const again = await sell(opened);
      expect([again.plan.purchases, again.plan.resend]).toEqual([[], [receiptId]]);
      expect(await claimNow(opened, receiptId)).toMatchObject({ kind: 'claimed', email: { attempts: 0 } });
    });

    it('that was sent meanwhile makes the commit refuse a plan that expects it to be pending', async (opened) => {
      const { receiptId } = await sell(opened);
      const { plan } = await planOf(opened, orderOf());
      await complete(opened, receiptId, SENT);
      expect(await opened.store.commit(plan)).toBe('changed-meanwhile');
    });
  });
}

async function sell(opened: OpenedStore, lines = [makeLine('PADS')]) {
  const plan = await fulfil(opened, orderOf({ lines }));
  return { plan, deliveryId: plan.delivery.id, receiptId: plan.receipt?.id ?? '' };
}

function claimNow({ store, clock, ids }: OpenedStore, receiptId: string): Promise<EmailClaim> {
  return store.claim(LUMEN.id, receiptId, clock.now(), () => ids.next());
}

async function linkExpiresAt(opened: OpenedStore, linkId: string): Promise<Date | null> {
  if (opened.linkExpiresAt) return opened.linkExpiresAt(LUMEN.id, linkId);
  throw new Error('receiptsContract needs linkExpiresAt, which the store under test does not have.');
}

/** The status and the reason of an entry. */
async function stateOf({ store }: OpenedStore, deliveryId: string) {
  const entry = await store.find(LUMEN.id, deliveryId);
  return [entry?.status, entry?.reason];
}

type WithoutTime<Outcome> = Outcome extends EmailOutcome ? Omit<Outcome, 'at'> : never;

async function complete(opened: OpenedStore, receiptId: string, outcome: WithoutTime<EmailOutcome>) {
  const claimId = claimIdOf(await claimNow(opened, receiptId));
  await opened.store.complete(LUMEN.id, receiptId, claimId, { ...outcome, at: opened.clock.now() });
}

async function expire({ expireClaims, clock }: OpenedStore): Promise<void> {
  if (expireClaims) await expireClaims();
  else clock.advance(CLAIM_LASTS_MS + 1000);
}

/** A store may leave out the languages and the time zone (then the mail has the default ones), and the delivery. */
function withoutOptional(claim: EmailClaim): EmailClaim {
  if (claim.kind !== 'claimed' || claim.email.kind !== 'receipt') return claim;
  const { language: _ofBuyer, delivery: _delivery, organisation, ...email } = claim.email;
  const { language: _ofShop, timeZone: _zone, ...shop } = organisation;
  return { ...claim, email: { ...email, organisation: shop } };
}
