import { isSecretName, MASK } from '@handover/platform-contract';
import {
  isDelimiter,
  isPersonalName,
  type Piece,
  redactPersonalData,
  textPiece,
} from './redact-personal-data.ts';

/**
 * XML, broken JSON or an unknown format, unchanged except that the value after a secret's name is left out
 * and personal data is marked. It only reads forwards.
 */
export function* layOutText(whole: string, isCut: boolean): Generator<Piece> {
  const text = isCut ? withoutLastWord(whole) : whole;
  let from = 0;
  for (let at = findSign(text, 0); at >= 0; at = findSign(text, Math.max(at + 1, from))) {
    const value = text[at] === '<' ? readElement(text, at) : readMember(text, at, from);
    if (!value || value.start >= value.end) {
      // The caller can pause after each piece.
      yield NOTHING;
      continue;
    }
    yield* redactPersonalData(text.slice(from, value.start));
    yield value.kind === 'secret'
      ? textPiece(MASK)
      : { kind: 'personal', text: text.slice(value.start, value.end) };
    from = value.end;
  }
  yield* redactPersonalData(text.slice(from));
}

const NOTHING = textPiece('');

function findSign(text: string, from: number): number {
  SIGN.lastIndex = from;
  return SIGN.exec(text)?.index ?? -1;
}

const SIGN = /[<:=]/g;

/** A value that must not be shown. */
interface Value {
  readonly kind: 'secret' | 'personal';
  readonly start: number;
  readonly end: number;
}

function kindOf(name: string): Value['kind'] | null {
  if (isSecretName(name)) return 'secret';
  return isPersonalName(name, false) ? 'personal' : null;
}

/** The cut may have split an address, and half of one must not be shown. */
function withoutLastWord(text: string): string {
  let end = text.length;
  while (end > 0 && !isDelimiter(text, end - 1)) end -= 1;
  return text.slice(0, end);
}

/** `<name>value</name>`, with any content. Without a closing tag it extends to the end of the text. */
function readElement(text: string, at: number): Value | null {
  START_TAG.lastIndex = at;
  const [tag = '', name = ''] = START_TAG.exec(text) ?? [];
  const kind = kindOf(name);
  // Only these search for a closing tag, so that the text is not searched for the same tag again and again.
  return kind && { kind, start: at + tag.length, end: endAt(text, `</${name}`, at) };
}

const START_TAG = /<([\w:.-]{1,80})(?:\s[^<>]*)?>/y;

const [MAX_BLANKS, MAX_NAME_LENGTH] = [20, 80];

/** `name=value`, `"name": "value"`, `\"name\":\"value\"`. */
function readMember(text: string, at: number, from: number): Value | null {
  let end = at;
  while (end > from && at - end < MAX_BLANKS && isBlank(text[end - 1])) end -= 1;
  for (let quotes = 0; quotes < 2 && end > from && isQuote(text[end - 1]); quotes += 1) end -= 1;
  let begin = end;
  while (begin > from && end - begin < MAX_NAME_LENGTH && OF_A_NAME.test(text.charAt(begin - 1))) begin -= 1;
  const kind = end - begin < SHORTEST_NAME ? null : kindOf(text.slice(begin, end));
  if (!kind) return null;
  BEFORE_VALUE.lastIndex = at + 1;
  const [before = '', quote = ''] = BEFORE_VALUE.exec(text) ?? [];
  const start = at + 1 + before.length;
  return { kind, start, end: quote === '' ? endOfBare(text, start) : endAt(text, quote, start) };
}

const SHORTEST_NAME = 3;
const OF_A_NAME = /[\w.[\]-]/;
const BEFORE_VALUE = /\s{0,20}(\\"|["']?)/y;

/** An escaped quote does not close an unescaped one. */
function endAt(text: string, mark: string, from: number): number {
  let end = text.indexOf(mark, from);
  while (mark.length === 1 && end > from && text[end - 1] === '\\') end = text.indexOf(mark, end + 1);
  return end < 0 ? text.length : end;
}

function endOfBare(text: string, from: number): number {
  END_OF_BARE.lastIndex = from;
  return END_OF_BARE.exec(text)?.index ?? text.length;
}

const END_OF_BARE = /["&<>,;\s{}]/g;

function isBlank(sign: string | undefined): boolean {
  return sign !== undefined && /\s/.test(sign);
}

function isQuote(sign: string | undefined): boolean {
  return sign === '"' || sign === "'" || sign === '\\';
}
