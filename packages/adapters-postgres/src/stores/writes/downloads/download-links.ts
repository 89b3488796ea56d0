import { type DownloadLinks, type DownloadPage, type LibraryItem, normalizeEmail } from '@handover/domain';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../database/schema.ts';
import { doTogether } from '../../../statements/batches.ts';
import { areIds } from '../../../statements/ids.ts';
import { versionWithFiles } from '../../reads/catalogue/product-versions.ts';
import { newestLink } from '../../reads/purchases/purchase-rows.ts';

export function createPostgresDownloadLinks(db: Db): DownloadLinks {
  const prolongTogether = createTogetherProlonger(db);
  return {
    find: async (orgId, linkId) => (areIds(orgId, linkId) ? findPage(db, orgId, linkId) : null),

    refresh: async (orgId, linkId, at, expiresAt) => {
      if (!areIds(orgId, linkId)) return false;
      const opening = {
        opened_count: sql<number>`opened_count + 1`,
        first_opened_at: sql<Date>`coalesce(first_opened_at, ${at})`,
        last_opened_at: at,
      };
      const refreshed = await changeWorking(db, orgId, linkId, at)
        .set({ expires_at: expiresAt, ...opening })
        .executeTakeFirst();
      return refreshed.numUpdatedRows > 0n;
    },

    prolong: async (orgId, linkId, at, expiresAt) =>
      areIds(orgId, linkId) && prolongTogether({ orgId, linkId, at, expiresAt }),

    listOfBuyer: (email, query) => listOfBuyer(db, email, query),
  };
}

interface Prolonging {
  readonly orgId: string;
  readonly linkId: string;
  readonly at: Date;
  readonly expiresAt: Date;
}

/** Concurrent calls share one update: otherwise many readers of one shared link would wait for its row one by one. */
function createTogetherProlonger(db: Db): (prolonging: Prolonging) => Promise<boolean> {
  return doTogether<Prolonging, boolean>(db, {
    keyOf: ({ orgId, linkId }) => `${orgId} ${linkId}`,
    run: async (all) => {
      // Applied in the order of their times: if the link still works at the first one, it works at the others too.
      const [first] = all.toSorted((one, other) => one.at.getTime() - other.at.getTime());
      if (!first) return [];
      const expiresAt = new Date(Math.max(...all.map((one) => one.expiresAt.getTime())));
      const prolonged = await changeWorking(db, first.orgId, first.linkId, first.at)
        .set({ expires_at: expiresAt })
        .executeTakeFirst();
      return all.map(() => prolonged.numUpdatedRows > 0n);
    },
  });
}

function changeWorking(db: Db, orgId: string, linkId: string, at: Date) {
  return db
    .updateTable('download_links')
    .where('org_id', '=', orgId)
    .where('id', '=', linkId)
    .where('expires_at', '>', at)
    .where('revoked_at', 'is', null);
}

async function findPage(db: Db, orgId: string, linkId: string): Promise<DownloadPage | null> {
  const { rows } = await sql<DownloadPage>`
    select
      link.id as "linkId", link.org_id as "orgId", link.purchase_id as "purchaseId", link.created_at as "createdAt",
      link.expires_at as "expiresAt", link.revoked_at as "revokedAt", link.used_at as "usedAt",
      link.revoked_at is not null and exists (
        select from download_links other
        where other.org_id = ${orgId} and other.purchase_id = link.purchase_id and other.revoked_at is null
      ) as "isReplaced",
      json_build_object(
        'name', organisation.name, 'email', organisation.email, 'language', organisation.language
      ) as organisation,
      json_build_object('name', customer.name, 'email', customer.email) as customer,
      purchase.order_number as "orderNumber", product.name as "productName",
      ${versionWithFiles(orgId)} as version,
      case when live.created_at > version.created_at then live.version end as "newerVersion"
    from download_links link
    join purchases purchase on purchase.org_id = ${orgId} and purchase.id = link.purchase_id
    join customers customer on customer.org_id = ${orgId} and customer.id = purchase.customer_id
    join products product on product.org_id = ${orgId} and product.id = purchase.product_id
    join organisations organisation on organisation.id = ${orgId}
    left join product_versions version
      on version.org_id = ${orgId} and version.id = coalesce(purchase.version_id, product.active_version_id)
    left join product_versions live on live.org_id = ${orgId} and live.id = product.active_version_id
    where link.org_id = ${orgId} and link.id = ${linkId}
  `.execute(db);
  return rows[0] ?? null;
}

interface ListedRow extends Omit<LibraryItem, 'link'> {
  readonly linkId: string | null;
  readonly expiresAt: Date;
  readonly isToRenew: boolean;
}

async function listOfBuyer(
  db: Db,
  email: string,
  { before, mailedAt, limit, renewal }: Parameters<DownloadLinks['listOfBuyer']>[1],
): Promise<readonly LibraryItem[]> {
  if (!areIds(before)) return [];
  const address = normalizeEmail(email);
  const { rows } = await sql<ListedRow>`
    with bought as (
      select
        purchase.org_id, purchase.id, purchase.product_id, purchase.version_id, purchase.order_number,
        purchase.created_at, case when not replaced.since then newest.id end as link_id, newest.expires_at,
        ${renewal ? sql`not replaced.since and newest.expires_at > ${renewal.at}` : sql`false`} as is_to_renew
      from customers customer
      join purchases purchase on purchase.org_id = customer.org_id and purchase.customer_id = customer.id
      cross join lateral ${newestLink(sql`purchase.org_id`, sql`purchase.id`)} newest
      cross join lateral (
        select count(*) > 0 as since from download_links former
        where former.org_id = purchase.org_id and former.purchase_id = purchase.id and former.revoked_at > ${mailedAt}
      ) replaced
      where customer.email_normalized = ${address} and newest.revoked_at is null ${olderThan(before, address)}
      order by purchase.created_at desc, purchase.id desc
      limit ${limit}
    )
    select
      bought.org_id as "orgId", bought.id as "purchaseId", bought.link_id as "linkId",
      bought.expires_at as "expiresAt", bought.is_to_renew as "isToRenew",
      json_build_object('name', organisation.name, 'email', organisation.email) as shop,
      product.name as "productName",
      ${versionWithFiles(sql`product.org_id`)} as version,
      bought.order_number as "orderNumber", bought.created_at as "boughtAt"
    from bought
    join organisations organisation on organisation.id = bought.org_id
    join products product on product.org_id = bought.org_id and product.id = bought.product_id
    left join product_versions version
      on version.org_id = product.org_id
        and version.id = coalesce(bought.version_id, product.active_version_id)
    order by bought.created_at desc, bought.id desc
  `.execute(db);
  const renewed = await renewLinks(db, rows, renewal);
  return rows.map(({ linkId: id, expiresAt, isToRenew: _, ...item }) => ({
    ...item,
    link: id === null ? null : { id, expiresAt: renewed.get(id) ?? expiresAt },
  }));
}

/**
 * Renews links that are not revoked, and returns their new expiries, by id. They are locked by their ids, as everywhere, to
 * avoid deadlocks; one organisation after the other, because no statement can lock rows on several nodes.
 */
async function renewLinks(
  db: Db,
  listed: readonly ListedRow[],
  renewal: { readonly expiresAt: Date } | null,
): Promise<ReadonlyMap<string, Date>> {
  const renewed = new Map<string, Date>();
  if (!renewal) return renewed;
  const { expiresAt } = renewal;
  const toRenew = listed.filter(({ isToRenew }) => isToRenew);
  for (const [orgId, links] of Map.groupBy(toRenew, (link) => link.orgId)) {
    const { rows } = await sql<{ readonly id: string }>`
      with held as materialized (
        select id from download_links
        where org_id = ${orgId} and id = any(${links.map(({ linkId }) => linkId)}::uuid[]) and revoked_at is null
        order by id
        for no key update
      )
      update download_links set expires_at = ${expiresAt}
      where org_id = ${orgId} and id = any(array(select id from held))
      returning id
    `.execute(db);
    for (const { id } of rows) renewed.set(id, expiresAt);
  }
  return renewed;
}

/** A `before` that is not a purchase of the buyer gives an empty page. */
function olderThan(before: string | null, address: string): RawBuilder<unknown> {
  if (before === null) return sql``;
  return sql`and (purchase.created_at, purchase.id) < (
    select last.created_at, last.id
    from customers buyer
    join purchases last on last.org_id = buyer.org_id and last.customer_id = buyer.id
    where buyer.email_normalized = ${address} and last.id = ${before}
  )`;
}
