import { removeOldBodies } from '@handover/domain';
import { beforeEach, expect, it } from 'vitest';
import { watchStatements } from './watch-statements.ts';
import {
  after,
  DAY,
  hasBody,
  idAt,
  makeWeeksOf,
  NOW,
  opened,
  openWeeks,
  receive,
  rotate,
  shop,
  THIS_WEEK,
  tableOf,
  WEEK,
} from './weeks-of-the-test.ts';

beforeEach(openWeeks);

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

it('moves bodies that arrived before their week was made', async () => {
  const early = await receive(NOW);
  const ahead = await receive(NOW, { bodyId: idAt(after(2 * WEEK)) });
  expect((await rotate(NOW)).made).toBe(5);
  expect([await tableOf(early), await hasBody(early)]).toEqual([THIS_WEEK, true]);
  expect([await tableOf(ahead), await hasBody(ahead)]).toEqual(['delivery_bodies_20261207', true]);
});

it('skips a week with too many bodies already, and makes the others', async () => {
  await opened.database.pool.query(
    `insert into delivery_bodies (org_id, id, bytes, headers, received_at)
     select $1, (left($2, 24) || 'f' || lpad(to_hex(number), 11, '0'))::uuid, '', '{}', now()
     from generate_series(1, 1001) number`,
    [shop.orgId, idAt(NOW)],
  );
  expect((await rotate(NOW)).made).toBe(4);
  expect(await tableOf(await receive(NOW))).toBe('delivery_bodies_default');
});

it('reads the body of a stored delivery from one partition', async () => {
  await makeWeeksOf(NOW);
  const { id } = await receive(NOW);
  await receive(NOW, { bodyId: idAt(after(400 * DAY)) });
  const { statements } = await watchStatements(opened, () => hasBody({ id }));
  const { text = '', values } = statements.at(-1) ?? {};
  const { rows } = await opened.database.pool.query(`explain (analyze, format json) ${text}`, values);
  const scanned = listScans(rows[0]['QUERY PLAN'][0].Plan).filter((name) =>
    name.startsWith('delivery_bodies'),
  );
  expect(scanned).toEqual([THIS_WEEK]);
});

it('looks up for each old body whether it is needed, and compares it with no entry but its own', async () => {
  const { statements } = await watchStatements(opened, () =>
    removeOldBodies({ clock: { now: () => NOW }, maintenance: opened.stores.maintenance }, 14),
  );
  const pruning = statements.filter(({ text }) => text.includes('delete from "delivery_bodies_default"'));
  expect(pruning.length).toBeGreaterThan(0);
  for (const { text, values } of pruning) {
    const { rows } = await opened.database.pool.query(`explain (costs off) ${text}`, values);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('deliveries_needing_body');
    expect(plan).not.toContain('Anti Join');
  }
});

interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Actual Loops': number;
  readonly Plans?: readonly PlanNode[];
}

/** The tables that were really read. */
function listScans(node: PlanNode): readonly string[] {
  const own = node['Relation Name'] && node['Actual Loops'] > 0 ? [node['Relation Name']] : [];
  return [...own, ...(node.Plans ?? []).flatMap(listScans)];
}
