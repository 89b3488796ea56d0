import { countBytes } from '../model/byte-ranges.ts';
import {
  classifyDownload,
  type DownloadProgress,
  type DownloadSessionRow,
  type FileProgress,
  LISTED_FILES,
  type ReportedSession,
  type SentBytes,
} from '../model/download-session.ts';
import type { Purchase } from '../model/purchase.ts';
import type { DownloadSessions } from '../ports/downloads.ts';
import { normalizeOrderNumber } from '../purchases/search-words.ts';
import { type Memory, newestLinkOf, versionOf } from './memory.ts';
import type { LinkRow, SessionRow } from './rows.ts';
import { isOfBuyerOrProduct, isOfNumber } from './search.ts';

/** The queries of reports and pages about sessions. */
export function createInMemorySessionLists(
  memory: Memory,
): Pick<DownloadSessions, 'list' | 'search' | 'show'> {
  const listOf = (orgId: string) =>
    [...memory.sessions.values()]
      .filter((session) => session.orgId === orgId)
      .sort((a, b) => a.startedAt.getTime() - b.startedAt.getTime() || compare(a.id, b.id));
  return {
    search: async (orgId, { text, includesSales = false, state, now, before, limit }) => {
      const newest = listOf(orgId).reverse();
      const start = before === null ? 0 : newest.findIndex(({ id }) => id === before) + 1;
      if (before !== null && start === 0) return [];
      return newest
        .slice(start)
        .filter((session) => text.trim() === '' || isMeant(memory, session, text, includesSales))
        .map((session) => describeSession(memory, session))
        .filter((row) => state === null || classifyDownload(row, now) === state)
        .slice(0, limit);
    },
    show: async (orgId, sessionId) => {
      const session = memory.sessions.get(sessionId);
      if (session?.orgId !== orgId) return null;
      const row = describeSession(memory, session);
      const newest = newestLinkOf(memory, row.purchaseId);
      const { files } = describeProgress(session);
      return { ...row, files, purchaseRevokedAt: newest?.revokedAt ?? null };
    },
    async *list(orgId, { from, until }) {
      const rows = listOf(orgId).filter(({ startedAt }) => startedAt >= from && startedAt < until);
      for (const session of rows) yield reportSession(describeSession(memory, session));
    },
  };
}

export function describeProgress({
  id,
  startedAt,
  lastByteAt,
  completedAt,
  files,
}: SessionRow): DownloadProgress {
  const described = files
    .map(describeFile)
    .sort((a, b) => compare(a.version, b.version) || compare(a.name, b.name));
  return { id, startedAt, lastByteAt, completedAt, files: described };
}

function describeFile({ version, name, size, ranges }: SentBytes): FileProgress {
  const sent = countBytes(ranges);
  return { version, name, size, sent, whole: sent === size };
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function isMeant(memory: Memory, { linkId }: SessionRow, text: string, includesSales: boolean): boolean {
  const link = memory.links.get(linkId);
  const purchase = memory.purchases.get(link?.purchaseId ?? '');
  if (!link || !purchase) return false;
  const number = (includesSales && normalizeOrderNumber(text)) || null;
  if (isOfNumber(purchase, purchase.source, number)) return true;
  return madeForIds(link, purchase).some((customerId) =>
    isOfBuyerOrProduct(memory, { ...purchase, customerId }, text),
  );
}

/** Sessions are found by both customers: the one that the link was made for, and the purchase's. */
function madeForIds(link: LinkRow, purchase: Purchase): readonly string[] {
  return [...(link.customerId === null ? [] : [link.customerId]), purchase.customerId];
}

function reportSession(row: DownloadSessionRow): ReportedSession {
  const { id, startedAt, lastByteAt, bytes, completedAt, client, filesBegun, filesWhole } = row;
  const { purchaseId, orderId, orderNumber, productName, version, customerName, customerEmail } = row;
  const sale = { purchaseId, orderId, orderNumber, productName, version, customerName, customerEmail };
  return { id, startedAt, lastByteAt, bytes, completedAt, client, filesBegun, filesWhole, ...sale };
}

function describeSession(memory: Memory, session: SessionRow): DownloadSessionRow {
  const link = memory.links.get(session.linkId);
  const purchase = link && memory.purchases.get(link.purchaseId);
  const buyer = purchase && memory.customers.get(purchase.customerId);
  const customer = link?.customerId ? memory.customers.get(link.customerId) : buyer;
  const product = purchase && memory.products.get(purchase.productId);
  if (!link || !purchase || !buyer || !customer || !product)
    throw new Error('A session without its purchase.');
  const { id, orgId, startedAt, lastByteAt, bytes, completedAt, client } = session;
  const { files } = describeProgress(session);
  return {
    id,
    orgId,
    startedAt,
    lastByteAt,
    bytes,
    completedAt,
    purchaseId: purchase.id,
    orderId: purchase.orderId,
    orderNumber: purchase.orderNumber,
    isTest: memory.testPurchases.has(purchase.id),
    productId: product.id,
    productName: product.name,
    productSlug: product.slug,
    version: versionOf(memory, purchase)?.version ?? null,
    customerName: customer.name,
    customerEmail: customer.email,
    movedTo: customer.id === buyer.id ? null : { name: buyer.name, email: buyer.email },
    client,
    filesBegun: files.length,
    filesWhole: files.filter(({ whole }) => whole).length,
    fileNames: files.slice(0, LISTED_FILES).map(({ name }) => name),
    sent: files.reduce((sum, file) => sum + file.sent, 0),
    size: files.reduce((sum, file) => sum + file.size, 0),
    linkId: link.id,
    linkExpiresAt: link.expiresAt,
    linkUsedAt: link.usedAt,
    linkRevokedAt: link.revokedAt,
  };
}
