import { createSystemClock, createUuids } from '../defaults/clock-and-ids.ts';
import { createHmacTokens } from '../defaults/hmac-tokens.ts';
import { decodeUtf8, encodeUtf8 } from '../defaults/web-apis.ts';
import { maySend } from '../email/send-email.ts';
import { type FulfilOrderPorts, fulfilOrder } from '../fulfilment/fulfil-order.ts';
import { recordDeliveries } from '../fulfilment/record-deliveries.ts';
import { type FulfilmentJobPorts, runFulfilmentJob } from '../fulfilment/run-job.ts';
import type { DeliveryStatus } from '../model/delivery.ts';
import { DomainError } from '../model/errors.ts';
import type { MailAnswer } from '../model/mail-answer.ts';
import type { Order } from '../model/order.ts';
import type { Plan } from '../model/plan.ts';
import type { Platforms } from '../model/platform.ts';
import type { ReceiptMail } from '../model/receipt.ts';
import type { Clock, Ids } from '../ports/clock.ts';
import type { LinkAddresses } from '../ports/downloads.ts';
import type { OrderReader } from '../ports/fulfilment.ts';
import type { FulfilmentJob, FulfilmentStore } from '../ports/fulfilment-store.ts';
import type { LimitedMailer } from '../ports/mails.ts';

/** What fulfilment needs: a store and a mailer. The rest has defaults. */
export interface FulfilmentOptions {
  readonly store: FulfilmentStore;
  readonly mailer: ReceiptMailer;
  /** The machine's own unless it is given. */
  readonly clock?: Clock;
  /** UUIDv7 unless it is given. */
  readonly ids?: Ids;
  /** How the activity log names the vendors of platforms. Handover’s six unless it is given. */
  readonly platforms?: Pick<Platforms, 'vendorOf'>;
  /**
   * What makes the addresses in receipts. Without it they are sealed under a secret of this process, and nobody knows
   * them once it has ended: give `createHmacTokens({ siteUrl, secret })` where receipts go to buyers.
   */
  readonly tokens?: LinkAddresses;
}

/**
 * Mails receipts. A rejection counts as `try-again`, and `runDue` reports it among the failures: reject only before the
 * mail server has taken the receipt, or the buyer gets it twice. The mailer answers well within a minute: `runDue` waits
 * for it, and after a minute another process sends the same receipt.
 */
export interface ReceiptMailer {
  send(receipt: ReceiptMail): Promise<MailAnswer>;
}

/** Orders in, receipts out. */
export interface OrderFulfilment {
  /**
   * Writes the order down, and decides it. Once this resolves, nothing of it can be lost, and it may be called as often
   * as the shop sends the order: everything is sold once. Its receipt is a job.
   */
  receive(order: Order): Promise<ReceivedOrder>;
  /** Does one job: `again` says when it must be done once more. Rejects where the store does. */
  runJob(job: FulfilmentJob): Promise<'done' | { readonly again: Date }>;
  /**
   * Works off what is due, one job after the other, until nothing is or `until` has come: call it in a loop, from a cron
   * job or a serverless timer, in as many processes as you like. A job that fails is due again a minute later.
   */
  runDue(options: { readonly until: Date }): Promise<DueRun>;
}

/** What became of an order that was received. */
export interface ReceivedOrder {
  /** The entry of the log. */
  readonly deliveryId: string;
  /** `pending` until its receipt is sent. */
  readonly status: DeliveryStatus;
  /** What was decided; null while others were quicker, and the job of the order decides it. */
  readonly plan: Plan | null;
}

/** How many jobs were run, and what was thrown by those that failed. */
export interface DueRun {
  readonly jobs: number;
  readonly failures: readonly unknown[];
}

/** Longer than any job takes. */
const LEASE_MS = 60_000;
const PAUSE_MS = 60_000;
/** A job that is to run again at once does so after the others. */
const SOON_MS = 1000;

/** Creates fulfilment with your own store and mailer. The rules and their order are those of the service. */
export function createFulfilment(options: FulfilmentOptions): OrderFulfilment {
  const thrown: unknown[] = [];
  const ports = bindPorts(options, thrown);
  const { clock, store } = ports;
  const afterNow = (milliseconds: number) => new Date(clock.now().getTime() + milliseconds);

  const runJob: OrderFulfilment['runJob'] = async (job) => {
    const answer = await runFulfilmentJob(ports, job);
    return answer === 'later' ? { again: afterNow(PAUSE_MS) } : answer;
  };
  return {
    receive: (order) => receive(ports, order),
    runJob: async (job) => {
      const answer = await runJob(job);
      // Its caller reads them in the log of the entry.
      thrown.length = 0;
      return answer;
    },
    runDue: async ({ until }) => {
      const failures: unknown[] = [];
      let jobs = 0;
      for (let now = clock.now(); now < until; now = clock.now()) {
        const leased = await store.takeJob(now, afterNow(LEASE_MS));
        if (!leased) break;
        jobs += 1;
        try {
          const answer = await runJob(leased.job);
          failures.push(...thrown.splice(0));
          await store.endJob(leased, answer === 'done' ? null : latest(answer.again, afterNow(SOON_MS)));
        } catch (error) {
          failures.push(error);
          // Where the store is away, the lease brings the job back.
          await store.endJob(leased, afterNow(PAUSE_MS)).catch(() => undefined);
        }
      }
      return { jobs, failures };
    },
  };
}

function latest(a: Date, b: Date): Date {
  return a > b ? a : b;
}

type BoundPorts = FulfilOrderPorts & FulfilmentJobPorts & { readonly store: FulfilmentStore };

function bindPorts(
  { store, mailer, clock = createSystemClock(), ids, platforms, tokens }: FulfilmentOptions,
  thrown: unknown[],
): BoundPorts {
  return {
    store,
    clock,
    ids: ids ?? createUuids(clock),
    fulfilment: store,
    platforms,
    outgoingEmails: store,
    deliveries: {
      find: (orgId, deliveryId) => store.find(orgId, deliveryId),
      // Orders are kept in the words of the domain, so one that is there can be read.
      explainPending: async () => undefined,
      show: async () => null,
    },
    orders: ORDER_AS_JSON,
    mailer: mailReceipts(mailer, clock, thrown),
    tokens: tokens ?? createHmacTokens(),
    invitationTokens: ONLY_RECEIPTS,
    signInTokens: ONLY_RECEIPTS,
    siteUrl: '',
  };
}

const ONLY_RECEIPTS = {
  url: (): never => {
    throw new DomainError('wrong-store', 'A FulfilmentStore claims receipts, and no other e-mail.');
  },
};

function mailReceipts(mailer: ReceiptMailer, clock: Clock, thrown: unknown[]): LimitedMailer {
  return {
    send: async (mail, { askedAt }) => {
      if (mail.kind !== 'receipt') return ONLY_RECEIPTS.url();
      if (!maySend(askedAt, clock.now())) return { kind: 'claim-lapsed' };
      try {
        return readAnswer(await mailer.send(mail));
      } catch (error) {
        thrown.push(error);
        // As an answer it has the pauses and the end that answers have: a broken mailer is not called for ever.
        const words = error instanceof Error ? error.message : String(error);
        return { kind: 'try-again', answer: `The mailer failed: ${words}` };
      }
    },
  };
}

/** A mailer in JavaScript can answer anything. Taken as it is, its receipt would be sent again every minute, for ever. */
function readAnswer(answer: MailAnswer | undefined): MailAnswer {
  switch (answer?.kind) {
    case 'accepted':
    case 'refused':
    case 'try-again':
      return answer;
    default:
      throw new DomainError(
        'wrong-mailer',
        'send must answer with the kind accepted, refused or try-again, and did not.',
      );
  }
}

async function receive(ports: BoundPorts, order: Order): Promise<ReceivedOrder> {
  const { orgId, platform, connectionId } = order;
  const received = {
    ...{ orgId, platform, connectionId, receivedAt: ports.clock.now() },
    ...{ bytes: writeOrder(order), headers: {} },
    content: { kind: 'translated', entries: [{ kind: 'order', order }] },
  } as const;
  const recorded = await recordDeliveries(
    { clock: ports.clock, ids: ports.ids, deliveries: ports.store },
    received,
    'in-request',
  );
  const [delivery] = recorded.kind === 'recorded' ? recorded.deliveries : [];
  if (!delivery)
    throw new DomainError('wrong-store', 'FulfilmentStore.record refused an order that has no proof.');
  const plan = await decide(ports, order, delivery.id);
  return { deliveryId: delivery.id, status: plan?.delivery.status ?? 'pending', plan };
}

/** Null where others are quicker: the order is recorded, and its job decides it. */
async function decide(ports: FulfilOrderPorts, order: Order, id: string): Promise<Plan | null> {
  try {
    return await fulfilOrder(ports, order, { id, attempts: 0 });
  } catch (error) {
    if (error instanceof Error && 'code' in error && LEFT_TO_THE_JOB.includes(error.code)) return null;
    throw error;
  }
}

const LEFT_TO_THE_JOB: readonly unknown[] = ['contended', 'decided-meanwhile', 'store-unavailable'];

/** The bytes that the log keeps of an order that came by no webhook. */
function writeOrder(order: Order): Uint8Array {
  return encodeUtf8(JSON.stringify(order));
}

/** Reads what {@link writeOrder} wrote. */
const ORDER_AS_JSON: OrderReader = {
  read: ({ body }) => (body ? (JSON.parse(decodeUtf8(body.bytes)) as Order) : null),
};
