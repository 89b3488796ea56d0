/** The languages of buyers' pages and mails, English first. */
export const LANGUAGES = ['en', 'de', 'fr', 'es', 'pt', 'ja'] as const;

/** A language of buyers' pages and mails, by its ISO 639 code. */
export type Language = (typeof LANGUAGES)[number];

/** The language of organisations that have not chosen one, and of pages without an organisation. */
export const DEFAULT_LANGUAGE: Language = 'en';

/** The time zone of organisations that have not chosen one. */
export const DEFAULT_TIME_ZONE = 'UTC';

/** The language of a tag that platforms send, such as `de`, `de-AT` or `pt_BR`; null for one that is not in `LANGUAGES`. */
export function readLanguage(tag: string | null | undefined): Language | null {
  const [primary = ''] = (tag ?? '').trim().toLowerCase().split(/[-_]/, 1);
  return LANGUAGES.find((language) => language === primary) ?? null;
}

/** The language of a mail: the buyer's if it is known, else the shop's. */
export function chooseLanguage(
  ofBuyer: Language | null | undefined,
  ofShop: Language | null | undefined,
): Language {
  return ofBuyer ?? ofShop ?? DEFAULT_LANGUAGE;
}

/** The canonical name of an IANA time zone, such as `Europe/Berlin`; null for any other text. */
export function readTimeZone(name: string): string | null {
  const typed = name.trim();
  // `Intl` accepts an offset such as `+01:00`, which has no daylight saving time.
  if (!/^[a-z][a-z0-9_+/-]*$/i.test(typed) || typed.length > 60) return null;
  if (canonical.has(typed)) return typed;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: typed }).resolvedOptions();
    if (timeZone === typed) canonical.add(typed);
    return timeZone;
  } catch {
    return null;
  }
}

/** Canonical names that were checked: a cache, because `Intl` is slow and each mail asks. It has at most some hundred names. */
const canonical = new Set<string>();
