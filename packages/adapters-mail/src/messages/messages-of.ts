import type { Language } from '@handover/domain';
import { de } from './de.ts';
import { en, type MailMessages } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { ja } from './ja.ts';
import { pt } from './pt.ts';

const MESSAGES: Readonly<Record<Language, MailMessages>> = { en, de, fr, es, pt, ja };

/** What mails say in a language. */
export function messagesOf(language: Language): MailMessages {
  return MESSAGES[language];
}
