import { MASK } from '@handover/platform-contract';
import { formatSize } from '../../../pages/words.ts';
import { layOutText } from './lay-out-text.ts';
import { holdsEmail, type Piece, textPiece } from './redact-personal-data.ts';

/** What the name of a value says about it. */
export interface Naming {
  readonly isSecret: boolean;
  readonly isPersonal: boolean;
}

/** Longer values are counted, not shown: a note of an order has 5,000 characters at most. */
const MAX_SHOWN_LENGTH = 20_000;

/** `text`: the decoded value. `written`: its source text, which is shown unless some of it must be hidden. */
export function showValue(text: string, written: string, { isSecret, isPersonal }: Naming): Piece {
  if (text === '') return textPiece(written);
  const quote = written.startsWith('"') ? '"' : '';
  const mask = textPiece(`${quote}${MASK}${quote}`);
  if (isSecret) return mask;
  if (isTooLong(written)) return textPiece(`${quote}${describeLength(written)}${quote}`);
  if (isPersonal || holdsEmail(text))
    return { kind: 'personal', text: holdsSecret(text) ? mask.text : written };
  return holdsSecret(text) ? mask : textPiece(written);
}

export function isTooLong(written: string): boolean {
  return written.length > MAX_SHOWN_LENGTH;
}

export function describeLength(written: string): string {
  return `[${formatSize(written.length)} of text]`;
}

/** An address with `?token=…`, or JSON within a JSON string. */
function holdsSecret(text: string): boolean {
  for (const piece of layOutText(text, false)) if (piece.text === MASK) return true;
  return false;
}
