import { isSecretName, MASK } from '@handover/platform-contract';
import { type JsonToken, readJsonToken } from './json-tokens.ts';
import { layOutText } from './lay-out-text.ts';
import { holdsEmail, isPersonalName, isPersonObject, type Piece, textPiece } from './redact-personal-data.ts';
import { describeLength, isTooLong, type Naming, showValue } from './show-value.ts';

/**
 * JSON with one member or element on each line, as far as it is JSON: what follows a mistake is shown as it came. It
 * reads token by token and goes forward only, so a text that was cut is laid out up to the cut. The token at the cut is
 * left out: half a secret must not be seen.
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
  /** The objects and lists around, outermost first. */
  readonly open: Frame[];
  expected: 'value' | 'name' | 'colon' | 'next';
  name: string;
  /** Of the value that comes. */
  naming: Naming;
  /** How deep within a value that is a secret as a whole. */
  hidden: number;
  wasHidden: boolean;
}

interface Frame {
  readonly isList: boolean;
  /** Elements of a list are named by it. */
  readonly naming: Naming;
  readonly name: string;
  /** Whether this or something around it describes a person. */
  readonly ofPerson: boolean;
  isEmpty: boolean;
}

const PUBLIC: Naming = { isSecret: false, isPersonal: false };

/** Far deeper than any order. Members are indented up to a point, so that the layout of a body stays near its size. */
const [DEEPEST, DEEPEST_INDENT] = [100, 12];

/** Null: this can't stand here. */
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

/** What is longer is no number, and may be of any length. */
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
  // Escaped letters are written out: "Caf\u00e9" and "https:\/\/" are hard to read.
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
  // The caller may pause after each piece.
  return [NOTHING];
}

const NOTHING = textPiece('');

/** Members and elements begin a line; what follows a name does not. */
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

/** What a text of JSON says; without its quotes when nobody can tell. One that is too long to be shown is not read. */
function readText(written: string): string {
  if (!written.startsWith('"') || isTooLong(written)) return written;
  if (!written.includes('\\')) return written.slice(1, -1);
  try {
    return JSON.parse(written);
  } catch {
    return written.slice(1, -1);
  }
}

/** From a mistake on. What may be a value that is hidden, or what is left of one, is left out. */
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
