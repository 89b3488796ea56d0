import {
  type Clock,
  createFulfilment,
  type EmailOutcome,
  HEAD_START_MS,
  type LeasedJob,
  type ReceiptMail,
} from '@handover/domain';
import { claimIdOf } from '../complete-emails.ts';
import { opening, type TestRunner } from '../runner.ts';
import { makeLine } from '../samples.ts';
import {
  type CreateFulfilmentStore,
  decide,
  fulfil,
  LUMEN,
  type OpenedStore,
  OTHER_CONNECTION,
  openStore,
  orderOf,
  record,
} from './harness.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** The queue: what `takeJob` and `endJob` of a FulfilmentStore must do. It needs all nine methods. */
export function jobsContract(runner: TestRunner, create: CreateFulfilmentStore): void {
  const { describe, it, expect } = opening(runner, () => openStore('jobsContract', create));

  describe('a job', () => {
    it('is queued with its entry, and leased when it is due', async (opened) => {
      const { id } = await record(opened, orderOf());
      expect(await take(opened)).toBe(null);
      opened.clock.advance(HEAD_START_MS);
      expect((await take(opened))?.job).toMatchObject({
        ...{ kind: 'fulfil-delivery', orgId: LUMEN.id, deliveryId: id, attempts: 0 },
      });
    });

    it('that has been due longest comes first', async (opened) => {
      const made: string[] = [];
      for (const orderId of ['1', '2', '3']) {
        made.push((await record(opened, orderOf({ orderId }))).id);
        opened.clock.advance(1000);
      }
      opened.clock.advance(HEAD_START_MS);
      const taken = [await take(opened), await take(opened), await take(opened)];
      expect(taken.map((leased) => leased && 'deliveryId' in leased.job && leased.job.deliveryId)).toEqual(
        made,
      );
      expect(await take(opened)).toBe(null);
    });

    it('is leased by one of many concurrent workers', async (opened) => {
      await record(opened, orderOf());
      opened.clock.advance(HEAD_START_MS);
      const taken = await Promise.all(Array.from({ length: 10 }, () => take(opened)));
      expect(taken.filter((leased) => leased !== null)).toHaveLength(1);
    });

    it('is leased again when its lease has expired, and the former lease then ends nothing', async (opened) => {
      const former = await takeRecorded(opened);
      opened.clock.advance(MINUTE);
      const latter = await takeSurely(opened);
      expect(latter.job).toMatchObject({ kind: 'fulfil-delivery' });
      await opened.store.endJob(former, null);
      await opened.store.endJob(latter, opened.clock.now());
      expect((await take(opened))?.job.kind).toBe('fulfil-delivery');
    });

    it('is not ended a second time by a lease that has ended', async (opened) => {
      const leased = await takeRecorded(opened);
      await opened.store.endJob(leased, opened.clock.now());
      await opened.store.endJob(leased, null);
      expect((await take(opened))?.job.kind).toBe('fulfil-delivery');
    });

    it('is removed once it is done, or due again at the given time', async (opened) => {
      const again = new Date(opened.clock.now().getTime() + HEAD_START_MS + 5 * MINUTE);
      await opened.store.endJob(await takeRecorded(opened), again);
      opened.clock.advance(4 * MINUTE);
      expect(await take(opened)).toBe(null);
      opened.clock.advance(MINUTE);
      await opened.store.endJob(await takeSurely(opened), null);
      opened.clock.advance(10 * MINUTE);
      expect(await take(opened)).toBe(null);
    });

    it('of an order is removed by the plan that decides it, which queues the job of its receipt', async (opened) => {
      const { id } = await record(opened, orderOf());
      const plan = await decide(opened, orderOf(), id);
      opened.clock.advance(HEAD_START_MS);
      const leased = await takeSurely(opened);
      expect(leased.job).toMatchObject({
        ...{ kind: 'send-email', emailKind: 'receipt', orgId: LUMEN.id, emailId: plan.receipt?.id },
      });
      expect(await take(opened)).toBe(null);
    });

    it('is queued for each entry of its order with an open line, when something of the order is delivered', async (opened) => {
      const lines = [makeLine('unknown')];
      const waiting = await fulfil(opened, orderOf({ lines }));
      await fulfil(opened, orderOf({ lines, connectionId: OTHER_CONNECTION }));
      await fulfil(opened, orderOf({ lines, orderId: '2' }));
      const { receipt } = await fulfil(opened, orderOf());
      const subjects = [await takeSurely(opened), await takeSurely(opened)].map(({ job }) =>
        job.kind === 'send-email' ? job.emailId : [job.kind, job.deliveryId, job.attempts],
      );
      expect(subjects.sort()).toEqual([receipt?.id, ['resolve-delivery', waiting.delivery.id, 1]].sort());
      expect(await take(opened)).toBe(null);
    });

    it('sends a receipt again at once when its order comes again after a failed try', async (opened) => {
      const receiptId = (await fulfil(opened, orderOf())).receipt?.id ?? '';
      const leased = await takeSurely(opened);
      await tryAgain(opened, receiptId, HOUR);
      await opened.store.endJob(leased, null);
      expect(await take(opened)).toBe(null);
      await fulfil(opened, orderOf());
      expect((await takeSurely(opened)).job).toMatchObject({ kind: 'send-email', emailId: receiptId });
    });

    it('sends a receipt again that was refused when its order comes again', async (opened) => {
      const receiptId = (await fulfil(opened, orderOf())).receipt?.id ?? '';
      const leased = await takeSurely(opened);
      const outcome = { kind: 'refused', answer: '550', reason: 'No such box.' } as const;
      await complete(opened, receiptId, { ...outcome, at: opened.clock.now() });
      await opened.store.endJob(leased, null);
      await fulfil(opened, orderOf());
      expect((await takeSurely(opened)).job).toMatchObject({ kind: 'send-email', emailId: receiptId });
    });

    it('that is queued again while it runs is not ended by its former lease', async (opened) => {
      const { store, clock } = opened;
      const { id } = await record(opened, orderOf());
      const { receipt } = await decide(opened, orderOf(), id);
      const leased = await takeSurely(opened);
      await tryAgain(opened, receipt?.id ?? '', 30_000);
      await store.endJob(leased, null);
      clock.advance(30_000);
      expect((await take(opened))?.job).toMatchObject({ kind: 'send-email', emailId: receipt?.id });
    });
  });

  describe('the processing of an order', () => {
    it('ends with one receipt and a success, however many processes work on it', async (opened) => {
      const { store, ids } = opened;
      const clock = ticking(opened);
      const sent: ReceiptMail[] = [];
      const mailer = {
        send: async (mail: ReceiptMail) => {
          sent.push(mail);
          return { kind: 'accepted', answer: '250 OK' } as const;
        },
      };
      const processes = [1, 2, 3].map(() => createFulfilment({ store, mailer, clock, ids }));
      const received = await Promise.all(processes.map((one) => one.receive(orderOf())));
      const until = new Date(clock.now().getTime() + MINUTE);
      await Promise.all(processes.map((one) => one.runDue({ until })));
      expect(sent.map(({ to }) => to.email)).toEqual(['ana@example.com']);
      for (const { deliveryId } of received) {
        expect((await store.find(LUMEN.id, deliveryId))?.status).toBe('success');
      }
    });
  });
}

/** A clock that advances a little at each reading, so that a test ends even if a store never runs out of jobs. */
function ticking({ clock }: OpenedStore): Clock {
  return {
    now: () => {
      clock.advance(50);
      return clock.now();
    },
  };
}

function tryAgain(opened: OpenedStore, receiptId: string, later: number): Promise<void> {
  const at = opened.clock.now();
  const nextTryAt = new Date(at.getTime() + later);
  return complete(opened, receiptId, { kind: 'try-again', at, answer: '451', reason: 'Not yet.', nextTryAt });
}

async function complete({ store, clock, ids }: OpenedStore, receiptId: string, outcome: EmailOutcome) {
  const claim = await store.claim(LUMEN.id, receiptId, clock.now(), () => ids.next());
  await store.complete(LUMEN.id, receiptId, claimIdOf(claim), outcome);
}

function take({ store, clock }: OpenedStore): Promise<LeasedJob | null> {
  return store.takeJob(clock.now(), new Date(clock.now().getTime() + MINUTE));
}

async function takeSurely(opened: OpenedStore): Promise<LeasedJob> {
  const leased = await take(opened);
  if (!leased) throw new Error('No job is due.');
  return leased;
}

async function takeRecorded(opened: OpenedStore): Promise<LeasedJob> {
  await record(opened, orderOf());
  opened.clock.advance(HEAD_START_MS);
  return takeSurely(opened);
}
