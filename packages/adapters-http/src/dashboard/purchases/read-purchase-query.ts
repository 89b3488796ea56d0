import type { Platforms, PurchaseQuery, ReceiptStatus } from '@handover/domain';
import type { AskedDays } from '../parts/days.ts';
import { readSource } from './source-words.ts';

/** The filters of the list, as its address holds them. */
export function readPurchaseQuery(
  { platforms }: { readonly platforms: Platforms },
  asked: URLSearchParams,
  { period }: AskedDays,
): Omit<PurchaseQuery, 'before' | 'limit'> {
  const status = readStatus(asked.get('status')) ?? 'any';
  return {
    text: asked.get('q') ?? '',
    productId: asked.get('product') || null,
    customerId: asked.get('customer') || null,
    ...readSource(platforms, asked.get('source')),
    receipt: readReceipt(asked.get('receipt')),
    ...(status === 'refund-days'
      ? { isRefunded: true, refundedIn: period }
      : { period, ...STATUSES[status] }),
  };
}

/** Which of the statuses the list is limited to. With `refund-days` its days are those of refunds. */
export const PURCHASE_STATUSES = ['unopened', 'revoked', 'refunded', 'refund-days', 'test'] as const;
export type PurchaseStatus = (typeof PURCHASE_STATUSES)[number];

const STATUSES = {
  any: {},
  unopened: { isUnopened: true },
  revoked: { isRevoked: true },
  refunded: { isRefunded: true },
  test: { onlyTests: true },
} as const;

export function statusOfQuery({
  isRevoked,
  isUnopened,
  isRefunded,
  refundedIn,
  onlyTests,
}: Pick<
  PurchaseQuery,
  'isRevoked' | 'isUnopened' | 'isRefunded' | 'refundedIn' | 'onlyTests'
>): PurchaseStatus | null {
  if (onlyTests) return 'test';
  if (isUnopened) return 'unopened';
  if (isRefunded) return refundedIn ? 'refund-days' : 'refunded';
  return isRevoked ? 'revoked' : null;
}

function readStatus(text: string | null): PurchaseStatus | null {
  return PURCHASE_STATUSES.find((known) => known === text) ?? null;
}

function readReceipt(text: string | null): ReceiptStatus | null {
  // Old bookmarks say `owed`.
  if (text === 'owed') return 'pending';
  return text === 'refused' || text === 'pending' ? text : null;
}
