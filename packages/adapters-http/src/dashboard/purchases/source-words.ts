import type { PurchaseRecord, PurchaseSource } from '@handover/domain';
import { isPlatform, PLATFORMS } from '@handover/domain';
import { vendorOf } from '../parts/platform.ts';

/** Where purchases can come from, for a list to choose from. */
export const SOURCES: readonly { readonly value: PurchaseSource; readonly words: string }[] = [
  ...PLATFORMS.map((platform) => ({ value: platform, words: vendorOf(platform) })),
  { value: 'dashboard', words: 'Recorded here' },
  { value: 'api', words: 'Recorded by the API' },
];

export function readSource(text: string | null): PurchaseSource | null {
  return SOURCES.find(({ value }) => value === text)?.value ?? null;
}

/** For lists: the vendor alone. */
export function formatSource(source: PurchaseSource): string {
  if (isPlatform(source)) return vendorOf(source);
  return source === 'api' ? 'API' : 'By hand';
}

/** For details: "Shopify, main". */
export function formatOrigin({ source, connectionName }: PurchaseRecord): string {
  if (!isPlatform(source)) return source === 'api' ? 'Recorded by the API' : 'Recorded by hand';
  return connectionName === null ? vendorOf(source) : `${vendorOf(source)}, ${connectionName}`;
}
