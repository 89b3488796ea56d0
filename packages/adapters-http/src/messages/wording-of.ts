import { DEFAULT_LANGUAGE, type Formats, formatsOf, type Language } from '@handover/domain';
import { type Html, html } from '@handover/html';
import { de } from './de.ts';
import { en, type Messages } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { ja } from './ja.ts';
import { pt } from './pt.ts';

/** What a page is written with: the messages and formats of its language. */
export interface Wording {
  readonly messages: Messages;
  readonly formats: Formats;
}

const MESSAGES: Readonly<Record<Language, Messages>> = { en, de, fr, es, pt, ja };

export function wordingOf(language: Language): Wording {
  return { messages: MESSAGES[language], formats: formatsOf(language) };
}

/** For pages that are not a shop's. */
export const ENGLISH: Wording = wordingOf(DEFAULT_LANGUAGE);

/** A time with its date and zone. The page's script rewrites it in the buyer's own zone. */
export function showTime({ formats }: Wording, at: Date): Html {
  return html`<time datetime="${at.toISOString()}">${keepDayWithMonth(formats.moment(at, 'UTC'))}</time>`;
}

/** A line may end within a long time, but not between the day and its month. The page's script does the same. */
function keepDayWithMonth(moment: string): string {
  return moment.replace(/(\d\.?) (?=\p{L})/u, '$1\u00a0');
}

/** The day of a time, likewise. */
export function showDay({ formats }: Wording, at: Date): Html {
  return html`<time datetime="${at.toISOString()}" data-day>${formats.date(at, 'UTC')}</time>`;
}
