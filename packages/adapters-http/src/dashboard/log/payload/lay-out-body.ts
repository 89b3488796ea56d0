import { isForm, layOutForm } from './lay-out-form.ts';
import { layOutJson } from './lay-out-json.ts';
import { layOutText } from './lay-out-text.ts';
import type { Piece } from './redact-personal-data.ts';

/**
 * Formats a stored body for display: without its secrets, and with personal data marked, piece by piece.
 * The time is linear in the text's length for any input, and the caller may stop after any piece. `isCut`:
 * the body continues after this text.
 */
export function layOutBody(text: string, isCut: boolean): Generator<Piece> {
  const trimmed = text.trim();
  if (/^[{[]/.test(trimmed)) return layOutJson(trimmed, isCut);
  return isForm(trimmed) ? layOutForm(trimmed, isCut) : layOutText(text, isCut);
}
