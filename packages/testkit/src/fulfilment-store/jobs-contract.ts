import {
  type Clock,
  createFulfilment,
  HEAD_START_MS,
  type LeasedJob,
  type ReceiptMail,
} from '@handover/domain';
import { claimIdOf } from '../complete-emails.ts';
import type { TestRunner } from '../runner.ts';
import {
  type CreateFulfilmentStore,
  decide,
  LUMEN,
  type OpenedStore,
  openStore,
  orderOf,
  record,
} from './harness.ts';

const MINUTE = 60_000;

/** The queue: what `takeJob` and `endJob` of a FulfilmentStore must do. It needs all nine methods. */
export function jobsContract({ describe, it, expect }: TestRunner, create: CreateFulfilmentStore): void {
  const open = () => openStore('jobsContract', create);

  describe('a job', () => {
    it('is queued with its entry, and handed out when it is due', async () => {
      const opened = await open();
      const { id } = await record(opened, orderOf());
      expect(await take(opened)).toBe(null);
      opened.clock.advance(HEAD_START_MS);
      expect((await take(opened))?.job).toMatchObject({
        ...{ kind: 'fulfil-delivery', orgId: LUMEN.id, deliveryId: id, attempts: 0 },
      });
    });

    it('that has been due longest comes first', async () => {
      const opened = await open();
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

    it('is handed out to one of many at once', async () => {
      const opened = await open();
      await record(opened, orderOf());
      opened.clock.advance(HEAD_START_MS);
      const taken = await Promise.all(Array.from({ length: 10 }, () => take(opened)));
      expect(taken.filter((leased) => leased !== null)).toHaveLength(1);
    });

    it('is handed out again when its lease ran out, and the former lease then ends nothing', async () => {
      const opened = await open();
      const former = await takeRecorded(opened);
      opened.clock.advance(MINUTE);
      const latter = await takeSurely(opened);
      expect(latter.job).toMatchObject({ kind: 'fulfil-delivery' });
      await opened.store.endJob(former, null);
      await opened.store.endJob(latter, opened.clock.now());
      expect((await take(opened))?.job.kind).toBe('fulfil-delivery');
    });

    it('is over once it is done, or due again when it is said to be', async () => {
      const opened = await open();
      const again = new Date(opened.clock.now().getTime() + HEAD_START_MS + 5 * MINUTE);
      await opened.store.endJob(await takeRecorded(opened), again);
      opened.clock.advance(4 * MINUTE);
      expect(await take(opened)).toBe(null);
      opened.clock.advance(MINUTE);
      await opened.store.endJob(await takeSurely(opened), null);
      opened.clock.advance(10 * MINUTE);
      expect(await take(opened)).toBe(null);
    });

    it('of an order goes with the plan that decides it, which brings that of its receipt', async () => {
      const opened = await open();
      const { id } = await record(opened, orderOf());
      const plan = await decide(opened, orderOf(), id);
      opened.clock.advance(HEAD_START_MS);
      const leased = await takeSurely(opened);
      expect(leased.job).toMatchObject({
        ...{ kind: 'send-email', emailKind: 'receipt', orgId: LUMEN.id, emailId: plan.receipt?.id },
      });
      expect(await take(opened)).toBe(null);
    });

    it('that is queued anew while it runs is not ended with its former lease', async () => {
      const opened = await open();
      const { store, clock } = opened;
      const { id } = await record(opened, orderOf());
      const { receipt } = await decide(opened, orderOf(), id);
      const leased = await takeSurely(opened);
      const claim = await store.claim(LUMEN.id, receipt?.id ?? '', clock.now(), () => opened.ids.next());
      const at = clock.now();
      const nextTryAt = new Date(at.getTime() + 30_000);
      const outcome = { kind: 'try-again', at, answer: '451', reason: 'Not yet.', nextTryAt } as const;
      await store.complete(LUMEN.id, receipt?.id ?? '', claimIdOf(claim), outcome);
      await store.endJob(leased, null);
      clock.advance(30_000);
      expect((await take(opened))?.job).toMatchObject({ kind: 'send-email', emailId: receipt?.id });
    });
  });

  describe('the whole way of an order', () => {
    it('ends in one receipt and a success, however many processes work at it', async () => {
      const opened = await open();
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

/** Goes on a little whenever it is asked, so that a store that never runs out of jobs is found out. */
function ticking({ clock }: OpenedStore): Clock {
  return {
    now: () => {
      clock.advance(50);
      return clock.now();
    },
  };
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
