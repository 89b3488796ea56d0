import type { Language, PendingDownloadLinkEmail, PendingDownloadLinkEmailShop } from '@handover/domain';
import { chooseRecipient, LINKS_PER_MAIL, linkExpiry, NO_ORGANISATION } from '@handover/domain';
import { sql } from 'kysely';
import type { Trx } from '../../../database/schema.ts';
import { unnestRows } from '../../../statements/rows.ts';
import { newestLink } from '../../reads/purchases/purchase-rows.ts';
import { forgetEnded } from './complete-sent.ts';
import type { EmailDetails, HeldEmail, Preparing } from './prepare-email.ts';

type Recipient = PendingDownloadLinkEmail['to'];

/** Creates the links of an address on the first try. If no link works, nothing is kept. */
export async function prepareDownloadLinkEmail(
  trx: Trx,
  email: HeldEmail,
  preparing: Preparing,
): Promise<PendingDownloadLinkEmail | { readonly kind: 'not-pending' }> {
  const { id, pendingSince, attempts } = email;
  const { links, leftOut } = email.details ?? (await makeLinks(trx, email, preparing));
  await refreshLinks(trx, links, preparing.now);
  const bought = await listBought(trx, links);
  const listed = bought.map(({ customerEmail: address, customerName: name }) => ({ email: address, name }));
  const to = listed.length > 0 && chooseRecipient([...listed, ...(await listCustomers(trx, email))]);
  if (!to) {
    await forgetEnded(trx, preparing.orgId, [{ id, kind: 'links' }]);
    return { kind: 'not-pending' };
  }
  const { language } = email;
  const opensLibrary = preparing.orgId === NO_ORGANISATION;
  const shops = groupByShop(bought);
  return { kind: 'links', id, pendingSince, attempts, language, to, shops, leftOut, opensLibrary };
}

/** The buyer's names at all shops: the mail may have room for the purchases of some. None for the mail of one purchase. */
async function listCustomers(trx: Trx, { subject }: HeldEmail): Promise<readonly Recipient[]> {
  const { rows } = await sql<Recipient>`
    select customer.email, customer.name from customers customer where customer.email_normalized = ${subject}
    order by customer.org_id
  `.execute(trx);
  return rows;
}

/** A new link for each purchase, and whether there were more than one mail can carry. */
async function makeLinks(
  trx: Trx,
  { subject }: HeldEmail,
  { orgId: ofEmail, emailId, now, newLinkId }: Preparing,
): Promise<EmailDetails> {
  const purchases = await listPurchases(trx, subject);
  const made = purchases
    .slice(0, LINKS_PER_MAIL)
    .map(({ orgId, purchaseId }) => ({ orgId, linkId: newLinkId(), purchaseId }));
  await sql`
    insert into download_links (org_id, id, purchase_id, created_at, expires_at)
    select org_id, link_id, purchase_id, ${now}::timestamptz, ${linkExpiry(now)}::timestamptz
    from ${unnestRows(made).as('link (org_id uuid, link_id uuid, purchase_id uuid)')}
  `.execute(trx);
  const links = made.map(({ orgId, linkId }) => ({ orgId, linkId }));
  const details = { links, leftOut: purchases.length > LINKS_PER_MAIL };
  await trx
    .updateTable('outgoing_emails')
    .set({ details: JSON.stringify(details) })
    .where('org_id', '=', ofEmail)
    .where('id', '=', emailId)
    .execute();
  return details;
}

/** Newest first, one more than the mail can carry. Revoked purchases are excluded. */
async function listPurchases(trx: Trx, normalizedEmail: string | null) {
  await lockPurchases(trx, normalizedEmail);
  const { rows } = await sql<{ readonly orgId: string; readonly purchaseId: string }>`
    select purchase.org_id as "orgId", purchase.id as "purchaseId"
    from customers customer
    join purchases purchase on purchase.org_id = customer.org_id and purchase.customer_id = customer.id
    cross join lateral ${newestLink(sql`purchase.org_id`, sql`purchase.id`)} newest
    where customer.email_normalized = ${normalizedEmail} and newest.revoked_at is null
    order by purchase.created_at desc, purchase.id desc
    limit ${LINKS_PER_MAIL + 1}
  `.execute(trx);
  return rows;
}

/**
 * Locks the purchases until the commit, so that none is revoked while its new link is created. One organisation after the other,
 * because no statement can lock rows on several nodes.
 */
async function lockPurchases(trx: Trx, normalizedEmail: string | null): Promise<void> {
  const { rows } = await sql<{ readonly orgId: string; readonly ids: readonly string[] }>`
    select org_id as "orgId", array_agg(id) as ids
    from (
      select purchase.org_id, purchase.id
      from customers customer
      join purchases purchase on purchase.org_id = customer.org_id and purchase.customer_id = customer.id
      where customer.email_normalized = ${normalizedEmail}
      order by purchase.created_at desc, purchase.id desc
      limit ${LINKS_PER_MAIL + 1}
    ) bought
    group by org_id
    order by org_id
  `.execute(trx);
  for (const { orgId, ids } of rows) {
    await sql`
      select from purchases where org_id = ${orgId} and id = any(${ids}::uuid[]) order by id for no key update
    `.execute(trx);
  }
}

type Links = EmailDetails['links'];

async function refreshLinks(trx: Trx, links: Links, now: Date): Promise<void> {
  await sql`
    update download_links set expires_at = ${linkExpiry(now)}
    from ${asRows(links)}
    where download_links.org_id = brought.org_id and download_links.id = brought.link_id
      and download_links.revoked_at is null
  `.execute(trx);
}

function asRows(links: Links) {
  return unnestRows(links).as('brought (org_id uuid, link_id uuid)');
}

type Item = PendingDownloadLinkEmailShop['items'][number];

interface BoughtRow extends Item {
  readonly orgId: string;
  readonly shopName: string;
  readonly shopEmail: string;
  readonly language: Language;
  readonly timeZone: string;
  readonly customerEmail: string;
  readonly customerName: string;
}

async function listBought(trx: Trx, links: Links): Promise<readonly BoughtRow[]> {
  const { rows } = await sql<BoughtRow>`
    select
      link.org_id as "orgId", link.id as "linkId",
      organisation.name as "shopName", organisation.email as "shopEmail",
      organisation.language, organisation.time_zone as "timeZone",
      customer.email as "customerEmail", customer.name as "customerName",
      product.name as "productName", version.version,
      files.count as "fileCount", files.size as "totalSize",
      purchase.order_number as "orderNumber", purchase.created_at as "boughtAt"
    from ${asRows(links)}
    join download_links link on link.org_id = brought.org_id and link.id = brought.link_id
    join purchases purchase on purchase.org_id = link.org_id and purchase.id = link.purchase_id
    join customers customer on customer.org_id = purchase.org_id and customer.id = purchase.customer_id
    join products product on product.org_id = purchase.org_id and product.id = purchase.product_id
    join organisations organisation on organisation.id = purchase.org_id
    left join product_versions version
      on version.org_id = purchase.org_id
        and version.id = coalesce(purchase.version_id, product.active_version_id)
    cross join lateral (
      select count(*)::integer as count, coalesce(sum(size), 0)::float8 as size from version_files
      where org_id = purchase.org_id and version_id = version.id
    ) files
    where link.revoked_at is null
    order by purchase.created_at desc, purchase.id desc
  `.execute(trx);
  return rows;
}

/** Shops ordered by their newest purchase, and the same within each shop. */
function groupByShop(bought: readonly BoughtRow[]): PendingDownloadLinkEmail['shops'] {
  const shops = Map.groupBy(bought, ({ orgId }) => orgId);
  return [...shops.values()].flatMap((rows) => {
    const [first] = rows;
    if (!first) return [];
    const { orgId, shopName: name, shopEmail: email, language, timeZone } = first;
    return [{ orgId, name, email, language, timeZone, items: rows.map(describeItem) }];
  });
}

function describeItem(row: BoughtRow): Item {
  const { productName, version, fileCount, totalSize, orderNumber, boughtAt, linkId } = row;
  return { productName, version, fileCount, totalSize, orderNumber, boughtAt, linkId };
}
