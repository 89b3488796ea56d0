import { type Candidate, parseDecimal } from '@handover/domain';

/** The candidates for a line's product, best first: the merchant's own texts before the vendor's numbers. */
export function listCandidates({
  skus,
  vendorIds,
}: {
  readonly skus: readonly (string | undefined)[];
  readonly vendorIds: readonly (string | undefined)[];
}): readonly Candidate[] {
  return [
    ...skus.filter(isGiven).map((value) => ({ kind: 'sku', value }) as const),
    ...vendorIds.filter(isGiven).map((value) => ({ kind: 'vendor-id', value }) as const),
  ];
}

/** A whole number from 0 up, also when written as `2.0`; null for any other text. */
export function readQuantity(text: string | undefined): number | null {
  const decimal = parseDecimal(text ?? '');
  if (!decimal) return null;
  const { units, scale } = decimal;
  const one = 10n ** BigInt(scale);
  const quantity = Number(units / one);
  return units >= 0n && units % one === 0n && Number.isSafeInteger(quantity) ? quantity : null;
}

/** Platforms write 0 for a missing SKU, variant or product. */
function isGiven(value: string | undefined): value is string {
  return value !== undefined && value !== '' && value !== '0';
}
