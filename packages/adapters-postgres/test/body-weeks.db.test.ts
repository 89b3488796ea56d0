import type { DeliveryStatus } from '@handover/domain';
import { removeOldBodies } from '@handover/domain';
import {
  createCountingIds,
  createFakeApiKeys,
  createManualClock,
  openShop,
  type Shop,
} from '@handover/testkit';
import pg from 'pg';
import { beforeEach, expect, inject, it, vi } from 'vitest';
import { LIMITS } from '../src/database/purposes.ts';
import { firstIdAt } from '../src/statements/ids.ts';
import { openTestStores, type TestStores } from '../src/testing/index.ts';
import { countRows } from './count-rows.ts';

const DAY = 24 * 60 * 60 * 1000;
const WEEK = 7 * DAY;
/** A Wednesday. */
const NOW = new Date('2026-11-25T12:00:00Z');
const THIS_WEEK = 'delivery_bodies_20261123';
const BYTES = new TextEncoder().encode('{"order":1}');

let opened: TestStores;
let shop: Shop;
let ids: ReturnType<typeof createCountingIds>;

beforeEach(async () => {
  opened = await openTestStores(inject('postgres'));
  ids = createCountingIds();
  shop = await openShop({
    stores: opened.stores,
    clock: createManualClock(),
    ids,
    apiKeys: createFakeApiKeys(),
  });
  return opened.close;
});

function after(milliseconds: number): Date {
  return new Date(NOW.getTime() + milliseconds);
}

function idAt(at: Date): string {
  return firstIdAt(at).slice(0, 13) + ids.next().slice(13);
}

/** Records a request; its body's id is as given, or of the time at which it comes in. */
async function receive(
  receivedAt: Date,
  { bodyId = idAt(receivedAt), status = 'error' as DeliveryStatus } = {},
) {
  const [id, { orgId, connection }] = [ids.next(), shop];
  await opened.stores.deliveries.record({
    orgId,
    body: { id: bodyId, bytes: BYTES, headers: {} },
    deliveries: [
      {
        ...{ id, orgId, platform: 'storefront-a', connectionId: connection.id, bodyId, orderId: id },
        ...{ orderNumber: null, normalizedEmail: null, receivedAt, status, reason: null, note: null },
      },
    ],
    jobs: [],
    proof: null,
    rejectedId: null,
  });
  return { id, bodyId };
}

function rotate(now: Date, keepMs = 2 * WEEK) {
  return opened.stores.maintenance.rotateBodies(now, new Date(now.getTime() - keepMs));
}

/** As the maintenance does in time, before anything of them comes in. */
async function makeWeeksOf(now: Date): Promise<void> {
  await rotate(now, 100 * WEEK);
}

async function hasBody({ id }: { readonly id: string }): Promise<boolean> {
  const stored = await opened.stores.deliveries.find(shop.orgId, id);
  expect(stored?.body?.bytes ?? BYTES).toEqual(BYTES);
  return (stored?.body ?? null) !== null;
}

async function tableOf({ bodyId }: { readonly bodyId: string }): Promise<string | undefined> {
  const { rows } = await opened.database.pool.query(
    'select tableoid::regclass::text as name from delivery_bodies where org_id = $1 and id = $2',
    [shop.orgId, bodyId],
  );
  return rows[0]?.name;
}

async function setStatus({ id }: { readonly id: string }, status: DeliveryStatus): Promise<void> {
  await opened.database.pool.query('update deliveries set status = $1 where id = $2', [status, id]);
}

it('makes this week and four more, once, and then one each week', async () => {
  expect(await rotate(NOW)).toEqual({ made: 5, dropped: 0 });
  expect(await rotate(NOW)).toEqual({ made: 0, dropped: 0 });
  expect(await rotate(after(4 * DAY))).toEqual({ made: 0, dropped: 0 });
  expect(await rotate(after(5 * DAY))).toEqual({ made: 1, dropped: 0 });
  const [monday, sunday] = [new Date('2026-11-23T00:00:00Z'), new Date('2026-11-29T23:59:59.999Z')];
  for (const at of [monday, NOW, sunday]) expect(await tableOf(await receive(at))).toBe(THIS_WEEK);
  expect(await tableOf(await receive(after(5 * DAY)))).toBe('delivery_bodies_20261130');
});

it('makes each week once when several do it at once', async () => {
  const made = await Promise.all(Array.from({ length: 4 }, () => rotate(NOW)));
  expect(made.reduce((sum, each) => sum + each.made, 0)).toBe(5);
});

it('keeps a body whose id is of no week, and removes it by the time at which it came in', async () => {
  await rotate(NOW);
  const strays = [
    await receive(NOW, { bodyId: idAt(after(-400 * DAY)) }),
    await receive(NOW, { bodyId: idAt(after(400 * DAY)) }),
    await receive(NOW, { bodyId: 'ffffffff-ffff-4fff-bfff-ffffffffffff' }),
  ];
  for (const stray of strays) {
    expect([await hasBody(stray), await tableOf(stray)]).toEqual([true, 'delivery_bodies_default']);
  }
  const remove = (now: Date) =>
    removeOldBodies({ clock: { now: () => now }, maintenance: opened.stores.maintenance }, 14);
  expect(await remove(after(2 * WEEK))).toBe(0);
  expect(await remove(after(2 * WEEK + 1))).toBe(3);
  expect(await hasBody(strays[0] ?? { id: '' })).toBe(false);
});

it('moves the bodies that came before their week was made into it', async () => {
  const early = await receive(NOW);
  const ahead = await receive(NOW, { bodyId: idAt(after(2 * WEEK)) });
  expect((await rotate(NOW)).made).toBe(5);
  expect([await tableOf(early), await hasBody(early)]).toEqual([THIS_WEEK, true]);
  expect([await tableOf(ahead), await hasBody(ahead)]).toEqual(['delivery_bodies_20261207', true]);
});

it('leaves a week out of which too much has come already, and makes the others', async () => {
  await opened.database.pool.query(
    `insert into delivery_bodies (org_id, id, bytes, headers, received_at)
     select $1, (left($2, 24) || 'f' || lpad(to_hex(number), 11, '0'))::uuid, '', '{}', now()
     from generate_series(1, 1001) number`,
    [shop.orgId, idAt(NOW)],
  );
  expect((await rotate(NOW)).made).toBe(4);
  expect(await tableOf(await receive(NOW))).toBe('delivery_bodies_default');
});

it('drops a week that is over as a whole, and keeps what is pending, held, or came in since', async () => {
  await makeWeeksOf(NOW);
  const done = [await receive(NOW), await receive(after(DAY), { status: 'ignored' })];
  const pending = await receive(NOW, { status: 'pending' });
  const held = await receive(after(DAY));
  await setStatus(held, 'held');
  const later = after(4 * WEEK);
  const behind = await receive(after(4 * WEEK - DAY), { bodyId: idAt(NOW) });
  const young = await receive(later);
  // The week ends in the night from Sunday to Monday.
  const end = new Date('2026-11-30T00:00:00Z').getTime();
  expect((await rotate(new Date(end + 2 * WEEK - 1))).dropped).toBe(0);
  expect((await rotate(new Date(end + 2 * WEEK))).dropped).toBe(1);
  expect((await rotate(new Date(end + 2 * WEEK))).dropped).toBe(0);
  const kept = [pending, held, behind, young];
  expect(await Promise.all(done.map(hasBody))).toEqual([false, false]);
  expect(await Promise.all(kept.map(hasBody))).toEqual([true, true, true, true]);
  expect(await tableOf(held)).toBe('delivery_bodies_default');

  await setStatus(held, 'success');
  const clock = { now: () => later };
  expect(await removeOldBodies({ clock, maintenance: opened.stores.maintenance }, 14)).toBe(1);
  expect(await Promise.all(kept.map(hasBody))).toEqual([true, false, true, true]);
});

it('removes the bodies of a week one by one while too much of it is held, and drops it afterwards', async () => {
  await makeWeeksOf(NOW);
  const done = await receive(NOW);
  const held = await receive(NOW);
  await setStatus(held, 'held');
  await opened.database.pool.query(
    `with body as (
       insert into delivery_bodies (org_id, id, bytes, headers, received_at)
       select org_id, (left($2::text, 24) || 'f' || lpad(to_hex(number), 11, '0'))::uuid, bytes, headers, received_at
       from delivery_bodies, generate_series(1, 500) number where id = $2::uuid
       returning *
     )
     insert into deliveries (org_id, id, platform, connection_id, body_id, received_at, status, held_for)
     select body.org_id, body.id, platform, connection_id, body.id, body.received_at, 'held', 'products'
     from body, deliveries where deliveries.id = $1`,
    [held.id, held.bodyId],
  );
  const later = after(3 * WEEK);
  const remove = () =>
    removeOldBodies({ clock: { now: () => later }, maintenance: opened.stores.maintenance }, 14);
  expect((await rotate(later)).dropped).toBe(0);
  expect(await remove()).toBe(1);
  expect([await hasBody(done), await hasBody(held)]).toEqual([false, true]);
  expect(await countRows(opened, 'delivery_bodies')).toBe(501);

  await opened.database.pool.query(`update deliveries set status = 'success' where id <> $1`, [held.id]);
  expect((await rotate(later)).dropped).toBe(1);
  expect([await hasBody(held), await countRows(opened, 'delivery_bodies')]).toEqual([true, 1]);
});

it('removes the bodies of a week one by one while what is held of it is too long to be moved in a moment', async () => {
  await makeWeeksOf(NOW);
  const done = await receive(NOW);
  const held = await receive(NOW);
  await setStatus(held, 'held');
  await opened.database.pool.query(
    `update delivery_bodies set bytes = convert_to(repeat('x', 9000000), 'UTF8') where id = $1`,
    [held.bodyId],
  );
  const later = after(3 * WEEK);
  expect((await rotate(later)).dropped).toBe(0);
  const clock = { now: () => later };
  expect(await removeOldBodies({ clock, maintenance: opened.stores.maintenance }, 14)).toBe(1);
  expect([await hasBody(done), await countRows(opened, 'delivery_bodies')]).toEqual([false, 1]);
});

it('drops weeks that are over though many before them are held', async () => {
  const MANY = 12;
  for (let week = 0; week < MANY; week += 1) {
    await makeWeeksOf(after(week * WEEK));
    const { id, bodyId } = await receive(after(week * WEEK));
    await setStatus({ id }, week === MANY - 1 ? 'success' : 'held');
    await opened.database.pool.query(
      `update delivery_bodies set bytes = convert_to(repeat('x', 9000000), 'UTF8') where id = $1`,
      [bodyId],
    );
  }
  expect((await rotate(after((MANY + 2) * WEEK))).dropped).toBe(1);
});

it('answers webhooks while a reader keeps a week from being dropped, and drops it once that is gone', async () => {
  await makeWeeksOf(NOW);
  const old = await receive(NOW);
  const later = after(3 * WEEK);
  await makeWeeksOf(later);
  const stopReading = await readBodies();
  try {
    let isDropping = true;
    const begunAt = performance.now();
    const dropping = rotate(later).finally(() => {
      isDropping = false;
    });
    let answered = 0;
    // Each waits behind the drop at most until that gives up.
    while (isDropping) {
      expect(await hasBody(await receive(later))).toBe(true);
      answered += 1;
    }
    expect((await dropping).dropped).toBe(0);
    // It takes a quarter of a second, so that no webhook behind it runs into its time limit.
    expect(performance.now() - begunAt).toBeLessThan(LIMITS.accepting.lockMs);
    expect(answered).toBeGreaterThan(0);
    expect(await hasBody(old)).toBe(true);
  } finally {
    stopReading();
  }
  await expect.poll(() => rotate(later)).toEqual({ made: 0, dropped: 1 });
  expect(await hasBody(old)).toBe(false);
});

/** Reads all bodies in a transaction, as a dump does, until told to stop. */
async function readBodies(): Promise<() => void> {
  const reader = await opened.database.pool.connect();
  await reader.query('begin');
  await reader.query('select count(*) from delivery_bodies');
  return () => reader.release(true);
}

it('records every webhook that comes while weeks are dropped', async () => {
  for (let week = 0; week < 8; week += 1) {
    await makeWeeksOf(after(week * WEEK));
    await receive(after(week * WEEK));
  }
  const later = after(8 * WEEK);
  let isDropping = true;
  const dropping = rotate(later, WEEK).finally(() => {
    isDropping = false;
  });
  const send = async () => {
    const sent: { readonly id: string }[] = [];
    while (isDropping) sent.push(await receive(later));
    return sent;
  };
  const sent = (await Promise.all([send(), send(), send()])).flat();
  const { dropped } = await dropping;
  // A partition that was locked is dropped in the next run.
  expect(dropped + (await rotate(later, WEEK)).dropped).toBe(7);
  expect(sent.length).toBeGreaterThan(0);
  expect(await Promise.all(sent.map(hasBody))).toEqual(sent.map(() => true));
});

it('reads the body of a stored delivery from one partition', async () => {
  await makeWeeksOf(NOW);
  const { id } = await receive(NOW);
  await receive(NOW, { bodyId: idAt(after(400 * DAY)) });
  const asked = vi.spyOn(pg.Client.prototype, 'query');
  await hasBody({ id });
  const [statement] = asked.mock.calls.at(-1) ?? [];
  asked.mockRestore();
  const { text, values } = statement as unknown as { readonly text: string; readonly values: unknown[] };
  const { rows } = await opened.database.pool.query(`explain (analyze, format json) ${text}`, values);
  const scanned = listScans(rows[0]['QUERY PLAN'][0].Plan).filter((name) =>
    name.startsWith('delivery_bodies'),
  );
  expect(scanned).toEqual([THIS_WEEK]);
});

interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Actual Loops': number;
  readonly Plans?: readonly PlanNode[];
}

/** The tables that were really looked at. */
function listScans(node: PlanNode): readonly string[] {
  const own = node['Relation Name'] && node['Actual Loops'] > 0 ? [node['Relation Name']] : [];
  return [...own, ...(node.Plans ?? []).flatMap(listScans)];
}
