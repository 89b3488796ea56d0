import type { DownloadLink } from '../downloads/download-link.ts';
import type { Receipt } from '../receipts/receipt.ts';
import { UNCLAIMED } from './in-memory-claims.ts';
import type { LinkRow, ReceiptRow } from './memory.ts';

/** A link that nobody has opened yet. */
export function freshLink(link: DownloadLink): LinkRow {
  return { ...link, openedCount: 0, firstOpenedAt: null, lastOpenedAt: null, usedAt: null, revokedAt: null };
}

/** A receipt that nobody has tried to send yet. */
export function freshReceipt(receipt: Receipt): ReceiptRow {
  return {
    ...receipt,
    status: 'owed',
    owedSince: receipt.createdAt,
    attempts: 0,
    postponed: false,
    lastAnswer: null,
    lastAnswerAt: null,
    nextTryAt: receipt.createdAt,
    ...UNCLAIMED,
    sentAt: null,
  };
}
