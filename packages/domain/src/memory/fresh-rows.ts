import type { DownloadLink } from '../model/download-link.ts';
import type { Receipt } from '../model/receipt.ts';
import { UNCLAIMED } from './claims.ts';
import type { EmailRow, LinkRow } from './rows.ts';

/** A link that nobody has opened yet. */
export function freshLink(link: DownloadLink): LinkRow {
  const unopened = { openedCount: 0, firstOpenedAt: null, lastOpenedAt: null, usedAt: null };
  return { ...link, ...unopened, revokedAt: null, revocationId: null, customerId: null };
}

/** A receipt that nobody has tried to send yet. */
export function freshReceipt(receipt: Receipt, deliveryId: string | null = null): EmailRow {
  const { customerId, language } = receipt;
  return { ...freshEmail('receipt', receipt), customerId, language, deliveryId };
}

/** An e-mail that nobody has tried to send yet. */
export function freshEmail(
  kind: EmailRow['kind'],
  { id, orgId, createdAt }: Pick<EmailRow, 'id' | 'orgId' | 'createdAt'>,
): EmailRow {
  return {
    ...{ id, orgId, kind, createdAt },
    status: 'pending',
    pendingSince: createdAt,
    attempts: 0,
    postponed: false,
    lastAnswer: null,
    lastAnswerAt: null,
    nextTryAt: createdAt,
    ...UNCLAIMED,
    sentAt: null,
    customerId: null,
    deliveryId: null,
    language: null,
    subject: null,
    linkIds: null,
    leftOut: false,
  };
}
