import type { LinkMailClaim, OwedLinkMail, OwedLinkMailShop } from '@handover/domain';
import { LINKS_PER_MAIL, linkExpiry } from '@handover/domain';
import { type Kysely, sql, type Transaction } from 'kysely';
import { columnsOf } from '../columns-of.ts';
import type { Schema } from '../schema.ts';
import { runTransaction } from '../transact.ts';
import { CLAIM_SECONDS } from './claim-renewal.ts';

interface Claiming {
  readonly mailId: string;
  readonly claimId: string;
  readonly now: Date;
  readonly newLinkId: () => string;
}

interface TakenMail {
  readonly emailFolded: string | null;
  readonly linksMade: boolean;
  readonly leftOut: boolean;
  readonly owedSince: Date;
  readonly attempts: number;
}

export function claimLinkMail(db: Kysely<Schema>, claiming: Claiming): Promise<LinkMailClaim> {
  return runTransaction(db, async (trx) => {
    const taken = await takeMail(trx, claiming);
    if (!taken) return explainRefusal(trx, claiming);
    const leftOut = taken.linksMade ? taken.leftOut : await makeLinks(trx, claiming, taken.emailFolded);
    await refreshLinks(trx, claiming);
    const bought = await listBought(trx, claiming);
    const [newest] = bought;
    if (!newest) {
      await trx.deleteFrom('link_mails').where('id', '=', claiming.mailId).execute();
      return { kind: 'settled' };
    }
    const { owedSince, attempts } = taken;
    const to = { email: newest.customerEmail, name: newest.customerName };
    const mail = { id: claiming.mailId, owedSince, attempts, to, shops: groupByShop(bought), leftOut };
    return { kind: 'claimed', claimId: claiming.claimId, mail } satisfies LinkMailClaim;
  });
}

/** One conditional update: of many who try at once, the row lets one through. */
async function takeMail(trx: Transaction<Schema>, { mailId, claimId, now }: Claiming) {
  const { rows } = await sql<TakenMail>`
    update link_mails
    set claim_id = ${claimId}, claimed_until = now() + make_interval(secs => ${CLAIM_SECONDS})
    where id = ${mailId} and next_try_at <= ${now} and (claimed_until is null or claimed_until <= now())
    returning
      email_folded as "emailFolded", links_made as "linksMade", left_out as "leftOut",
      owed_since as "owedSince", attempts
  `.execute(trx);
  return rows[0] ?? null;
}

async function explainRefusal(trx: Transaction<Schema>, { mailId, now }: Claiming): Promise<LinkMailClaim> {
  const mail = await trx
    .selectFrom('link_mails')
    .select(['next_try_at', 'claimed_until', sql<boolean>`claimed_until > now()`.as('held')])
    .where('id', '=', mailId)
    .executeTakeFirst();
  if (!mail) return { kind: 'settled' };
  if (mail.held && mail.claimed_until) return { kind: 'not-now', at: mail.claimed_until };
  // Neither held nor early any more: it was, a moment ago.
  return { kind: 'not-now', at: mail.next_try_at > now ? mail.next_try_at : now };
}

/** A new link for each purchase, and whether there were more than one mail brings. */
async function makeLinks(
  trx: Transaction<Schema>,
  { mailId, now, newLinkId }: Claiming,
  emailFolded: string | null,
): Promise<boolean> {
  const purchases = await listPurchases(trx, emailFolded);
  const leftOut = purchases.length > LINKS_PER_MAIL;
  const links = purchases.slice(0, LINKS_PER_MAIL).map((purchase) => ({ ...purchase, id: newLinkId() }));
  const column = columnsOf(links);
  await sql`
    with made as (
      insert into download_links (org_id, id, purchase_id, created_at, expires_at)
      select org_id, id, purchase_id, ${now}::timestamptz, ${linkExpiry(now)}::timestamptz
      from unnest(${column('orgId')}::uuid[], ${column('id')}::uuid[], ${column('purchaseId')}::uuid[])
        as link (org_id, id, purchase_id)
      returning org_id, id
    )
    insert into link_mail_links (mail_id, org_id, link_id) select ${mailId}::uuid, org_id, id from made
  `.execute(trx);
  await trx
    .updateTable('link_mails')
    .set({ links_made: true, left_out: leftOut })
    .where('id', '=', mailId)
    .execute();
  return leftOut;
}

/** Newest first, one more than are mailed. What was revoked is not bought any more. */
async function listPurchases(trx: Transaction<Schema>, emailFolded: string | null) {
  // Held until the commit: none of them is revoked while its new link is made.
  await sql`
    select purchase.id
    from customers customer
    join purchases purchase on purchase.org_id = customer.org_id and purchase.customer_id = customer.id
    where customer.email_folded = ${emailFolded}
    order by purchase.created_at desc, purchase.id desc
    limit ${LINKS_PER_MAIL + 1}
    for no key update of purchase
  `.execute(trx);
  const { rows } = await sql<{ readonly orgId: string; readonly purchaseId: string }>`
    select purchase.org_id as "orgId", purchase.id as "purchaseId"
    from customers customer
    join purchases purchase on purchase.org_id = customer.org_id and purchase.customer_id = customer.id
    cross join lateral (
      select revoked_at from download_links
      where org_id = purchase.org_id and purchase_id = purchase.id
      order by created_at desc, id desc
      limit 1
    ) newest
    where customer.email_folded = ${emailFolded} and newest.revoked_at is null
    order by purchase.created_at desc, purchase.id desc
    limit ${LINKS_PER_MAIL + 1}
  `.execute(trx);
  return rows;
}

async function refreshLinks(trx: Transaction<Schema>, { mailId, now }: Claiming): Promise<void> {
  await sql`
    update download_links set expires_at = ${linkExpiry(now)}
    from link_mail_links brought
    where brought.mail_id = ${mailId} and download_links.org_id = brought.org_id
      and download_links.id = brought.link_id and download_links.revoked_at is null
  `.execute(trx);
}

interface BoughtRow extends Omit<OwedLinkMailShop['items'][number], 'totalSize'> {
  readonly totalSize: string;
  readonly orgId: string;
  readonly shopName: string;
  readonly shopEmail: string;
  readonly customerEmail: string;
  readonly customerName: string;
}

async function listBought(trx: Transaction<Schema>, { mailId }: Claiming): Promise<readonly BoughtRow[]> {
  const { rows } = await sql<BoughtRow>`
    select
      link.org_id as "orgId", link.id as "linkId",
      organisation.name as "shopName", organisation.email as "shopEmail",
      customer.email as "customerEmail", customer.name as "customerName",
      product.name as "productName", version.version,
      files.count as "fileCount", files.size as "totalSize",
      purchase.order_number as "orderNumber", purchase.created_at as "boughtAt"
    from link_mail_links brought
    join download_links link on link.org_id = brought.org_id and link.id = brought.link_id
    join purchases purchase on purchase.org_id = link.org_id and purchase.id = link.purchase_id
    join customers customer on customer.org_id = purchase.org_id and customer.id = purchase.customer_id
    join products product on product.org_id = purchase.org_id and product.id = purchase.product_id
    join organisations organisation on organisation.id = purchase.org_id
    left join product_versions version
      on version.org_id = purchase.org_id
        and version.id = coalesce(purchase.version_id, product.active_version_id)
    cross join lateral (
      select count(*)::integer as count, coalesce(sum(size), 0)::text as size from version_files
      where org_id = purchase.org_id and version_id = version.id
    ) files
    where brought.mail_id = ${mailId} and link.revoked_at is null
    order by purchase.created_at desc, purchase.id desc
  `.execute(trx);
  return rows;
}

/** Shops by their newest purchase, and so within each. */
function groupByShop(bought: readonly BoughtRow[]): OwedLinkMail['shops'] {
  const shops = Map.groupBy(bought, ({ orgId }) => orgId);
  return [...shops.values()].flatMap((rows) => {
    const [first] = rows;
    if (!first) return [];
    const { orgId, shopName: name, shopEmail: email } = first;
    return [{ orgId, name, email, items: rows.map(describeItem) }];
  });
}

function describeItem(row: BoughtRow): OwedLinkMailShop['items'][number] {
  const { productName, version, fileCount, totalSize, orderNumber, boughtAt, linkId } = row;
  return { productName, version, fileCount, totalSize: Number(totalSize), orderNumber, boughtAt, linkId };
}
