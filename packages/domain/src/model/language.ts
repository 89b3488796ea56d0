/** The languages of buyers' pages and mails, English first. */
export const LANGUAGES = ['en', 'de', 'fr', 'es', 'pt', 'ja'] as const;

/** One of those that buyers’ pages and mails are written in, by its ISO 639 code. */
export type Language = (typeof LANGUAGES)[number];

/** Of an organisation that has not chosen one, and of pages that belong to none. */
export const DEFAULT_LANGUAGE: Language = 'en';

/** Of an organisation that has not chosen one. */
export const DEFAULT_TIME_ZONE = 'UTC';

/** The language of a tag as platforms send it, such as `de`, `de-AT` or `pt_BR`; null for one that we do not have. */
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

/** The name of a time zone of the IANA database in its canonical spelling, such as `Europe/Berlin`; null for any other text. */
export function readTimeZone(name: string): string | null {
  const typed = name.trim();
  // An offset such as `+01:00` is a zone to the runtime, but has no summer time.
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

/** Zones that the runtime knows by this spelling, so there are only some hundred. Asking it is slow, and each mail asks. */
const canonical = new Set<string>();
