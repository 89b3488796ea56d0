import type { PurchaseRecord } from '@handover/domain';
import { RECORD_LIMIT } from '@handover/domain';
import { sql } from 'kysely';
import type { Db } from '../../../database/schema.ts';
import { reviveTimes } from '../../../database/time-texts.ts';
import { areIds } from '../../../statements/ids.ts';
import { versionWithFiles } from '../catalogue/product-versions.ts';
import { progressOfFiles } from '../downloads/session-progress.ts';
import { refundedAt } from './purchase-filters.ts';
import { newestLink, purchaseColumns, purchaseJoins } from './purchase-rows.ts';

/** One statement, so that all of it is of one moment. Each kind of fact is read by its own index. */
export async function showPurchase(
  db: Db,
  orgId: string,
  purchaseId: string,
): Promise<PurchaseRecord | null> {
  if (!areIds(orgId, purchaseId)) return null;
  const { rows } = await sql<PurchaseRecord>`
    with page as materialized (
      select * from purchases where org_id = ${orgId} and id = ${purchaseId}
    ),
    links as materialized (
      select * from download_links where org_id = ${orgId} and purchase_id = ${purchaseId}
      order by created_at desc, id desc
      limit ${RECORD_LIMIT}
    )
    select
      ${purchaseColumns},
      page.order_number as "orderNumber",
      receipt.status as "receiptStatus",
      link.revoked_at as "revokedAt",
      ${refundedAt(orgId)} as "refundedAt",
      (select name from connections where org_id = ${orgId} and id = page.connection_id) as "connectionName",
      (
        select count(*)::integer from purchases
        where org_id = ${orgId} and customer_id = page.customer_id and not is_test
      ) as "purchasesOfBuyer",
      ${othersOfOrder(orgId)} as "othersOfOrder",
      ${versionOfPage(orgId)} as version,
      case when receipt.id is not null then json_build_object(
        'id', receipt.id, 'status', receipt.status, 'attempts', receipt.attempts,
        'postponed', receipt.postponed,
        'lastAnswer', receipt.last_answer, 'lastAnswerAt', receipt.last_answer_at,
        'nextTryAt', receipt.next_try_at, 'sentAt', receipt.sent_at, 'leavesOut', ${isLeftOut(orgId)}
      ) end as receipt,
      ${deliveriesOfPage(orgId)} as deliveries,
      ${laterEventsOfPage(orgId)} as "laterEvents",
      ${listOfLinks} as links,
      ${listOfSessions(orgId)} as sessions,
      ${activityOfPage(orgId)} as activity
    ${purchaseJoins(orgId)}
  `.execute(db);
  return rows[0] ? reviveTimes(rows[0]) : null;
}

const othersOfOrder = (orgId: string) => sql`(
  select coalesce(json_agg(json_build_object('id', id, 'productName', name, 'revokedAt', revoked_at)
    order by name collate "C", id), '[]')
  from (
    select other.id, bought.name, newest.revoked_at from purchases other
    join products bought on bought.org_id = ${orgId} and bought.id = other.product_id
    left join lateral ${newestLink(orgId, sql`other.id`)} newest on true
    where other.org_id = ${orgId} and other.connection_id = page.connection_id and other.order_id = page.order_id
      and other.id <> page.id
    order by bought.name collate "C", other.id
    limit ${RECORD_LIMIT}
  ) others
)`;

const versionOfPage = (orgId: string) => sql`(
  select ${versionWithFiles(orgId)} from product_versions version
  where version.org_id = ${orgId} and version.id = coalesce(page.version_id, product.active_version_id)
)`;

/**
 * The first entries of the order, with the one that made the purchase. An entry names a purchase once, in its first line.
 */
const deliveriesOfPage = (orgId: string) => sql`(
  select coalesce(json_agg(named order by named.id), '[]') from (
    select distinct on (delivery.id)
      delivery.id, delivery.received_at as "receivedAt", delivery.status, delivery.decided_at as "decidedAt",
      line.sku, line.candidate, line.outcome
    from delivery_lines line
    join deliveries delivery on delivery.org_id = ${orgId} and delivery.id = line.delivery_id
    where line.org_id = ${orgId} and line.purchase_id = page.id
    order by delivery.id, line.position
    limit ${RECORD_LIMIT}
  ) named
)`;

/**
 * Everything since the first entry of the order, because the order may have been held before the purchase. That entry may be
 * pruned.
 */
const laterEventsOfPage = (orgId: string) => sql`(
  select coalesce(json_agg(json_build_object(
    'deliveryId', id, 'receivedAt', received_at, 'reason', coalesce(reason, '')
  ) order by id), '[]')
  from (
    select id, received_at, reason from (
      select id, received_at, reason, status from deliveries
      where org_id = ${orgId} and connection_id = page.connection_id and order_id = page.order_id
      union all
      select id, received_at, reason, status from deliveries
      where org_id = ${orgId} and order_id is null and id = (
        select delivery_id from refunds
        where org_id = ${orgId} and connection_id = page.connection_id and named_by = 'number'
          and order_name = page.order_number
      )
    ) later
    where later.status = 'ignored' and later.received_at > least(page.created_at, (
        select min(placed.received_at) from deliveries placed
        where placed.org_id = ${orgId} and placed.connection_id = page.connection_id
          and placed.order_id = page.order_id and placed.status <> 'ignored'
      ))
    order by id desc
    limit ${RECORD_LIMIT}
  ) later
)`;

/** Compared with all links of the purchase: the mail may contain a link that is older than those listed. */
const isLeftOut = (orgId: string) => sql`(
  receipt.sent_content is not null and not exists (
    select from jsonb_array_elements(receipt.sent_content -> 'items') item
    join download_links mailed on mailed.org_id = ${orgId} and mailed.id = (item ->> 'linkId')::uuid
    where mailed.purchase_id = page.id
  )
)`;

const listOfLinks = sql`(
  select coalesce(json_agg(json_build_object(
    'id', id, 'createdAt', created_at, 'expiresAt', expires_at, 'openedCount', opened_count,
    'firstOpenedAt', first_opened_at, 'lastOpenedAt', last_opened_at, 'usedAt', used_at, 'revokedAt', revoked_at
  ) order by created_at desc, id desc), '[]')
  from links
)`;

const listOfSessions = (orgId: string) => sql`(
  select coalesce(json_agg(json_build_object(
    'id', session.id, 'startedAt', session.started_at, 'lastByteAt', session.last_byte_at,
    'completedAt', session.completed_at, 'client', session.client,
    'files', ${progressOfFiles(orgId)}
  ) order by session.started_at, session.id), '[]')
  from (
    select session.* from links
    join download_sessions session on session.org_id = ${orgId} and session.link_id = links.id
    order by session.started_at desc, session.id desc
    limit ${RECORD_LIMIT}
  ) session
)`;

const activityOfPage = (orgId: string) => sql`(
  select coalesce(json_agg(json_strip_nulls(json_build_object(
    'id', id, 'at', at, 'kind', kind, 'subjectId', subject_id, 'summary', summary, 'actor', actor,
    'via', via, 'viaDetail', via_detail
  )) order by id), '[]')
  from (
    select * from activity where org_id = ${orgId} and subject_id = page.id
    order by id desc
    limit ${RECORD_LIMIT}
  ) entry
)`;
