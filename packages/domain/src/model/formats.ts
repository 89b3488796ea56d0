import { displayAmount } from './currency.ts';
import type { Language } from './language.ts';

/** How numbers and times are written in one language. */
export interface Formats {
  /** A language tag, for `lang` attributes, `Content-Language` and `Intl`. */
  readonly locale: string;
  /** `3.1 GB`, `412 kB`, `1 byte`. */
  size(bytes: number): string;
  /** In whole hours, or below one in whole minutes: `48 hours`, `1 hour`, `20 minutes`. */
  duration(milliseconds: number): string;
  /** `14 October 2026`. */
  date(at: Date, timeZone: string): string;
  /** `Wednesday 14 October at 14:02 UTC`: without the year, for a time within some days. */
  moment(at: Date, timeZone: string): string;
  /** The digits of an amount, without its currency: `49.00`, `1,250.00`. */
  amount(amount: string, currency: string | null): string;
}

/** The options of {@link Formats.moment}. The script of buyers' pages uses them in the buyer's own zone, without its name. */
export const MOMENT_FORMAT = {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
} as const;

const LOCALES: Readonly<Record<Language, string>> = {
  en: 'en-GB',
  de: 'de',
  fr: 'fr',
  es: 'es',
  pt: 'pt-BR',
  ja: 'ja',
};

const made = new Map<Language, Formats>();

/** The formats of a language. They are cached, because the formatters of `Intl` are slow to create. */
export function formatsOf(language: Language): Formats {
  const known = made.get(language) ?? makeFormats(LOCALES[language]);
  made.set(language, known);
  return known;
}

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte', 'petabyte'] as const;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

function makeFormats(locale: string): Formats {
  const bytes = UNITS.map((unit) =>
    Array.from(
      { length: 2 },
      (_, digits) =>
        new Intl.NumberFormat(locale, {
          style: 'unit',
          unit,
          unitDisplay: unit === 'byte' ? 'long' : 'short',
          maximumFractionDigits: digits,
        }),
    ),
  );
  const numbers = new Intl.NumberFormat(locale);
  const point = numbers.format(1.5).charAt(1);
  const hours = new Intl.NumberFormat(locale, { style: 'unit', unit: 'hour', unitDisplay: 'long' });
  const minutes = new Intl.NumberFormat(locale, { style: 'unit', unit: 'minute', unitDisplay: 'long' });
  const dates = inEachZone(locale, { dateStyle: 'long' });
  const moments = inEachZone(locale, MOMENT_FORMAT);
  return {
    locale,
    size: (size) => {
      const { value, unit, digits } = scaleBytes(size);
      return bytes[unit]?.[digits]?.format(value) ?? String(size);
    },
    duration: (milliseconds) => {
      const inMinutes = Math.max(1, Math.round(milliseconds / MINUTE_MS));
      const words =
        inMinutes < 60 ? minutes.format(inMinutes) : hours.format(Math.round(milliseconds / HOUR_MS));
      // Japanese has a space only between number and unit; there a line must not break.
      return locale === 'ja' ? words.replace(' ', '\u00a0') : words;
    },
    date: (at, timeZone) => dates(timeZone).format(at),
    moment: (at, timeZone) => writeMoment(locale, moments(timeZone).formatToParts(at)),
    amount: (amount, currency) => {
      const [, sign = '', whole = '', fraction] = AMOUNT.exec(displayAmount(amount, currency)) ?? [];
      if (whole === '') return amount;
      // `Intl` rounds fractions and large numbers, but formats a bigint exactly.
      const grouped = `${sign}${numbers.format(BigInt(whole))}`;
      return fraction === undefined ? grouped : `${grouped}${point}${fraction}`;
    },
  };
}

/**
 * A time within a sentence. `Intl` omits the German “Uhr” and the Spanish “a las”, and writes one comma where Spanish has none
 * and Portuguese has two. The script of buyers' pages does the same.
 */
function writeMoment(locale: string, parts: readonly Intl.DateTimeFormatPart[]): string {
  const write = ({ type, value }: Intl.DateTimeFormatPart, at: number) => {
    const next = parts[at + 1];
    if (type !== 'literal' || next === undefined) return value;
    if (locale === 'de' && next.type === 'hour') return ', ';
    if (locale === 'de' && next.type === 'timeZoneName') return ' Uhr ';
    if (locale === 'es' && next.type === 'day') return ' ';
    if (locale === 'es' && next.type === 'hour') return Number(next.value) === 1 ? ' a la ' : ' a las ';
    // “À zero hora”, but “a las cero horas”.
    if (locale === 'pt-BR' && next.type === 'hour') return Number(next.value) <= 1 ? ', à ' : ', às ';
    return value;
  };
  return parts.map(write).join('');
}

const AMOUNT = /^(-?)(\d+)(?:\.(\d+))?$/;

/** A cache of formatters, one for each zone. */
function inEachZone(
  locale: string,
  options: Intl.DateTimeFormatOptions,
): (timeZone: string) => Intl.DateTimeFormat {
  const known = new Map<string, Intl.DateTimeFormat>();
  return (timeZone) => {
    const format = known.get(timeZone) ?? new Intl.DateTimeFormat(locale, { ...options, timeZone });
    known.set(timeZone, format);
    return format;
  };
}

/** The largest unit in which the rounded size is at least 1: 999.96 kB is 1 MB, not 1000 kB. */
function scaleBytes(size: number): {
  readonly value: number;
  readonly unit: number;
  readonly digits: 0 | 1;
} {
  let value = size;
  let unit = 0;
  while (value >= (unit === 0 ? 1000 : 999.5) && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return { value, unit, digits: value < 99.95 && unit > 0 ? 1 : 0 };
}
