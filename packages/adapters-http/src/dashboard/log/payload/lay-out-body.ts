import { isForm, layOutForm } from './lay-out-form.ts';
import { layOutJson } from './lay-out-json.ts';
import { layOutText } from './lay-out-text.ts';
import type { Piece } from './redact-personal-data.ts';

/**
 * A stored body as it may be shown: laid out, without its secrets, and with what is about a person set apart, piece by
 * piece. It takes time in proportion to the text, whatever its sender made of it, and the caller may stop
 * after any of them. `isCut`: the body goes on after this text.
 */
export function layOutBody(text: string, isCut: boolean): Generator<Piece> {
  const trimmed = text.trim();
  if (/^[{[]/.test(trimmed)) return layOutJson(trimmed, isCut);
  return isForm(trimmed) ? layOutForm(trimmed, isCut) : layOutText(text, isCut);
}
