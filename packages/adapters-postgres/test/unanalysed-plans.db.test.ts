import { type ActivityEntry, ALL_PURCHASES, readSearch } from '@handover/domain';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../src/database/connect-database.ts';
import { LIMITS } from '../src/database/purposes.ts';
import { createPostgresStores } from '../src/index.ts';
import { clock, opened, openShopAnew, shop } from './shop-of-the-test.ts';
import { watchStatements } from './watch-statements.ts';

/**
 * After a flood or an import, PostgreSQL has no statistics for a minute, and takes thousands of rows for one. A join may then
 * compare each of them with all others: no statement may rest on its estimates.
 */
const ROWS = 4_000;
/** Reading each row a few times is fine; comparing each with all others are 16 million. */
const MAX_READ = 50 * ROWS;

const secretBox = { seal: (plain: string) => plain, unseal: (sealed: string) => sealed, holds: () => false };
const log = { warn: () => undefined, error: () => undefined };

openShopAnew(beforeAll);
beforeAll(fillUnanalysed);

describe.each(['pages', 'deciding'] as const)('on the connections for %s, without statistics', (purpose) => {
  const open = () => {
    const limits = { ...LIMITS[purpose], statementMs: 120_000, maxConnections: 1 };
    const database = openDatabase({ url: opened.url, log, limits });
    onTestFinished(() => database.close());
    return { database, stores: createPostgresStores({ database, jobs: opened.queue, secretBox }) };
  };
  type Stores = ReturnType<typeof open>['stores'];

  it.each<readonly [string, (stores: Stores) => Promise<unknown>]>([
    ['what needs people', ({ actionItems }) => actionItems.read(shop.orgId, new Date())],
    ['the number of unmatched SKUs', ({ openDeliveries }) => openDeliveries.countUnmatched(shop.orgId)],
    [
      'the list of unmatched SKUs',
      ({ openDeliveries }) => openDeliveries.listUnmatched(shop.orgId, { after: null, limit: 50 }),
    ],
    [
      'the entries with a SKU',
      ({ openDeliveries }) => openDeliveries.countWithSku(shop.orgId, 'one', 'storefront-a'),
    ],
    [
      'the orders that failed, by the start of an address',
      ({ search }) => {
        const query = { terms: readSearch('nobody'), includesSales: true, limit: 5 };
        return search.find(shop.orgId, query);
      },
    ],
    ['purchases with a refund', ({ purchases }) => purchases.search(shop.orgId, { ...REFUNDED, limit: 50 })],
    [
      'the number of purchases with a refund',
      ({ purchases }) => purchases.countMatching(shop.orgId, REFUNDED, ROWS),
    ],
    [
      'the sum of the purchases with a refund of some days',
      ({ purchases }) => {
        const period = { from: new Date(0), until: new Date('2100-01-01') };
        return purchases.sum(shop.orgId, { ...REFUNDED, period });
      },
    ],
    ['the mailings of many purchases', ({ mailings }) => mailings.findAll(shop.orgId, idsOf(PURCHASE, 500))],
    [
      'the entries that are to run again',
      ({ openDeliveries }) => {
        const seen = idsOf(FAILED, 500).map((deliveryId) => ({ deliveryId, attempts: 1 }));
        return openDeliveries.rerunAll(
          shop.orgId,
          seen,
          seen.slice(0, 1).map(({ deliveryId }) => rerun(deliveryId)),
        );
      },
    ],
  ])('reads %s without comparing each row with all others', async (_, read) => {
    const { database, stores } = open();
    const { statements } = await watchStatements(opened, () => read(stores));
    const reading = statements.filter(({ text }) => /^\s*(select|with)\b/.test(text));
    expect(reading.length).toBeGreaterThan(0);
    for (const { text, values } of reading) {
      const { rows } = await database.pool.query(`explain (analyze, format json) ${text}`, [...values]);
      expect(countRead(rows[0]['QUERY PLAN'][0].Plan), text).toBeLessThan(MAX_READ);
    }
  });
});

const REFUNDED = { ...ALL_PURCHASES, before: null, isRefunded: true } as const;

interface PlanNode {
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Join Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** The most rows that a node of the plan reads, over all its loops. */
function countRead(node: PlanNode): number {
  const ofLoop =
    node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Join Filter'] ?? 0);
  return Math.max(ofLoop * node['Actual Loops'], ...(node.Plans ?? []).map(countRead));
}

function rerun(subjectId: string): ActivityEntry {
  const [id = ''] = idsOf('f', 1);
  return {
    id,
    at: clock.now(),
    kind: 'delivery-redelivered',
    subjectId,
    summary: 'Again.',
    via: 'dashboard',
  };
}

const UNMATCHED = '1';
const FAILED = '2';
const DELIVERED = '3';
const PURCHASE = '4';

/** Ids of one kind, as `id` makes them. */
function idsOf(kind: string, count: number): readonly string[] {
  const number = (at: number) => (at + 1).toString(16).padStart(12, '0');
  return Array.from({ length: count }, (_, at) => `01900000-0000-7000-${kind}000-${number(at)}`);
}

/** An id of a kind in SQL, by the row’s number. */
function id(kind: string): string {
  return `('01900000-0000-7000-${kind}000-' || lpad(to_hex(number), 12, '0'))::uuid`;
}

/** Autovacuum is off for databases of tests. */
async function fillUnanalysed(): Promise<void> {
  const { pool } = opened.database;
  const { rows } = await pool.query(`select id from products where slug = 'pads' and org_id = $1`, [
    shop.orgId,
  ]);
  const of = `'${shop.orgId}'::uuid`;
  const by = `'${shop.connection.id}'::uuid`;
  const numbers = `generate_series(1, ${ROWS}) as number`;
  const deliveries = (kind: string, status: string) => `
    insert into deliveries
      (org_id, id, platform, connection_id, body_id, order_id, received_at, status, attempts, decided_at)
    select ${of}, ${id(kind)}, 'storefront-a', ${by}, ${id('5')}, '${kind}-' || number, now(), '${status}', 1, now()
    from ${numbers}`;
  const client = await pool.connect();
  try {
    // Foreign keys are not checked: without statistics that takes long, too.
    for (const statement of [
      'set session_replication_role = replica',
      `insert into delivery_bodies (org_id, id, bytes, headers, received_at)
       select ${of}, ${id('5')}, 'x', '{}', now() from ${numbers}`,
      deliveries(UNMATCHED, 'error'),
      deliveries(FAILED, 'error'),
      deliveries(DELIVERED, 'success'),
      `insert into delivery_lines (org_id, delivery_id, position, sku, outcome, candidate, sku_key, platform)
       select ${of}, ${id(UNMATCHED)}, 0, 'ONE', 'unmatched', 'sku', 'one', 'storefront-a' from ${numbers}
       union all
       select ${of}, ${id(UNMATCHED)}, 1, 'S' || number, 'unmatched', 'sku', 's' || number, 'storefront-a' from ${numbers}`,
      `insert into sku_mappings (org_id, sku, platform, product_id)
       select ${of}, 'mapped-' || number, '', '${rows[0].id}' from ${numbers}`,
      `insert into customers (org_id, id, email, email_normalized, name, created_at)
       select ${of}, ${id('6')}, 'b' || number, 'b' || number, 'B', now() from ${numbers}`,
      `insert into outgoing_emails
         (org_id, id, kind, status, customer_id, pending_since, next_try_at, created_at, last_answer)
       select ${of}, ${id('7')}, 'receipt', 'refused', ${id('6')}, now(), now(), now(), 'No.' from ${numbers}`,
      `insert into purchases (org_id, id, customer_id, product_id, amount, currency, payment_method, source,
         connection_id, order_id, order_number, receipt_id, created_at)
       select ${of}, ${id(PURCHASE)}, ${id('6')}, '${rows[0].id}', 1, 'EUR', 'card', 'storefront-a',
         ${by}, '${DELIVERED}-' || number, 'n-' || number, ${id('7')}, now() from ${numbers}`,
      `insert into refunds (org_id, connection_id, named_by, order_name, delivery_id, at)
       select ${of}, ${by}, 'id', '${DELIVERED}-' || number, ${id('9')}, now() from ${numbers} where number % 2 = 0
       union all
       select ${of}, ${by}, 'number', 'n-' || number, ${id('9')}, now() from ${numbers} where number % 2 = 1`,
      `insert into download_links (org_id, id, purchase_id, created_at, expires_at)
       select ${of}, ${id('8')}, ${id(PURCHASE)}, now(), now() from ${numbers}`,
      'reset session_replication_role',
    ]) {
      await client.query(statement);
    }
  } finally {
    client.release();
  }
}
