import { joinNotes } from '../fulfilment/record-deliveries.ts';
import type { DeliveryListRow, DeliveryStatus } from '../model/delivery.ts';
import { normalizeEmail } from '../model/email-address.ts';
import {
  causeOfError,
  LISTED_LINES,
  type LogEntry,
  MAX_COUNTED,
  SHOWN_LINES,
  type WaitingReceipt,
} from '../model/log-entry.ts';
import { normalizeSku } from '../model/sku-mapping.ts';
import type { DeliveryLog } from '../ports/fulfilment.ts';
import { normalizeOrderNumber } from '../purchases/search-words.ts';
import { isEntryDismissed } from './dismissals.ts';
import { type Memory, rowsWhere } from './memory.ts';
import { findRefund } from './refunds.ts';
import type { DeliveryRow } from './rows.ts';
import { isOfNumber } from './search.ts';

type LogPage = Pick<DeliveryLog, 'search' | 'count' | 'open' | 'listSources'>;

/** The queries of the log's page. */
export function createInMemoryLogPage(memory: Memory): LogPage {
  const entriesOf = (orgId: string, connectionId: string | null) =>
    rowsWhere(memory.deliveries, { orgId, ...(connectionId !== null && { connectionId }) });
  return {
    search: async (orgId, { text, status, cause = null, connectionId, before, limit }) =>
      entriesOf(orgId, connectionId)
        .filter((row) => (status === null || row.status === status) && (before === null || row.id < before))
        .filter((row) => cause === null || causeOfError(row) === cause)
        .filter((row) => isMeant(row, text))
        .sort((a, b) => (a.id < b.id ? 1 : -1))
        .slice(0, limit)
        .map((row) => describeEntry(memory, row, LISTED_LINES)),
    count: async (orgId, connectionId) => {
      const rows = entriesOf(orgId, connectionId);
      const count = (status: DeliveryStatus) =>
        Math.min(rows.filter((row) => row.status === status).length, MAX_COUNTED + 1);
      return {
        pending: count('pending'),
        success: count('success'),
        error: count('error'),
        held: count('held'),
        ignored: count('ignored'),
      };
    },
    open: async (orgId, deliveryId) => {
      const row = memory.deliveries.get(deliveryId);
      if (row?.orgId !== orgId) return null;
      return {
        ...describeEntry(memory, row, SHOWN_LINES),
        receipts: listWaiting(memory, row),
        refundedAt: findRefund(memory, row)?.at ?? null,
      };
    },
    listSources: async (orgId) =>
      rowsWhere(memory.connections, { orgId })
        .map(({ id, platform, name }) => ({ connectionId: id, platform, name }))
        .sort((a, b) => (`${a.platform} ${a.name}` < `${b.platform} ${b.name}` ? -1 : 1)),
  };
}

/** The row as the log shows it. */
export function describeRow(row: DeliveryRow): DeliveryListRow {
  const {
    bodyId: _,
    receivedNote,
    heldFor: _held,
    attempts: _attempts,
    decidedAt: _at,
    isTest: _test,
    ...shown
  } = row;
  return { ...shown, note: joinNotes(receivedNote, row.note) };
}

function isMeant(row: DeliveryRow, text: string): boolean {
  if (text.trim() === '') return true;
  const number = normalizeOrderNumber(text) || null;
  const begins = (whole: string | null, part: string) => part !== '' && whole?.startsWith(part) === true;
  return (
    isOfNumber(row, row.platform, number) ||
    begins(row.normalizedEmail, normalizeEmail(text)) ||
    row.lines.some(({ sku }) => begins(normalizeSku(sku), normalizeSku(text)))
  );
}

export function describeEntry(memory: Memory, row: DeliveryRow, most: number): LogEntry {
  return {
    ...describeRow(row),
    connectionName: memory.connections.get(row.connectionId)?.name ?? '',
    isTest: row.isTest === true,
    decidedAt: row.decidedAt,
    isDismissed: isEntryDismissed(memory, row),
    attempts: row.attempts,
    lines: row.lines.slice(0, most).map((line) => ({
      ...line,
      productName: (line.productId && memory.products.get(line.productId)?.name) || null,
    })),
    lineCount: row.lines.length,
    hasUnmatched: row.lines.some(({ outcome }) => outcome === 'unmatched'),
  };
}

function listWaiting(memory: Memory, { lines }: DeliveryRow): readonly WaitingReceipt[] {
  const ids = new Set(
    lines.map(({ purchaseId }) => purchaseId && memory.purchases.get(purchaseId)?.receiptId),
  );
  return [...ids]
    .flatMap((id): readonly WaitingReceipt[] => {
      const receipt = id ? memory.emails.get(id) : undefined;
      if (!receipt || receipt.status === 'sent') return [];
      const { status, attempts, lastAnswer, nextTryAt } = receipt;
      return [{ status, attempts, lastAnswer, nextTryAt }];
    })
    .sort((a, b) => a.nextTryAt.getTime() - b.nextTryAt.getTime());
}
