import type { PurchaseRecord, PurchaseSource } from '@handover/domain';
import { listPlatforms } from '@handover/domain';
import { vendorOf } from '../parts/platform.ts';

/** The sources of purchases, for a select list. */
export function listSources(): readonly { readonly value: PurchaseSource; readonly words: string }[] {
  return [
    ...listPlatforms().map((platform) => ({ value: platform, words: vendorOf(platform) })),
    { value: 'dashboard', words: 'Recorded here' },
    { value: 'api', words: 'Recorded by the API' },
  ];
}

export function readSource(text: string | null): PurchaseSource | null {
  return listSources().find(({ value }) => value === text)?.value ?? null;
}

/** For lists: only the vendor. */
export function formatSource(source: PurchaseSource): string {
  if (source === 'dashboard') return 'By hand';
  return source === 'api' ? 'API' : vendorOf(source);
}

/** For details: "Shopify, main". */
export function formatOrigin({ source, connectionName }: PurchaseRecord): string {
  if (source === 'dashboard') return 'Recorded by hand';
  if (source === 'api') return 'Recorded by the API';
  return connectionName === null ? vendorOf(source) : `${vendorOf(source)}, ${connectionName}`;
}
