import { isSecretName, MASK } from '@handover/platform-contract';
import { layOutText } from './lay-out-text.ts';
import { holdsEmail, isPersonalName, isPersonObject, type Piece, textPiece } from './redact-personal-data.ts';
import { describeLength, isTooLong, type Naming, showValue } from './show-value.ts';

/**
 * Formats JSON with one member or element per line, up to the first syntax error; the rest is shown
 * unchanged. It reads token by token and only forwards, so a truncated text is formatted up to the cut. The
 * token at the cut is left out: half a secret must not be shown.
 */
export function* layOutJson(text: string, isCut: boolean): Generator<Piece> {
  const state: State = { open: [], expected: 'value', naming: PUBLIC, name: '', hidden: 0, wasHidden: false };
  let token = readJsonToken(text, 0);
  while (token.kind !== 'end' && !(isCut && token.end === text.length)) {
    const pieces = take(state, token.kind, text.slice(token.start, token.end));
    if (!pieces) {
      yield* layOutRest(text.slice(token.start), state, isCut);
      return;
    }
    yield* pieces;
    token = readJsonToken(text, token.end);
  }
}

interface State {
  /** The enclosing objects and lists, outermost first. */
  readonly open: Frame[];
  expected: 'value' | 'name' | 'colon' | 'next';
  name: string;
  /** The name of the next value. */
  naming: Naming;
  /** The depth within a value that is hidden as a whole. */
  hidden: number;
  wasHidden: boolean;
}

interface Frame {
  readonly isList: boolean;
  /** The name that elements of a list inherit. */
  readonly naming: Naming;
  readonly name: string;
  /** Whether this or an enclosing object describes a person. */
  readonly ofPerson: boolean;
  isEmpty: boolean;
}

const PUBLIC: Naming = { isSecret: false, isPersonal: false };

/** Far deeper than any order. The indentation is limited, so that the output stays near the body's size. */
const [DEEPEST, DEEPEST_INDENT] = [100, 12];

/** Null: the token is not allowed here. */
function take(state: State, kind: JsonToken['kind'], written: string): readonly Piece[] | null {
  if (state.hidden > 0) return skipHidden(state, kind);
  const { expected } = state;
  const frame = state.open.at(-1);
  switch (kind) {
    case 'text':
      if (expected === 'name') return takeName(state, written);
      return expected === 'value' ? takeValue(state, written) : null;
    case 'word':
      return expected === 'value' && WORD.test(written) ? takeValue(state, written) : null;
    case 'open':
      return expected === 'value' && state.open.length < DEEPEST ? takeOpen(state, written) : null;
    case 'close':
      return frame && (expected === 'next' || frame.isEmpty) && frame.isList === (written === ']')
        ? takeClose(state, frame, written)
        : null;
    case 'colon':
      if (expected !== 'colon') return null;
      state.expected = 'value';
      return [textPiece(': ')];
    case 'comma':
      if (expected !== 'next' || !frame) return null;
      state.expected = frame.isList ? 'value' : 'name';
      state.wasHidden = false;
      return [textPiece(',')];
    default:
      return null;
  }
}

/** A longer token is not a number, and can have any length. */
const WORD = /^(?:true|false|null|-?\d[\d.eE+-]{0,1000})$/;

function takeName(state: State, written: string): readonly Piece[] {
  const ofPerson = state.open.at(-1)?.ofPerson ?? false;
  const name = readText(written);
  const start = startLine(state);
  state.expected = 'colon';
  state.name = name;
  state.naming = { isSecret: isSecretName(name), isPersonal: isPersonalName(name, ofPerson) };
  if (isTooLong(written)) return [start, textPiece(`"${describeLength(written)}"`)];
  return [start, holdsEmail(name) ? { kind: 'personal', text: written } : textPiece(written)];
}

function takeValue(state: State, written: string): readonly Piece[] {
  const start = startLine(state);
  const text = readText(written);
  // Escapes are decoded: "Caf\u00e9" and "https:\/\/" are hard to read.
  const readable = text !== written && written.includes('\\') ? JSON.stringify(text) : written;
  const value = showJsonValue(text, readable, state.naming);
  state.expected = 'next';
  state.wasHidden = value.kind === 'personal' || value.text.includes(MASK);
  return [start, value];
}

function showJsonValue(text: string, written: string, naming: Naming): Piece {
  if (written === 'null') return textPiece(written);
  if (naming.isSecret) return textPiece(`"${MASK}"`);
  const isFlag = written === 'true' || written === 'false';
  return isFlag ? textPiece(written) : showValue(text, written, naming);
}

function takeOpen(state: State, written: string): readonly Piece[] {
  const start = startLine(state);
  const { name, naming } = state;
  if (naming.isSecret) {
    state.hidden = 1;
    state.wasHidden = true;
    return [start, textPiece(`"${MASK}"`)];
  }
  const isList = written === '[';
  const ofPerson = (state.open.at(-1)?.ofPerson ?? false) || isPersonObject(name);
  state.open.push({ isList, naming, name, ofPerson, isEmpty: true });
  state.expected = isList ? 'value' : 'name';
  return [start, textPiece(written)];
}

function takeClose(state: State, { isEmpty }: Frame, written: string): readonly Piece[] {
  state.open.pop();
  state.expected = 'next';
  return [textPiece(isEmpty ? written : `${lineBreak(state)}${written}`)];
}

function skipHidden(state: State, kind: JsonToken['kind']): readonly Piece[] | null {
  if (kind === 'unfinished') return null;
  if (kind === 'open') state.hidden += 1;
  if (kind === 'close') state.hidden -= 1;
  if (state.hidden === 0) state.expected = 'next';
  // The caller can pause after each piece.
  return [NOTHING];
}

const NOTHING = textPiece('');

/** Members and elements start a line; a value after its name does not. */
function startLine(state: State): Piece {
  const frame = state.open.at(-1);
  if (!frame || state.expected === 'next') return NOTHING;
  frame.isEmpty = false;
  if (state.expected === 'value' && !frame.isList) return NOTHING;
  if (frame.isList) [state.naming, state.name] = [frame.naming, frame.name];
  return textPiece(lineBreak(state));
}

function lineBreak({ open }: State): string {
  return `\n${'  '.repeat(Math.min(open.length, DEEPEST_INDENT))}`;
}

/**
 * Decodes a JSON string; an undecodable one is shown without its quotes. One that is too long to be shown
 * is not decoded.
 */
function readText(written: string): string {
  if (!written.startsWith('"') || isTooLong(written)) return written;
  if (!written.includes('\\')) return written.slice(1, -1);
  try {
    return JSON.parse(written);
  } catch {
    return written.slice(1, -1);
  }
}

/** The rest after a syntax error. A possible value of a hidden name, or the rest of one, is left out. */
function* layOutRest(rest: string, state: State, isCut: boolean): Generator<Piece> {
  const { expected, naming, hidden, wasHidden } = state;
  if (hidden > 0) return;
  const isValue = (expected === 'value' || expected === 'colon') && (naming.isSecret || naming.isPersonal);
  if (!isValue && !wasHidden) {
    yield* layOutText(rest, isCut);
    return;
  }
  yield textPiece(MASK);
  const end = rest.startsWith('"') && expected === 'value' ? -1 : rest.search(/[,\n]/);
  if (end >= 0) yield* layOutText(rest.slice(end), isCut);
}

/** A token of JSON, which can be invalid or truncated. */
export interface JsonToken {
  readonly kind: 'open' | 'close' | 'comma' | 'colon' | 'text' | 'word' | 'unfinished' | 'end';
  readonly start: number;
  readonly end: number;
}

/** The token at or after this position. Each character is read once. */
export function readJsonToken(text: string, from: number): JsonToken {
  let start = from;
  while (start < text.length && isSpace(text.charCodeAt(start))) start += 1;
  if (start === text.length) return { kind: 'end', start, end: start };
  const sign = SIGNS[text.charAt(start)];
  if (sign) return { kind: sign, start, end: start + 1 };
  if (text.charAt(start) === '"') return findEndOfText(text, start);
  let end = start;
  while (end < text.length && !endsWord(text, end)) end += 1;
  return { kind: 'word', start, end };
}

const SIGNS: Readonly<Record<string, 'open' | 'close' | 'comma' | 'colon'>> = {
  '{': 'open',
  '[': 'open',
  '}': 'close',
  ']': 'close',
  ',': 'comma',
  ':': 'colon',
};

const [QUOTE, BACKSLASH] = [0x22, 0x5c];

function findEndOfText(text: string, start: number): JsonToken {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return { kind: 'text', start, end: at + 1 };
    if (code === BACKSLASH) at += 1;
  }
  return { kind: 'unfinished', start, end: text.length };
}

function endsWord(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code < 128 && ENDS_WORD[code] === 1;
}

const ENDS_WORD = Uint8Array.from({ length: 128 }, (_, code) =>
  ' \n\r\t"{}[],:'.includes(String.fromCharCode(code)) ? 1 : 0,
);

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09 || code === 0xfeff;
}
