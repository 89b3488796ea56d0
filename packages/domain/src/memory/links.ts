import { normalizeEmail } from '../model/email-address.ts';
import type { LibraryItem } from '../model/library.ts';
import type { ProductVersion } from '../model/product.ts';
import type { Purchase } from '../model/purchase.ts';
import type { DownloadLinks } from '../ports/downloads.ts';
import { describeVersion, linksOf, type Memory, newestFirst, versionOf } from './memory.ts';
import type { LinkRow } from './rows.ts';

export function createInMemoryDownloadLinks(memory: Memory): DownloadLinks {
  return {
    find: async (orgId, linkId) => {
      const link = memory.links.get(linkId);
      const purchase = link?.orgId === orgId ? memory.purchases.get(link.purchaseId) : undefined;
      const organisation = memory.organisations.get(orgId);
      const customer = purchase && memory.customers.get(purchase.customerId);
      if (!link || !purchase || !organisation || !customer) return null;
      return {
        linkId,
        orgId,
        purchaseId: purchase.id,
        createdAt: link.createdAt,
        expiresAt: link.expiresAt,
        revokedAt: link.revokedAt,
        isReplaced:
          link.revokedAt !== null && linksOf(memory, purchase.id).some(({ revokedAt }) => revokedAt === null),
        usedAt: link.usedAt,
        organisation: { name: organisation.name, email: organisation.email, language: organisation.language },
        customer: { name: customer.name, email: customer.email },
        orderNumber: purchase.orderNumber,
        productName: memory.products.get(purchase.productId)?.name ?? '',
        version: describeVersion(memory, purchase),
        newerVersion: newerVersionOf(memory, purchase)?.version ?? null,
      };
    },
    refresh: async (orgId, linkId, at, expiresAt) =>
      changeLink(memory, orgId, linkId, (link) => (works(link, at) ? openLink(link, at, expiresAt) : null)),
    prolong: async (orgId, linkId, at, expiresAt) =>
      changeLink(memory, orgId, linkId, (link) => (works(link, at) ? { ...link, expiresAt } : null)),
    listOfBuyer: async (email, query) => listOfBuyer(memory, email, query),
  };
}

function listOfBuyer(
  memory: Memory,
  email: string,
  { before, mailedAt, limit, renewal }: Parameters<DownloadLinks['listOfBuyer']>[1],
): readonly LibraryItem[] {
  const bought = newestFirst(memory.purchases.values()).filter(({ customerId }) => {
    const customer = memory.customers.get(customerId);
    return customer && normalizeEmail(customer.email) === normalizeEmail(email);
  });
  const from = before === null ? 0 : bought.findIndex(({ id }) => id === before) + 1;
  const listed = before !== null && from === 0 ? [] : bought.slice(from);
  return listed
    .flatMap((purchase) => {
      const links = linksOf(memory, purchase.id);
      const [link] = newestFirst(links);
      const isReplaced = links.some(({ revokedAt }) => revokedAt !== null && revokedAt > mailedAt);
      return link && link.revokedAt === null ? [{ purchase, link, isReplaced }] : [];
    })
    .slice(0, limit)
    .map(({ purchase, link, isReplaced }) => {
      if (isReplaced) return describeItem(memory, purchase, null);
      const renewed = renewal && works(link, renewal.at) ? { ...link, expiresAt: renewal.expiresAt } : link;
      memory.links.set(link.id, renewed);
      return describeItem(memory, purchase, { id: link.id, expiresAt: renewed.expiresAt });
    });
}

function describeItem(memory: Memory, purchase: Purchase, link: LibraryItem['link']): LibraryItem {
  const organisation = memory.organisations.get(purchase.orgId);
  return {
    orgId: purchase.orgId,
    shop: { name: organisation?.name ?? '', email: organisation?.email ?? '' },
    purchaseId: purchase.id,
    link,
    productName: memory.products.get(purchase.productId)?.name ?? '',
    version: describeVersion(memory, purchase),
    orderNumber: purchase.orderNumber,
    boughtAt: purchase.createdAt,
  };
}

function works(link: LinkRow, at: Date): boolean {
  return link.revokedAt === null && link.expiresAt > at;
}

function changeLink(
  { links }: Memory,
  orgId: string,
  linkId: string,
  change: (link: LinkRow) => LinkRow | null,
): boolean {
  const link = links.get(linkId);
  const changed = link?.orgId === orgId ? change(link) : null;
  if (changed) links.set(linkId, changed);
  return changed !== null;
}

function openLink(link: LinkRow, at: Date, expiresAt: Date): LinkRow {
  const { openedCount, firstOpenedAt } = link;
  return {
    ...link,
    expiresAt,
    openedCount: openedCount + 1,
    firstOpenedAt: firstOpenedAt ?? at,
    lastOpenedAt: at,
  };
}

/** The live version, if it is newer than the one that was bought. */
function newerVersionOf(memory: Memory, purchase: Purchase): ProductVersion | undefined {
  const bought = versionOf(memory, purchase);
  const { activeVersionId = null } = memory.products.get(purchase.productId) ?? {};
  const live = activeVersionId ? memory.versions.get(activeVersionId) : undefined;
  return bought && live && live.createdAt > bought.createdAt ? live : undefined;
}
