import type { Platforms, PurchaseQuery, ReceiptStatus } from '@handover/domain';
import type { AskedDays } from '../parts/days.ts';
import { readSource } from './source-words.ts';

/** The filters of the list, as its address holds them. */
export function readPurchaseQuery(
  { platforms }: { readonly platforms: Platforms },
  asked: URLSearchParams,
  { period }: AskedDays,
): Omit<PurchaseQuery, 'before' | 'limit'> {
  return {
    text: asked.get('q') ?? '',
    productId: asked.get('product') || null,
    customerId: asked.get('customer') || null,
    source: readSource(platforms, asked.get('source')),
    receipt: readReceipt(asked.get('receipt')),
    period,
  };
}

function readReceipt(text: string | null): ReceiptStatus | null {
  // Old bookmarks say `owed`.
  if (text === 'owed') return 'pending';
  return text === 'refused' || text === 'pending' ? text : null;
}
