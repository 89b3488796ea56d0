import type { ReceiptItem, ReceiptMail } from '@handover/domain';

export function sampleItem(changes: Partial<ReceiptItem> = {}): ReceiptItem {
  return {
    productName: 'Felt Piano',
    version: '2.1',
    fileCount: 3,
    totalSize: 6_300_000_000,
    amount: '49.00',
    currency: 'EUR',
    downloadUrl: `https://get.lumen.audio/d/${'AZLzqMQeesGSkQ7mZr2Xw9b1'.repeat(3)}`,
    ...changes,
  };
}

export function sampleReceipt(changes: Partial<ReceiptMail> = {}): ReceiptMail {
  return {
    kind: 'receipt',
    language: 'en',
    timeZone: 'UTC',
    worksUntil: new Date('2026-10-16T14:02:00Z'),
    mailId: '0192f3a8-c41e-7000-8000-000000000001',
    orgId: '0192f3a8-c41e-7000-8000-0000000000aa',
    organisation: { name: 'Lumen Audio', replyTo: 'help@lumen.audio' },
    to: { email: 'ana.lima@example.com', name: 'Ana Lima' },
    orderNumber: '#1186',
    orderedAt: new Date('2026-10-14T23:30:00Z'),
    items: [sampleItem()],
    myUrl: 'https://get.lumen.audio/my',
    ...changes,
  };
}

/** Under which a mail is sent. */
export const CLAIM = { claimId: 'the claim', askedAt: new Date(0) } as const;
