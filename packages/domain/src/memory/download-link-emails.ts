import { linkExpiry, makeLink } from '../model/download-link.ts';
import {
  LINKS_PER_MAIL,
  type PendingDownloadLinkEmail,
  type PendingDownloadLinkEmailShop,
} from '../model/download-link-email.ts';
import { chooseRecipient, normalizeEmail } from '../model/email-address.ts';
import { DEFAULT_LANGUAGE, DEFAULT_TIME_ZONE } from '../model/language.ts';
import { NO_ORGANISATION } from '../model/outgoing-email.ts';
import type { Purchase } from '../model/purchase.ts';
import type { DownloadLinkEmails } from '../ports/mails.ts';
import { freshEmail, freshLink } from './fresh-rows.ts';
import { isRevoked, type Memory, newestFirst, queueEmail, rowsWhere, versionOf } from './memory.ts';
import type { EmailRow, LinkRow } from './rows.ts';

export function createInMemoryDownloadLinkEmails(memory: Memory): DownloadLinkEmails {
  return {
    requestOne: async ({ mailId, orgId, language = null, link, activity, at }) => {
      const purchase = memory.purchases.get(link.purchaseId);
      if (purchase?.orgId !== orgId || isRevoked(memory, purchase.id)) return 'revoked';
      const known = findMail(memory, orgId, purchase.id);
      if (!known) {
        memory.links.set(link.id, freshLink(link));
        memory.activity.set(activity.id, { ...activity, orgId });
      }
      const fresh = freshEmail('links', { id: mailId, orgId, createdAt: at });
      const mail = known ?? { ...fresh, subject: purchase.id, linkIds: [link.id] };
      queueAfresh(memory, { ...mail, language }, at);
      return 'queued';
    },

    requestAll: async ({ mailId, email, language = null, at }) => {
      const subject = normalizeEmail(email);
      const fresh = freshEmail('links', { id: mailId, orgId: NO_ORGANISATION, createdAt: at });
      const mail = findMail(memory, NO_ORGANISATION, subject) ?? { ...fresh, subject };
      queueAfresh(memory, { ...mail, language }, at);
    },
  };
}

/** Creates the links of an address on the first try. If no link works, nothing is kept. */
export function prepareDownloadLinkEmail(
  memory: Memory,
  email: EmailRow,
  now: Date,
  newLinkId: () => string,
): PendingDownloadLinkEmail | { readonly kind: 'not-pending' } {
  const made = email.linkIds ? email : makeLinks(memory, email, now, newLinkId);
  memory.emails.set(email.id, made);
  const links = workingLinks(memory, made);
  for (const link of links) memory.links.set(link.id, { ...link, expiresAt: linkExpiry(now) });
  const described = describeMail(memory, made, links);
  if (described) return described;
  memory.emails.delete(email.id);
  return { kind: 'not-pending' };
}

/** Makes the e-mail due at once, as if no try had failed. */
function queueAfresh(memory: Memory, email: EmailRow, at: Date): void {
  memory.emails.set(email.id, { ...email, pendingSince: at, attempts: 0, nextTryAt: at });
  queueEmail(memory, email, at);
}

function makeLinks(memory: Memory, mail: EmailRow, now: Date, newLinkId: () => string): EmailRow {
  const purchases = newestFirst(memory.purchases.values()).filter((purchase) => {
    const customer = memory.customers.get(purchase.customerId);
    return customer && normalizeEmail(customer.email) === mail.subject && !isRevoked(memory, purchase.id);
  });
  const links = purchases
    .slice(0, LINKS_PER_MAIL)
    .map(({ id: purchaseId, orgId }) => makeLink({ id: newLinkId(), orgId, purchaseId }, now));
  for (const link of links) memory.links.set(link.id, freshLink(link));
  return { ...mail, linkIds: links.map(({ id }) => id), leftOut: purchases.length > LINKS_PER_MAIL };
}

function workingLinks(memory: Memory, { linkIds }: EmailRow): readonly LinkRow[] {
  return (linkIds ?? []).flatMap((id) => {
    const link = memory.links.get(id);
    return link && link.revokedAt === null ? [link] : [];
  });
}

function describeMail(
  memory: Memory,
  mail: EmailRow,
  links: readonly LinkRow[],
): PendingDownloadLinkEmail | null {
  const bought = newestFirst(
    links.flatMap((link) => {
      const purchase = memory.purchases.get(link.purchaseId);
      return purchase ? [{ link, purchase, id: purchase.id, createdAt: purchase.createdAt }] : [];
    }),
  );
  const listed = bought.flatMap(({ purchase }) => memory.customers.get(purchase.customerId) ?? []);
  // The mail may have room for the purchases of some shops only.
  const others = [...memory.customers.values()]
    .filter(({ email }) => normalizeEmail(email) === mail.subject)
    .sort((a, b) => (a.orgId < b.orgId ? -1 : 1));
  const customer = listed.length > 0 && chooseRecipient([...listed, ...others]);
  if (!customer) return null;
  const orgIds = [...new Set(bought.map(({ purchase }) => purchase.orgId))];
  return {
    kind: 'links',
    id: mail.id,
    pendingSince: mail.pendingSince,
    attempts: mail.attempts,
    language: mail.language,
    to: { email: customer.email, name: customer.name },
    shops: orgIds.map((orgId) => ({
      ...describeShop(memory, orgId),
      items: bought
        .filter(({ purchase }) => purchase.orgId === orgId)
        .map(({ link, purchase }) => describeItem(memory, link, purchase)),
    })),
    leftOut: mail.leftOut,
    opensLibrary: mail.orgId === NO_ORGANISATION,
  };
}

function describeShop(memory: Memory, orgId: string): Omit<PendingDownloadLinkEmailShop, 'items'> {
  const organisation = memory.organisations.get(orgId);
  return {
    orgId,
    name: organisation?.name ?? '',
    email: organisation?.email ?? '',
    language: organisation?.language ?? DEFAULT_LANGUAGE,
    timeZone: organisation?.timeZone ?? DEFAULT_TIME_ZONE,
  };
}

function describeItem(
  memory: Memory,
  link: LinkRow,
  purchase: Purchase,
): PendingDownloadLinkEmailShop['items'][number] {
  const version = versionOf(memory, purchase);
  const files = version ? (memory.files.get(version.id) ?? []) : [];
  return {
    productName: memory.products.get(purchase.productId)?.name ?? '',
    version: version?.version ?? null,
    fileCount: files.length,
    totalSize: files.reduce((sum, { size }) => sum + size, 0),
    orderNumber: purchase.orderNumber,
    boughtAt: purchase.createdAt,
    linkId: link.id,
  };
}

function findMail({ emails }: Memory, orgId: string, subject: string): EmailRow | undefined {
  return rowsWhere(emails, { orgId, subject })[0];
}
