import type { Job, Stores } from '@handover/domain';
import { claimEmail } from '@handover/testkit';
import { expect, inject, vi } from 'vitest';
import {
  createJobQueue,
  createPostgresStores,
  type Database,
  type JobQueue,
  openDatabase,
} from '../src/index.ts';
import { openTestStores, type TestStores } from '../src/testing/index.ts';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';

/** A test lasts long enough to close half-open connections, and not long enough to close slow ones. */
export const limits = {
  maxConnections: 10,
  waitMs: 10_000,
  statementMs: 9_000,
  lockMs: 9_000,
  keepsPlans: true,
  isDurable: true,
};

export const ORG = '00000000-0000-7000-8000-000000000001';

export const log = { warn: () => undefined, error: () => undefined };

export const secretBox = {
  seal: (plain: string) => plain,
  unseal: (sealed: string) => sealed,
  holds: () => false,
};

/** Set while a test runs, by `openWire`. */
export let direct: TestStores;

export let wire: TcpProxy;

export let database: Database;

export let queue: JobQueue;

export let stores: Stores;

export const unhandled = vi.fn();

/** Everything goes over a wire that a test can cut; `direct` does not. */
export async function openWire(): Promise<void> {
  process.on('unhandledRejection', unhandled);
  direct = await openTestStores(inject('postgres'));
  wire = await startTcpProxy(direct.url);
  database = openDatabase({ url: wire.url, limits, log });
  queue = createJobQueue({ url: wire.url, log });
  stores = createPostgresStores({ database, jobs: queue, secretBox });
}

export async function closeWire(): Promise<void> {
  await wire.restore();
  await queue.stop({ withinMs: 1000 });
  await database.close();
  await wire.close();
  await direct.close();
  process.off('unhandledRejection', unhandled);
  expect(unhandled).not.toHaveBeenCalled();
}

/** One call of every kind of statement. */
export function questions(all: Stores): ReadonlyArray<() => Promise<unknown>> {
  const now = new Date();
  const job: Job = { kind: 'fulfil-delivery', orgId: ORG, deliveryId: ORG, attempts: 0, startAfter: now };
  const body = { id: ORG, bytes: new Uint8Array(), headers: {} };
  return [
    () => all.organisations.find(ORG),
    () => all.users.findByKeyHash('0'.repeat(64)),
    () => all.connections.list(ORG, 'cart-a', now),
    () => all.products.find(ORG, ORG),
    () => all.products.list(ORG)[Symbol.asyncIterator]().next(),
    () => all.purchases.list(ORG)[Symbol.asyncIterator]().next(),
    () => all.skuMappings.put(ORG, { sku: 'x', platform: null, productId: null }),
    () =>
      all.deliveries.record({ orgId: ORG, body, deliveries: [], jobs: [job], proof: null, rejectedId: null }),
    () => all.deliveries.find(ORG, ORG),
    () => claimEmail(all, ORG, ORG, now),
    () => all.links.find(ORG, ORG),
    () => all.links.refresh(ORG, ORG, now, now),
    () => all.organisations.setSubscription(ORG, null, now),
    () => all.users.replaceKey(ORG, { hash: '0'.repeat(64), sealed: '' }),
    () => all.skuMappings.list(ORG)[Symbol.asyncIterator]().next(),
    () => all.skuMappings.remove(ORG, 'x', null),
    () => all.deliveries.list(ORG, { status: null, platform: null, before: null, limit: 1 }),
    () => all.deliveries.show(ORG, ORG),
    () => all.sessions.begin(ORG, ORG, { sessionId: ORG, joining: null, client: 'browser', at: now }),
    () => all.sessions.addSent(ORG, ORG, { version: '1', name: 'a', size: 1, ranges: [] }, now),
    () => all.sessions.latest(ORG, ORG),
    () => all.sessions.show(ORG, ORG),
    () => all.sessions.search(ORG, { text: 'x', state: null, now, before: null, limit: 1 }),
    () => all.sessions.list(ORG, { from: now, until: now })[Symbol.asyncIterator]().next(),
  ];
}

export function receiptJob(receiptId: string): Job {
  return { kind: 'send-email', emailKind: 'receipt', orgId: ORG, emailId: receiptId, startAfter: new Date() };
}

export function enqueue(job: Job): Promise<void> {
  return direct.database.db.transaction().execute((trx) => direct.queue.enqueue(trx, [job]));
}

export async function terminateAll(): Promise<void> {
  await direct.database.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()`,
  );
}
