import { setTimeout as pause } from 'node:timers/promises';
import type { BenchOrder } from './make-orders.ts';
import { openConnection, type RawConnection } from './raw-connection.ts';

export const CONNECTIONS = 64;

export interface Sent {
  /** Answered 2xx. */
  readonly accepted: number;
  /** How often a request was answered otherwise, by status; 0: not answered. */
  readonly failures: ReadonlyMap<number, number>;
  /** From the first request to the last answer. */
  readonly seconds: number;
}

/**
 * Sends them over 64 connections, each as soon as one is free, for this many seconds or until there are none left.
 * `onAccepted` is called for each accepted request.
 */
export async function sendAtOnce(
  url: string,
  requests: Iterable<Buffer>,
  forSeconds: number = Number.POSITIVE_INFINITY,
  onAccepted: (at: number) => void = () => {},
): Promise<Sent> {
  const waiting = requests[Symbol.iterator]();
  const failures = new Map<number, number>();
  let accepted = 0;
  let taken = 0;
  const began = performance.now();
  await onConnections(url, async (connection) => {
    while (performance.now() - began < forSeconds * 1000) {
      const next = waiting.next();
      if (next.done) return;
      const at = taken;
      taken += 1;
      const { status } = await connection.exchange(next.value);
      if (isAccepted(status)) {
        accepted += 1;
        onAccepted(at);
      } else failures.set(status, (failures.get(status) ?? 0) + 1);
    }
  });
  return { accepted, failures, seconds: (performance.now() - began) / 1000 };
}

export interface SentOnSchedule extends Sent {
  /** In milliseconds, from due time to answer, ascending. Refused requests count as infinite. */
  readonly latencies: readonly number[];
}

/**
 * Sends each when it is due, whether or not earlier ones were answered: shops do not wait for one another. `onDue` is
 * called for each, and ends the sending by returning false.
 */
export async function sendOnSchedule(
  url: string,
  requests: Iterable<Buffer>,
  perSecond: number,
  onDue: (at: number) => boolean = () => true,
): Promise<SentOnSchedule> {
  const idle: RawConnection[] = [];
  const opened: RawConnection[] = [];
  const failures = new Map<number, number>();
  const latencies: number[] = [];
  const sending = new Set<Promise<void>>();
  const began = performance.now();

  const send = async (request: Buffer, due: number): Promise<void> => {
    const connection = idle.pop() ?? openConnection(url);
    if (!opened.includes(connection)) opened.push(connection);
    const { status } = await connection.exchange(request);
    idle.push(connection);
    if (!isAccepted(status)) failures.set(status, (failures.get(status) ?? 0) + 1);
    latencies.push(isAccepted(status) ? performance.now() - due : Number.POSITIVE_INFINITY);
  };

  let at = 0;
  for (const request of requests) {
    const due = began + (at * 1000) / perSecond;
    while (performance.now() < due) await pause(Math.max(1, due - performance.now()));
    if (!onDue(at)) break;
    at += 1;
    const run: Promise<void> = send(request, due).finally(() => sending.delete(run));
    sending.add(run);
  }
  await Promise.all(sending);
  for (const connection of opened) connection.close();
  latencies.sort((a, b) => a - b);
  const accepted = latencies.filter(Number.isFinite).length;
  return { accepted, failures, latencies, seconds: (performance.now() - began) / 1000 };
}

/** The value that this share of them does not exceed. */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

export interface Retried {
  /** The buyers whose orders were accepted. */
  readonly accepted: readonly string[];
  /** Not accepted at the last try. */
  readonly refused: number;
  readonly retries: number;
  readonly seconds: number;
}

const MAX_TRIES = 12;
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 15_000;

/** Like shops: a refused request is sent again, after the time that the server asks for, or after growing pauses. */
export async function sendWithRetries(
  url: string,
  orders: Iterable<BenchOrder>,
  forSeconds: number = Number.POSITIVE_INFINITY,
): Promise<Retried> {
  const fresh = orders[Symbol.iterator]();
  /** Refused before, and due again. */
  const due: { readonly order: BenchOrder; readonly tries: number }[] = [];
  const accepted: string[] = [];
  const counts = { refused: 0, retries: 0 };
  const began = performance.now();
  let last = began;
  /** In flight, or waiting for a retry. */
  let open = 0;

  const take = () => {
    const again = due.pop();
    if (again || performance.now() - began > forSeconds * 1000) return again;
    const next = fresh.next();
    if (next.done) return undefined;
    open += 1;
    return { order: next.value, tries: 0 };
  };
  await onConnections(url, async (connection) => {
    for (;;) {
      const one = take();
      if (!one) {
        if (open === 0) return;
        await pause(20);
        continue;
      }
      const { status, retryAfterMs } = await connection.exchange(one.order.makeRequest());
      last = performance.now();
      if (isAccepted(status)) accepted.push(one.order.email);
      else if (one.tries + 1 === MAX_TRIES) counts.refused += 1;
      else {
        counts.retries += 1;
        const wait = retryAfterMs ?? Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** one.tries);
        setTimeout(() => due.push({ order: one.order, tries: one.tries + 1 }), wait);
        continue;
      }
      open -= 1;
    }
  });
  return { accepted, ...counts, seconds: (last - began) / 1000 };
}

async function onConnections(url: string, work: (connection: RawConnection) => Promise<void>): Promise<void> {
  const connections = Array.from({ length: CONNECTIONS }, () => openConnection(url));
  await Promise.all(connections.map(work));
  for (const connection of connections) connection.close();
}

function isAccepted(status: number): boolean {
  return status >= 200 && status < 300;
}
