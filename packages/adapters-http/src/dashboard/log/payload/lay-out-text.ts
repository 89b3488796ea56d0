import { isSecretName, MASK } from '@handover/platform-contract';
import {
  isDelimiter,
  isPersonalName,
  type Piece,
  redactPersonalData,
  textPiece,
} from './redact-personal-data.ts';

/**
 * XML, broken JSON, or nobody knows what: as it came, without the value after a name that tells of a secret, and with
 * what is about a person set apart. It goes forward only: what is left behind is not looked at again.
 */
export function* layOutText(whole: string, isCut: boolean): Generator<Piece> {
  const text = isCut ? withoutLastWord(whole) : whole;
  let from = 0;
  for (let at = findSign(text, 0); at >= 0; at = findSign(text, Math.max(at + 1, from))) {
    const value = text[at] === '<' ? readElement(text, at) : readMember(text, at, from);
    if (!value || value.start >= value.end) {
      // The caller may pause after each piece.
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

/** What must not be seen. */
interface Value {
  readonly kind: 'secret' | 'personal';
  readonly start: number;
  readonly end: number;
}

function kindOf(name: string): Value['kind'] | null {
  if (isSecretName(name)) return 'secret';
  return isPersonalName(name, false) ? 'personal' : null;
}

/** The cut may have gone through an address, of which no half may be seen. */
function withoutLastWord(text: string): string {
  let end = text.length;
  while (end > 0 && !isDelimiter(text, end - 1)) end -= 1;
  return text.slice(0, end);
}

/** `<name>value</name>`, whatever is within. Without its end it goes on to the end of the text. */
function readElement(text: string, at: number): Value | null {
  START_TAG.lastIndex = at;
  const [tag = '', name = ''] = START_TAG.exec(text) ?? [];
  const kind = kindOf(name);
  // Only for those the end is looked for, so that no text is searched for the same end again and again.
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

/** An escaped quote does not end what began with one that is not. */
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
