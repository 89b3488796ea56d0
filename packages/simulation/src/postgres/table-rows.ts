import { formatRelease } from '@handover/domain';
import type { Memory } from '@handover/domain/memory';
import { ACCESS_TABLES } from './access-tables.ts';
import { MAIL_TABLES } from './mail-tables.ts';
import { type Table, tableOf } from './table.ts';

/** Rows as text, in no order, by table. */
export type TableRows = Readonly<Record<string, readonly string[]>>;

/** Anything that answers a statement with rows. */
export interface Queryable {
  query(statement: { readonly name: string; readonly text: string; readonly values: unknown[] }): Promise<{
    readonly rows: readonly { readonly table: string; readonly found: readonly string[] | null }[];
  }>;
}

/** The rows of PostgreSQL, by one statement: what ports show, and what only later calls depend on, such as claims. */
export async function readTableRows(database: Queryable, now: Date): Promise<TableRows> {
  // Prepared: planning it takes four times as long as reading the rows.
  const { rows } = await database.query({ name: 'read table rows', text: STATEMENT, values: [now] });
  return Object.fromEntries(rows.map(({ table, found }) => [table, [...(found ?? [])].sort()]));
}

/** The same rows of the memory. */
export function listTableRows(memory: Memory, now: Date): TableRows {
  return Object.fromEntries(
    Object.entries(TABLES).map(([table, { inMemory }]) => [
      table,
      inMemory(memory, now)
        .map((columns) => columns.map(print).join(SEPARATOR))
        .sort(),
    ]),
  );
}

const TABLES: Readonly<Record<string, Table>> = {
  ...ACCESS_TABLES,
  ...MAIL_TABLES,
  organisations: tableOf(
    'organisations left join catalogues on org_id = id',
    ({ organisations, revisions }) =>
      [...organisations.values()].map((row) => ({ ...row, revision: revisions.get(row.id) })),
  ).compare(
    [
      'id',
      'name',
      'email',
      'alertEmail',
      'defaultCurrency',
      'language',
      'timeZone',
      'subscriptionExpiresAt',
      'revision',
    ],
    { defaultCurrency: 'currency' },
  ),
  products: tableOf('products', ({ products }) => products.values()).compare([
    'id',
    'name',
    'slug',
    'description',
    'status',
    'activeVersionId',
    'updatedAt',
  ]),
  versions: tableOf('product_versions', ({ versions, liveSince }) =>
    [...versions.values()].map((row) => ({ ...row, liveSince: liveSince.get(row.id) })),
  ).compare(['id', 'version', 'status', 'liveSince']),
  files: tableOf('version_files', ({ files, filePositions }) =>
    [...files].flatMap(([versionId, of]) =>
      of.map((row) => ({
        ...row,
        versionId,
        position: filePositions.get(`${versionId} ${row.name}`) ?? 0,
      })),
    ),
  ).compare(['versionId', 'name', 'size', 'sha256', 'displayName', 'position']),
  'contents that may be removed': tableOf('removable_contents', ({ contents }) => contents.values()).compare([
    'orgId',
    'sha256',
    'dueAt',
    'claimedAt',
  ]),
  mappings: tableOf('sku_mappings', ({ mappings }) =>
    [...mappings.values()].map((row) => ({ ...row, platform: row.platform ?? '' })),
  ).compare(['orgId', 'sku', 'platform', 'productId']),
  releases: tableOf('releases', ({ releases }) =>
    [...releases.values()].map((row) => ({ ...row, release: formatRelease(row.release) })),
  ).compare(['orgId', 'release', 'after'], { after: 'after_entry' }),
  'bulk actions': tableOf('bulk_actions', ({ bulkActions }) =>
    [...bulkActions.values()].map(({ counts, by, place, ...row }) => ({
      ...{ ...row, ...counts, actor: by.actor, placeId: place.id },
    })),
  ).compare([
    'orgId',
    'id',
    'action',
    'total',
    'placeId',
    'seen',
    'done',
    'before',
    'revoked',
    'actor',
    'endedAt',
    'cancelledBy',
  ]),
  // A body that was removed is null in memory, and has no row in PostgreSQL.
  bodies: tableOf('delivery_bodies', ({ bodies }) =>
    [...bodies.values()].filter((body) => body !== null),
  ).compare(['id']),
  'the webhook log': tableOf('deliveries', ({ deliveries }) => deliveries.values()).compare([
    'id',
    'status',
    'reason',
    'note',
    'attempts',
    'decidedAt',
    'heldFor',
  ]),
  'lines of the webhook log': tableOf('delivery_lines', ({ deliveries }) =>
    [...deliveries.values()].flatMap(({ id, lines }) => lines.map((line) => ({ ...line, deliveryId: id }))),
  ).compare(['deliveryId', 'position', 'sku', 'outcome', 'reason', 'productId', 'purchaseId']),
  customers: tableOf('customers', ({ customers }) => customers.values()).compare(['id', 'email', 'name']),
  purchases: tableOf('purchases', ({ purchases, testPurchases }) =>
    [...purchases.values()].map((row) => ({
      ...row,
      isTest: testPurchases.has(row.id),
    })),
  ).compare(['id', 'customerId', 'productId', 'versionId', 'amount', 'currency', 'receiptId', 'isTest']),
  'names that purchases were sold under': tableOf('purchase_aliases', ({ purchaseAliases }) =>
    purchaseAliases.values(),
  ).compare(['purchaseId', 'candidate', 'sku']),
  links: tableOf('download_links', ({ links }) => links.values()).compare([
    'id',
    'purchaseId',
    'expiresAt',
    'openedCount',
    'lastOpenedAt',
    'usedAt',
    'revokedAt',
    'revocationId',
    'customerId',
  ]),
  sessions: tableOf('download_sessions', ({ sessions }) => sessions.values()).compare([
    'id',
    'linkId',
    'bytes',
    'lastByteAt',
    'completedAt',
  ]),
  // An alert that was given up has the name of its mail.
  activity: tableOf('activity', ({ activity }) =>
    [...activity.values()].map((row) => ({ ...row, id: row.kind === 'alert-given-up' ? null : row.id })),
  ).compare(['id', 'kind', 'summary', 'actor', 'at'], {
    id: `case when kind <> 'alert-given-up' then id end`,
  }),
  'rejected deliveries': tableOf('rejected_deliveries', ({ rejected }) => rejected.values()).compare([
    'id',
    'reason',
    'isGenuine',
  ]),
  'unassigned orders': tableOf('unassigned_deliveries', ({ unassigned }) =>
    [...unassigned.values()].map(({ delivery }) => delivery),
  ).compare(['id', 'orderId']),
  // Expired ones may be deleted.
  throttles: tableOf('throttles where window_ends_at > $1', ({ throttles }, now) =>
    [...throttles.values()].filter(({ windowEndsAt }) => windowEndsAt > now),
  ).compare(['tries', 'windowEndsAt']),
  'idempotency keys': tableOf('idempotency_keys', ({ idempotency }) =>
    [...idempotency.values()].map(({ sale }) => sale),
  ).compare(['purchaseId']),
  refunds: tableOf('refunds', ({ refunds }) => refunds.values()).compare(['namedBy', 'order', 'at'], {
    order: 'order_name',
  }),
  'signatures that were used': tableOf('used_proofs', ({ proofs }) => proofs.values()).compare(
    ['bodySha256'],
    {
      bodySha256: 'body_sha256',
    },
  ),
};

const SEPARATOR = ' | ';

const STATEMENT = Object.entries(TABLES)
  .map(([table, { from, columns }]) => {
    const texts = columns.map((column) => `coalesce((${column})::text, 'null')`);
    return `select '${table}' as table, json_agg(concat_ws('${SEPARATOR}', ${texts.join(', ')})) as found from ${from}`;
  })
  .join(' union all ');

function print(value: unknown): string {
  return value instanceof Date ? String(value.getTime()) : String(value ?? null);
}
