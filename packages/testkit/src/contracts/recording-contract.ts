import {
  fulfilOrder,
  type Proof,
  type ReceivedDelivery,
  type RejectedDelivery,
  recordDeliveries,
} from '@handover/domain';
import { makeOrder, makeReceived } from '../samples.ts';
import type { OpenedShop, StoresRunner } from './harness.ts';
import { sell } from './shop-actions.ts';

const NOTED: Proof['whenReused'] = { kind: 'note', note: 'Used before.' };
const REFUSED: Proof['whenReused'] = { kind: 'refuse', reason: 'Was used before.' };
const ALL = { status: null, platform: null, before: null, limit: 100 };

/** Whether a request is recorded: this depends on its proof, and on whether it is still among the rejected ones. */
export function recordingContract({ describe, it, expect }: StoresRunner): void {
  it('keeps the trace of a delivery, for the job and for the receipt of what it bought', async (opened) => {
    const { stores, shop, clock, ids } = opened;
    const traceContext = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const recorded = await record(opened, { traceContext });
    const [delivery] = recorded.kind === 'recorded' ? recorded.deliveries : [];
    const id = delivery?.id ?? '';
    expect((await stores.deliveries.find(shop.orgId, id))?.traceContext).toBe(traceContext);
    const order = makeOrder(shop);
    const { receipt } = await fulfilOrder(opened, order, {
      id,
      attempts: 0,
    });
    const claim = await stores.outgoingEmails.claim(shop.orgId, receipt?.id ?? '', clock.now(), () =>
      ids.next(),
    );
    const email = claim.kind === 'claimed' && claim.email.kind === 'receipt' ? claim.email : null;
    expect(email?.delivery).toEqual({ id, receivedAt: delivery?.receivedAt, traceContext });
  });

  it('of a sale by hand, the receipt is for no delivery', async (opened) => {
    const { stores, shop, clock, ids } = opened;
    await sell(opened, { sendEmail: true });
    const [job] = await opened.queuedJobs();
    const emailId = job?.kind === 'send-email' ? job.emailId : '';
    const claim = await stores.outgoingEmails.claim(shop.orgId, emailId, clock.now(), () => ids.next());
    expect(claim).toMatchObject({ kind: 'claimed', email: { kind: 'receipt', delivery: null } });
  });

  describe('a proof of origin', () => {
    it('with the body that it came with first changes nothing', async (opened) => {
      for (const whenReused of [NOTED, REFUSED, NOTED]) {
        const recorded = await record(opened, { proof: proof('a', 'body', whenReused) });
        expect(recorded).toMatchObject({ kind: 'recorded', deliveries: [{ note: null }] });
      }
    });

    it('with another body is noted, and the note stands before that of every decision', async (opened) => {
      const { stores, shop } = opened;
      await record(opened, { proof: proof('a', 'body', NOTED) });
      const again = await record(opened, { proof: proof('a', 'other', NOTED) });
      const [delivery] = again.kind === 'recorded' ? again.deliveries : [];
      const id = delivery?.id ?? '';
      expect([delivery?.note, await noteOf(opened, id)]).toEqual(['Used before.', 'Used before.']);
      const order = makeOrder(shop, { test: true });
      for (const attempts of [0, 1]) {
        await fulfilOrder(opened, order, { id, attempts });
        const said = attempts === 0 ? 'Test order.' : 'Test order. Already delivered.';
        expect(await noteOf(opened, id)).toBe(`Used before. ${said}`);
        expect((await stores.deliveries.find(shop.orgId, id))?.note).toBe(`Used before. ${said}`);
      }
    });

    it('with another body leaves nothing behind if it is refused', async (opened) => {
      const { stores, shop } = opened;
      await record(opened, { proof: proof('a', 'body', REFUSED) });
      const again = await record(opened, { proof: proof('a', 'other', REFUSED) });
      expect(again).toEqual({ kind: 'refused', reason: 'Was used before.' });
      expect(await stores.deliveries.list(shop.orgId, ALL)).toHaveLength(1);
      expect(await opened.queuedJobs()).toHaveLength(1);
    });

    it('that comes with many bodies at once has exactly one that was first', async (opened) => {
      const outcomes = await Promise.all(
        Array.from({ length: 10 }, (_, at) => record(opened, { proof: proof('a', `${at}`, REFUSED) })),
      );
      expect(outcomes.filter(({ kind }) => kind === 'recorded')).toHaveLength(1);
    });

    it('is one of its connection', async (opened) => {
      const { stores, shop, ids, clock } = opened;
      const outlet = ids.next();
      const connection = { connectionId: outlet, secretId: ids.next(), secret: 's', name: 'outlet' };
      const named = { orgId: shop.orgId, platform: 'storefront-a', now: clock.now() } as const;
      await stores.connections.addSecret({ ...named, ...connection });
      await record(opened, { proof: proof('a', 'body', REFUSED) });
      await record(opened, { proof: proof('b', 'other', REFUSED) });
      const elsewhere = await record(opened, {
        proof: proof('a', 'other', REFUSED),
        connectionId: outlet,
      });
      expect(elsewhere.kind).toBe('recorded');
    });
  });

  describe('a rejected request that is delivered', () => {
    it('moves into the log with its note in one step', async (opened) => {
      const { stores, shop } = opened;
      const { id } = await reject(opened);
      const recorded = await record(opened, { rejected: { id, note: 'Rejected before.' } });
      const [delivery] = recorded.kind === 'recorded' ? recorded.deliveries : [];
      expect(await noteOf(opened, delivery?.id ?? '')).toBe('Rejected before.');
      expect(await stores.rejected.list(shop.orgId, 'storefront-a', new Date(0))).toEqual([]);
    });

    it('is delivered once, by however many at once', async (opened) => {
      const { id } = await reject(opened);
      const outcomes = await Promise.all(
        Array.from({ length: 5 }, () => record(opened, { rejected: { id, note: 'Rejected before.' } })),
      );
      expect(outcomes.map(({ kind }) => kind).sort()).toEqual([
        'recorded',
        'refused',
        'refused',
        'refused',
        'refused',
      ]);
      expect(await opened.stores.deliveries.list(opened.shop.orgId, ALL)).toHaveLength(1);
    });

    it('stays among the rejected where its proof is refused', async (opened) => {
      const { id } = await reject(opened);
      await record(opened, { proof: proof('a', 'body', REFUSED) });
      const rejected = { id, note: 'Rejected before.' };
      const again = await record(opened, { rejected, proof: proof('a', 'other', REFUSED) });
      expect(again.kind).toBe('refused');
      const kept = await opened.stores.rejected.list(opened.shop.orgId, 'storefront-a', new Date(0));
      expect(kept.map((row) => row.id)).toEqual([id]);
    });
  });
}

function proof(pair: string, body: string, whenReused: Proof['whenReused']): Proof {
  const hash = (text: string) =>
    [...text]
      .map((character) => character.codePointAt(0)?.toString(16))
      .join('')
      .padStart(64, '0');
  return { fingerprint: hash(pair), bodySha256: hash(body), whenReused };
}

function record(opened: OpenedShop, changes: Partial<ReceivedDelivery>) {
  const content = {
    kind: 'translated',
    entries: [{ kind: 'order', order: makeOrder(opened.shop) }],
  } as const;
  const received = { ...makeReceived(opened.shop, opened.clock.now(), content), ...changes };
  return recordDeliveries(opened, received, 'in-background');
}

async function reject({ shop, stores, clock, ids }: OpenedShop): Promise<RejectedDelivery> {
  const about = { orgId: shop.orgId, platform: 'storefront-a', reason: 'It fits no secret.' } as const;
  const content = { bytes: new Uint8Array([123, 125]), headers: {}, secretFingerprint: null };
  const kept = { ...about, ...content, id: ids.next(), receivedAt: clock.now(), source: 'a network' };
  await stores.rejected.record({ ...about, count: 1, at: clock.now(), kept });
  return kept;
}

async function noteOf({ shop, stores }: OpenedShop, deliveryId: string): Promise<string | null | undefined> {
  return (await stores.deliveries.show(shop.orgId, deliveryId))?.note;
}
