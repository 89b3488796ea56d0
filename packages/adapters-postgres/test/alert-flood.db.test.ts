import {
  ALERT_DELAY_MS,
  ALERT_WINDOW_MS,
  ALERTS_IN_A_MAIL,
  dueAt,
  fulfilOrder,
  mapSku,
  type OutgoingEmails,
} from '@handover/domain';
import { claimEmail, claimIdOf, makeLine, makeOrder, recordOrder } from '@handover/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { createClaimLeases } from '../src/stores/writes/email/claim-leases.ts';
import { ALERTS_AT_ONCE } from '../src/stores/writes/email/collected-alerts.ts';
import { createPostgresOutgoingEmails } from '../src/stores/writes/email/outgoing-emails.ts';
import { clock, opened, openShopAnew, ports, shop } from './shop-of-the-test.ts';

/** Orders with two alerts each, except for the first: one page ends between the two alerts of an order. */
const DUE = ALERTS_AT_ONCE + 75;
/** Later orders, with one alert each. */
const YOUNG = ALERTS_AT_ONCE + 50;
/** The number of different times among them. */
const MOMENTS = 6;

const orders = Array.from({ length: DUE + YOUNG }, (_, number) => number);
const isYoung = (order: number) => order >= DUE;
const skuOf = (order: number) => (order % 5 === 1 ? 'mapped' : 'unknown');
const isUnknown = (order: number) => skuOf(order) === 'unknown';

openShopAnew(beforeEach);

let former: string;
let flooded: string;
let youngerSince: Date;

beforeEach(async () => {
  former = await fail('former', 'mapped');
  clock.advance(ALERT_DELAY_MS);
  await send(former);
  clock.advance(ALERT_WINDOW_MS);
  flooded = await fail('0', skuOf(0));
  youngerSince = new Date(clock.now().getTime() + MOMENTS);
  await raiseLikewise(flooded);
  await map('mapped');
  clock.advance(ALERT_DELAY_MS + MOMENTS - 1);
});

describe('a flood of alerts', () => {
  it('mails the alerts that are due and still true, drops the others that are untrue, and leaves young ones for the next mail', async () => {
    const told = orders.filter((order) => !isYoung(order) && isUnknown(order));
    const young = orders.filter(isYoung);

    const claimed = await claim(flooded);
    expect(claimed).toMatchObject({ kind: 'claimed', email: mailOf(told) });
    const next = await findCollecting();
    expect(await listAlerts()).toEqual(
      [`former in ${former}`, ...told.map((order) => `${order} in ${flooded}`)]
        .concat(young.map((order) => `${order} in ${next}`))
        .sort(),
    );
    const job = {
      kind: 'send-email',
      emailKind: 'alert',
      orgId: shop.orgId,
      emailId: next,
      startAfter: dueAt(youngerSince),
    };
    expect(await opened.queuedJobs()).toContainEqual(job);

    await complete(flooded, claimIdOf(claimed));
    clock.advance(ALERT_WINDOW_MS);
    expect(await claim(next)).toMatchObject({ kind: 'claimed', email: mailOf(young.filter(isUnknown)) });
  });

  it('is not mailed when the problem is gone', async () => {
    await map('unknown');
    expect(await claim(flooded)).toEqual({ kind: 'not-now', at: dueAt(youngerSince) });
    expect(await listAlerts()).toHaveLength(1 + YOUNG);
    clock.advance(ALERT_DELAY_MS);
    expect(await claim(flooded)).toEqual({ kind: 'not-pending' });
    expect(await listAlerts()).toEqual([`former in ${former}`]);
  });

  it('is never completely in memory', async () => {
    let most = 0;
    const db = opened.database.db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        most = Math.max(most, result.rows.length);
        return result;
      },
    });
    expect(
      await claim(flooded, createPostgresOutgoingEmails(db, opened.queue, createClaimLeases())),
    ).toMatchObject({
      kind: 'claimed',
    });
    expect(most).toBe(ALERTS_AT_ONCE);
  });
});

function claim(mailId: string, outgoingEmails: OutgoingEmails = opened.stores.outgoingEmails) {
  return claimEmail({ outgoingEmails }, shop.orgId, mailId, clock.now());
}

function complete(mailId: string, claimId: string) {
  const sent = { kind: 'sent', at: clock.now(), answer: '250' } as const;
  return opened.stores.outgoingEmails.complete(shop.orgId, mailId, claimId, sent);
}

async function send(mailId: string): Promise<void> {
  await complete(mailId, claimIdOf(await claim(mailId)));
}

function map(sku: string) {
  return mapSku(opened.stores, shop.orgId, { sku, platform: null, productId: shop.product.id });
}

/** What a mail says about these orders: the first ones with their current reasons, and the number of the others. */
function mailOf(told: readonly number[]) {
  const momentOf = (order: number) => (isYoung(order) ? 0 : order % MOMENTS);
  const listed = told
    .toSorted((a, b) => momentOf(a) - momentOf(b) || (`${a}` < `${b}` ? -1 : 1))
    .slice(0, ALERTS_IN_A_MAIL);
  return {
    alerts: listed.map((order) => ({ cause: 'not-delivered', reason: `It failed as ${order}.` })),
    more: told.length - ALERTS_IN_A_MAIL,
  };
}

async function fail(orderId: string, sku: string): Promise<string> {
  const order = makeOrder(shop, { orderId, lines: [makeLine(sku)] });
  const { id } = await recordOrder(ports(), order);
  await fulfilOrder(ports(), order, { id, attempts: 0 });
  return id;
}

/**
 * As if all the other orders had failed as this one did. What is due has another alert, of a receipt that is not refused
 * any more.
 */
async function raiseLikewise(first: string): Promise<void> {
  const { pool } = opened.database;
  const copy = (table: string, from: string, changes: string) =>
    pool.query(
      `insert into ${table}
       select (jsonb_populate_record(row, jsonb_build_object(${changes}))).*
       from ${table} as row, unnest($2::integer[], $3::text[]) as flood (number, sku) ${from}`,
      [first, orders.slice(1), orders.slice(1).map(skuOf)],
    );
  const id = 'md5(number::text)::uuid';
  await copy('deliveries', 'where row.id = $1', `'id', ${id}, 'order_id', number::text`);
  await pool.query(`update deliveries set reason = 'It failed as ' || order_id || '.'`);
  await copy(
    'delivery_lines',
    'where row.delivery_id = $1',
    `'delivery_id', ${id}, 'sku', flood.sku, 'sku_key', flood.sku`,
  );
  await copy(
    'alerts',
    `cross join unnest(array['not-delivered', 'receipt-refused']) as flood_cause
     where row.delivery_id = $1 and (flood_cause = 'not-delivered' or number < ${DUE})`,
    `'about', substring(about from '^.* ') || number, 'cause', flood_cause, 'subject_id', ${id}, 'delivery_id', ${id},
     'at', at + case when number < ${DUE} then number % ${MOMENTS} else ${MOMENTS} end * interval '1 millisecond'`,
  );
}

async function findCollecting(): Promise<string> {
  const { rows } = await opened.database.pool.query(
    `select id from outgoing_emails where subject = 'collecting'`,
  );
  return rows[0]?.id ?? '';
}

async function listAlerts(): Promise<readonly string[]> {
  const { rows } = await opened.database.pool.query<{ alert: string }>(
    `select substring(about from '\\S+$') || ' in ' || mail_id as alert from alerts`,
  );
  return rows.map(({ alert }) => alert).sort();
}
