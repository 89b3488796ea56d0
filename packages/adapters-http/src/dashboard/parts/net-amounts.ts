import type { LogSource, Platforms } from '@handover/domain';

/** Which of these shops name amounts without tax, in a sentence; null if none does. */
export function netAmounts(
  platforms: Platforms,
  sources: readonly Pick<LogSource, 'platform'>[],
): string | null {
  const net = new Set(sources.map(({ platform }) => platform).filter(platforms.isNetOfTax));
  const names = [...net].map(platforms.vendorOf).sort();
  return names.length === 0 ? null : `Amounts from ${names.join(' and ')} are without tax.`;
}
