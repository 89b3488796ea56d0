import type { AskedDays } from './days.ts';

/**
 * The title of a list’s page. What it is filtered by comes first, because browsers cut titles at their end, and each view has a
 * title of its own in the history and among the tabs.
 */
export function listTitle(
  name: string,
  filters: readonly (string | null | undefined | false)[],
  /** The newest row of an older page. */
  { olderFrom = null }: { readonly olderFrom?: Date | null | undefined } = {},
): string {
  const from = olderFrom && `from ${olderFrom.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return [...filters, from, name].filter(Boolean).join(' · ');
}

/** The searched text, in quotation marks. */
export function quoted(text: string): string | null {
  return text.trim() === '' ? null : `“${text.trim()}”`;
}

/** “2026-03-01 to 2026-03-31”, as they were typed. */
export function daysInTitle({ from, to }: Pick<AskedDays, 'from' | 'to'>): string | null {
  if (from === '') return to === '' ? null : `to ${to}`;
  return to === '' ? `from ${from}` : `${from} to ${to}`;
}

/** What an option of a filter is called; null where nothing is chosen. */
export function chosenWords(
  options: readonly { readonly value: string; readonly words: string }[],
  chosen: string | null,
): string | null {
  return chosen === null ? null : (options.find(({ value }) => value === chosen)?.words ?? null);
}
