import type { ProductVersion } from '../model/product.ts';
import type { Purchase } from '../model/purchase.ts';
import type { DownloadLinks } from '../ports/downloads.ts';
import { type Memory, versionOf } from './memory.ts';
import type { LinkRow } from './rows.ts';

export function createInMemoryDownloadLinks(memory: Memory): DownloadLinks {
  return {
    find: async (orgId, linkId) => {
      const link = memory.links.get(linkId);
      const purchase = link?.orgId === orgId ? memory.purchases.get(link.purchaseId) : undefined;
      const organisation = memory.organisations.get(orgId);
      const customer = purchase && memory.customers.get(purchase.customerId);
      if (!link || !purchase || !organisation || !customer) return null;
      const version = versionOf(memory, purchase);
      return {
        linkId,
        orgId,
        purchaseId: purchase.id,
        expiresAt: link.expiresAt,
        revokedAt: link.revokedAt,
        usedAt: link.usedAt,
        organisation: { name: organisation.name, email: organisation.email, language: organisation.language },
        customer: { name: customer.name, email: customer.email },
        orderNumber: purchase.orderNumber,
        productName: memory.products.get(purchase.productId)?.name ?? '',
        version: version ? { label: version.version, files: memory.files.get(version.id) ?? [] } : null,
        newerVersion: newerVersionOf(memory, purchase)?.version ?? null,
      };
    },
    refresh: async (orgId, linkId, at, expiresAt) =>
      changeLink(memory, orgId, linkId, (link) => (works(link, at) ? openLink(link, at, expiresAt) : null)),
    prolong: async (orgId, linkId, at, expiresAt) =>
      changeLink(memory, orgId, linkId, (link) => (works(link, at) ? { ...link, expiresAt } : null)),
    revoke: async (orgId, linkId, at) =>
      changeLink(memory, orgId, linkId, (link) => ({ ...link, revokedAt: link.revokedAt ?? at })),
    restore: async (orgId, linkId) =>
      changeLink(memory, orgId, linkId, (link) => ({ ...link, revokedAt: null })),
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

/** The live version, if it came after the one that was bought. */
function newerVersionOf(memory: Memory, purchase: Purchase): ProductVersion | undefined {
  const bought = versionOf(memory, purchase);
  const { activeVersionId = null } = memory.products.get(purchase.productId) ?? {};
  const live = activeVersionId ? memory.versions.get(activeVersionId) : undefined;
  return bought && live && live.createdAt > bought.createdAt ? live : undefined;
}
