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

/** The options of `createFulfilment`. Only the store and the mailer are required. */
export interface FulfilmentOptions {
  readonly store: FulfilmentStore;
  readonly mailer: ReceiptMailer;
  /** Default: the clock of the machine. */
  readonly clock?: Clock;
  /** Default: UUIDv7. */
  readonly ids?: Ids;
  /** The vendors' names for the activity log. Default: those of the built-in platforms. */
  readonly platforms?: Pick<Platforms, 'vendorOf'>;
  /**
   * Makes the URLs in receipts. By default they are signed with a secret that ends with the process: pass
   * `createHmacTokens({ siteUrl, secret })` if receipts go to buyers.
   */
  readonly tokens?: LinkAddresses;
}

/**
 * Mails receipts. A rejected promise counts as `try-again`, and `runDue` returns its error among the failures. Reject only if the
 * mail server has not accepted the receipt, or the buyer gets it twice. Answer well within a minute: after that, another process
 * sends the same receipt.
 */
export interface ReceiptMailer {
  send(receipt: ReceiptMail): Promise<MailAnswer>;
}

/** Orders in, receipts out. */
export interface OrderFulfilment {
  /**
   * Records the order, and decides it. Once this resolves, it is durable. Call it as often as the shop sends the order: each
   * product is sold once. A job mails the receipt.
   */
  receive(order: Order): Promise<ReceivedOrder>;
  /** Runs one job. `again`: when it must run again. Rejects if the store does. */
  runJob(job: FulfilmentJob): Promise<'done' | { readonly again: Date }>;
  /**
   * Runs due jobs one after the other, until none is due or the time is `until`. Call it in a loop, from a cron job or a
   * serverless timer, in as many processes as you like. A failed job is due again a minute later.
   */
  runDue(options: { readonly until: Date }): Promise<DueRun>;
}

/** The result of receiving an order. */
export interface ReceivedOrder {
  /** The entry of the log. */
  readonly deliveryId: string;
  /** `pending` until its receipt is sent. */
  readonly status: DeliveryStatus;
  /** The committed decision; null if concurrent changes prevented it, and the job of the order decides it. */
  readonly plan: Plan | null;
}

/** The number of jobs that ran, and the errors of those that failed. */
export interface DueRun {
  readonly jobs: number;
  readonly failures: readonly unknown[];
}

/** Longer than any job takes. */
const LEASE_MS = 60_000;
const PAUSE_MS = 60_000;
/** A job that must run again at once runs after the others. */
const SOON_MS = 1000;

/** Creates fulfilment with your own store and mailer, by the rules of the service. */
export function createFulfilment(options: FulfilmentOptions): OrderFulfilment {
  const ports = bindPorts(options);
  const { clock, store } = ports;
  const afterNow = (milliseconds: number) => new Date(clock.now().getTime() + milliseconds);

  const runJob = async (job: FulfilmentJob, onMailerError: (error: unknown) => void = () => undefined) => {
    const mailer = mailReceipts(options.mailer, clock, onMailerError);
    const answer = await runFulfilmentJob({ ...ports, mailer }, job);
    return answer === 'later' ? { again: afterNow(PAUSE_MS) } : answer;
  };
  return {
    receive: (order) => receive(ports, order),
    // Only `runDue` returns the errors of the mailer.
    runJob: (job) => runJob(job),
    runDue: async ({ until }) => {
      const failures: unknown[] = [];
      let jobs = 0;
      for (let now = clock.now(); now < until; now = clock.now()) {
        const leased = await store.takeJob(now, afterNow(LEASE_MS));
        if (!leased) break;
        jobs += 1;
        try {
          const answer = await runJob(leased.job, (error) => failures.push(error));
          await store.endJob(leased, answer === 'done' ? null : latest(answer.again, afterNow(SOON_MS)));
        } catch (error) {
          failures.push(error);
          // If the store is unavailable, the job is leased again when this lease expires.
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

type BoundPorts = FulfilOrderPorts & Omit<FulfilmentJobPorts, 'mailer'> & { readonly store: FulfilmentStore };

function bindPorts({
  store,
  clock = createSystemClock(),
  ids,
  platforms,
  tokens,
}: FulfilmentOptions): BoundPorts {
  return {
    store,
    clock,
    ids: ids ?? createUuids(clock),
    fulfilment: store,
    platforms,
    outgoingEmails: store,
    deliveries: {
      find: (orgId, deliveryId) => store.find(orgId, deliveryId),
      // Orders are stored as JSON of the domain's type, so every stored order can be read.
      explainPending: async () => undefined,
      show: async () => null,
    },
    orders: ORDER_AS_JSON,
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

function mailReceipts(mailer: ReceiptMailer, clock: Clock, onError: (error: unknown) => void): LimitedMailer {
  return {
    send: async (mail, { askedAt }) => {
      if (mail.kind !== 'receipt') return ONLY_RECEIPTS.url();
      if (!maySend(askedAt, clock.now())) return { kind: 'claim-expired' };
      try {
        return readAnswer(await mailer.send(mail));
      } catch (error) {
        onError(error);
        // As an answer it is retried with growing pauses, and given up in the end.
        const words = error instanceof Error ? error.message : String(error);
        return { kind: 'try-again', answer: `The mailer failed: ${words}` };
      }
    },
  };
}

/**
 * A mailer in JavaScript can return anything. An unknown answer must be an error, or its receipt would be sent every minute
 * forever.
 */
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

/** Null if the order could not be decided now: its job decides it later. */
async function decide(ports: FulfilOrderPorts, order: Order, id: string): Promise<Plan | null> {
  try {
    return await fulfilOrder(ports, order, { id, attempts: 0 });
  } catch (error) {
    if (error instanceof Error && 'code' in error && LEFT_TO_THE_JOB.includes(error.code)) return null;
    throw error;
  }
}

const LEFT_TO_THE_JOB: readonly unknown[] = ['contended', 'decided-meanwhile', 'store-unavailable'];

/** The body that the log stores for an order without a webhook. */
function writeOrder(order: Order): Uint8Array {
  return encodeUtf8(JSON.stringify(order));
}

/** Reads what {@link writeOrder} wrote. */
const ORDER_AS_JSON: OrderReader = {
  read: ({ body }) => (body ? (JSON.parse(decodeUtf8(body.bytes)) as Order) : null),
};
