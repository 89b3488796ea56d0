import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  mapSku,
  publishAndDeliver,
  type Release,
  releaseEntries,
  releaseUnmatched,
  setSubscription,
  updateProduct,
} from '@handover/domain';
import { openShop } from '@handover/testkit';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { WAIT_TIMEOUT_MS } from '../../../test/wait-timeout.ts';
import { createJobQueue, type JobHandlers, type JobQueue } from '../src/index.ts';
import { LANE_SIZES } from '../src/jobs/job-outbox.ts';
import { IDLE_HANDLERS } from '../src/testing/index.ts';
import { count, ids, opened, openShopAnew, shop, ports as shopPorts } from './shop-of-the-test.ts';
import { type Statement, watchStatements } from './watch-statements.ts';

openShopAnew(beforeEach);

const HELD = 3_000;
const PAGE = 500;
const clock = { now: () => new Date() };
const ports = () => ({ ...shopPorts(), clock });
const log = { warn: () => undefined, error: () => undefined };
const queues: JobQueue[] = [];
const children: ChildProcess[] = [];

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await Promise.all(queues.splice(0).map((queue) => queue.stop()));
});

it('is written down without a look at an entry once the catalogue is locked, or a lock that entries hold', async () => {
  await lockEntries();
  const { id: productId } = shop.product;
  await updateProduct(ports(), shop.orgId, productId, { status: 'draft' });
  const other = await opened.database.pool.connect();
  try {
    await other.query('begin; lock table deliveries, delivery_lines in exclusive mode');
    const { result: published, statements } = await watchStatements(opened, async () => {
      const outcome = await opened.stores.inTransaction((within) =>
        publishAndDeliver({ ...ports(), ...within }, shop.orgId, productId),
      );
      await opened.stores.inTransaction(async (within) => {
        await mapSku(within, shop.orgId, { sku: 'unknown', platform: null, productId });
        await releaseUnmatched({ ...ports(), ...within }, shop.orgId, 'unknown', null);
      });
      expect(await setSubscription(ports(), shop.orgId, null)).toEqual({ kind: 'set', released: HELD });
      return outcome;
    });
    expect(published).toMatchObject({ kind: 'published', orders: HELD });
    expect(listLocking(statements)).toHaveLength(3);
    for (const statement of listLocking(statements)) expect(statement).not.toMatch(/deliver(ies|y_lines)/);
  } finally {
    await other.query('rollback');
    other.release();
  }
  expect(await opened.queuedJobs()).toHaveLength(3);
  expect(await count('releases')).toBe(3);
});

it.each(['draft', 'published'] as const)(
  'is new for one of the calls that deliver a %s at once',
  async (status) => {
    await lockEntries();
    const { id: productId } = shop.product;
    await updateProduct(ports(), shop.orgId, productId, { status });
    const deliver = () =>
      opened.stores.inTransaction((within) =>
        publishAndDeliver({ ...ports(), ...within }, shop.orgId, productId),
      );
    const results = await Promise.all([1, 2, 3, 4].map(deliver));
    expect(results.filter((result) => result.kind === 'published' && result.isNew)).toHaveLength(1);
  },
);

it('lets the order of another organisation through at once, and keeps the queue short', async () => {
  await lockEntries();
  const other = await openShop(ports(), 'Other');
  await opened.stores.openDeliveries.release(shop.orgId, product(), clock.now());
  const gate = Promise.withResolvers<void>();
  const [done, lengths]: [string[], number[]] = [[], []];
  await startWorking({
    'release-entries': async (job) => {
      lengths.push(await count(`jobs where kind = 'fulfil-delivery'`));
      return releaseEntries(ports(), job);
    },
    'fulfil-delivery': async ({ attempts, deliveryId }) => {
      done.push(deliveryId);
      if (attempts > 0) await gate.promise;
      return 'done';
    },
  });
  await vi.waitFor(() => expect(done).toHaveLength(LANE_SIZES.reruns), WAIT_TIMEOUT_MS);
  expect(await count(`jobs where kind = 'fulfil-delivery'`)).toBe(PAGE);
  const deliveryId = ids.next();
  const job = {
    kind: 'fulfil-delivery',
    orgId: other.orgId,
    deliveryId,
    attempts: 0,
    startAfter: clock.now(),
  };
  await opened.database.db
    .transaction()
    .execute((trx) => opened.queue.enqueue(trx, [{ ...job, kind: 'fulfil-delivery' }]));
  await vi.waitFor(() => expect(done).toContain(deliveryId), WAIT_TIMEOUT_MS);
  expect(done).toHaveLength(LANE_SIZES.reruns + 1);
  gate.resolve();
  await vi.waitFor(async () => expect(await count('jobs')).toBe(0), { timeout: 60_000, interval: 100 });
  expect([done.length, new Set(done).size, await count('releases')]).toEqual([HELD + 1, HELD + 1, 0]);
  // The next page follows after all jobs of the previous one were taken.
  expect(Math.max(...lengths)).toBeLessThanOrEqual(LANE_SIZES.reruns);
  expect(lengths).toHaveLength(HELD / PAGE + 2);
});

it('goes on where a process was killed between two pages, leaves out none and repeats none', async () => {
  await lockEntries();
  await opened.stores.openDeliveries.release(shop.orgId, product(), clock.now());
  const killed = spawnReleaser();
  await once(killed.stdout ?? killed, 'data');
  killed.kill('SIGKILL');
  expect(await count(`jobs where kind = 'fulfil-delivery'`)).toBe(PAGE);
  await opened.database.pool.query('update jobs set lease_until = now() where lease_until is not null');
  let pages = 0;
  const done: string[] = [];
  await startWorking({
    'release-entries': async (job) => {
      pages += 1;
      return releaseEntries(ports(), job);
    },
    'fulfil-delivery': async ({ deliveryId }) => {
      done.push(deliveryId);
      return 'done';
    },
  });
  await vi.waitFor(async () => expect(await count('jobs')).toBe(0), { timeout: 60_000, interval: 100 });
  expect([done.length, new Set(done).size, pages]).toEqual([HELD, HELD, HELD / PAGE + 1]);
});

it('that several processes go on with at once, while it is written down again, queues each entry', async () => {
  await lockEntries();
  const release = product();
  await opened.stores.openDeliveries.release(shop.orgId, release, clock.now());
  const go = async () => {
    while ((await releaseEntries(ports(), { orgId: shop.orgId, release })) !== 'done');
  };
  await Promise.all([
    go(),
    go(),
    opened.stores.openDeliveries.release(shop.orgId, release, clock.now()),
    go(),
  ]);
  await go();
  expect(await count(`jobs where kind = 'fulfil-delivery' and attempts = 1`)).toBe(HELD);
  expect(await count('releases')).toBe(0);
});

it('names the organisation for each table in every statement', async () => {
  await lockEntries();
  const { statements } = await watchStatements(opened, async () => {
    for (const release of [product(), SKU, SUBSCRIPTION]) {
      await opened.stores.openDeliveries.release(shop.orgId, release, clock.now());
      await opened.stores.openDeliveries.isReleasing(shop.orgId, release);
      while ((await releaseEntries(ports(), { orgId: shop.orgId, release })) !== 'done');
    }
    await opened.stores.openDeliveries.countWithSku(shop.orgId, 'unknown', 'cart-a');
    await setSubscription(ports(), shop.orgId, null);
  });
  const ofTenants = statements
    .filter(({ text }) => !/into jobs|organisations/.test(text))
    .map(({ text }) => ({
      tables: text.match(/\b(from|join|update|into) (deliver\w+|releases|catalogues)\b/g)?.length ?? 0,
      named: text.match(/org_id = \$\d|\(org_id, release\) values \(\$1/g)?.length ?? 0,
    }))
    .filter(({ tables }) => tables > 0);
  expect(ofTenants.length).toBeGreaterThan(30);
  for (const { tables, named } of ofTenants) expect(named).toBe(tables);
});

const SKU: Release = { kind: 'sku', sku: 'unknown', platform: null };
const SUBSCRIPTION: Release = { kind: 'subscription' };

function product(): Release {
  return { kind: 'product', productId: shop.product.id };
}

/** The same number of entries that wait for the product, for the subscription, and for a SKU. */
async function lockEntries(): Promise<void> {
  const body = { id: ids.next(), bytes: new Uint8Array(), headers: {} };
  const nothing = { deliveries: [], jobs: [], proof: null, rejectedId: null };
  await opened.stores.deliveries.record({ orgId: shop.orgId, body, ...nothing });
  await opened.database.pool.query(
    `with entries as (
       insert into deliveries
         (org_id, id, platform, connection_id, body_id, order_id, received_at, status, held_for, attempts)
       select $1, gen_random_uuid(), 'cart-a', $2, $3, number || held_for, now(), 'held', held_for, 1
       from generate_series(1, ${HELD}) number, unnest(array['products', 'subscription']) held_for
       returning org_id, id, held_for, platform
     )
     insert into delivery_lines (org_id, delivery_id, position, sku, outcome, product_id, candidate, sku_key, platform)
     select org_id, id, 0, 'PADS', 'held', $4::uuid, 'sku', null, null from entries where held_for = 'products'
     union all
     select org_id, id, 1, 'unknown', 'unmatched', null, 'sku', 'unknown', platform from entries
     where held_for = 'products'`,
    [shop.orgId, shop.connection.id, body.id, shop.product.id],
  );
  await opened.database.pool.query('analyze deliveries, delivery_lines');
}

async function startWorking(handlers: Partial<JobHandlers>): Promise<void> {
  const queue = createJobQueue({ url: opened.url, log, clock });
  queues.push(queue);
  await queue.start({ ...IDLE_HANDLERS, ...handlers });
}

/** A process that queues one page of a release, says so, and never notes it. */
function spawnReleaser(): ChildProcess {
  const program = `
    import { releaseEntries } from ${JSON.stringify(import.meta.resolve('@handover/domain'))};
    import * as postgres from ${JSON.stringify(new URL('../src/index.ts', import.meta.url).href)};
    const url = process.argv[1];
    const database = postgres.openDatabase({ url, log: console });
    const queue = postgres.createJobQueue({ url, log: console });
    const secretBox = { seal: (plain) => plain, unseal: (sealed) => sealed, holds: () => false };
    const { openDeliveries } = postgres.createPostgresStores({ database, jobs: queue, secretBox });
    await queue.start({
      'release-entries': async (job) => {
        await releaseEntries({ clock: { now: () => new Date() }, openDeliveries }, job);
        console.log('queued');
        return new Promise(() => {});
      },
    });
  `;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program, opened.url], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  return child;
}

/** The statements of each transaction after it locked a catalogue, as one text. */
function listLocking(statements: readonly Statement[]): readonly string[] {
  const texts = statements.map(({ text }) => text);
  const transactions = texts.join(';\n').split(/(?=begin)/);
  return transactions.flatMap((text) => {
    const at = text.indexOf('update catalogues');
    return at < 0 ? [] : [text.slice(at)];
  });
}
