/** With the `=` of a soft line break, a line has 76 characters at most. */
const MAX_COLUMN = 75;
/** Each byte takes three characters at most, and each line three more for its soft break. */
const MAX_GROWTH = 3.2;

const [TAB, LF, CR, SPACE, EQUALS, TILDE] = [0x09, 0x0a, 0x0d, 0x20, 0x3d, 0x7e];
const HEX = Buffer.from('0123456789ABCDEF', 'latin1');

/** Enough for nearly every mail. Memory that is used again costs nothing. */
const kept = Buffer.allocUnsafe(64 * 1024);

/**
 * Encodes text as quoted-printable (RFC 2045, 6.7), with every line break as CRLF. In one pass over its bytes: the library
 * takes one pass to encode and several regular expressions for each line to break it.
 */
export function encodeQuotedPrintable(text: string): string {
  const bytes = Buffer.from(text);
  const size = Math.ceil(bytes.length * MAX_GROWTH) + MAX_COLUMN;
  const output = size <= kept.length ? kept : Buffer.allocUnsafe(size);
  let length = 0;
  let column = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    // Nearly every byte.
    if (isPrintable(byte) && column < MAX_COLUMN) {
      output[length++] = byte;
      column += 1;
      continue;
    }
    if (byte === CR || byte === LF) {
      if (byte === CR && bytes[at + 1] === LF) at += 1;
      output[length++] = CR;
      output[length++] = LF;
      column = 0;
      continue;
    }
    const isLiteral = byte === SPACE || byte === TAB ? !endsLine(bytes, at) : isPrintable(byte);
    // Some programs decode each line alone, so the bytes of a character stay together.
    const width = isLiteral ? 1 : 3 * lengthOfCharacter(byte);
    if (column + width > MAX_COLUMN && !continuesCharacter(byte)) {
      output[length++] = EQUALS;
      output[length++] = CR;
      output[length++] = LF;
      column = 0;
    }
    if (isLiteral) {
      output[length++] = byte;
      column += 1;
    } else {
      output[length++] = EQUALS;
      output[length++] = HEX[byte >> 4] ?? 0;
      output[length++] = HEX[byte & 15] ?? 0;
      column += 3;
    }
  }
  return output.toString('latin1', 0, length);
}

function isPrintable(byte: number): boolean {
  return byte > SPACE && byte <= TILDE && byte !== EQUALS;
}

/** Blanks at the end of a line are lost on the way. */
function endsLine(bytes: Uint8Array, at: number): boolean {
  const next = bytes[at + 1];
  return next === undefined || next === CR || next === LF;
}

/** In bytes, by its first one. */
function lengthOfCharacter(byte: number): number {
  if (byte < 0xc0) return 1;
  if (byte < 0xe0) return 2;
  return byte < 0xf0 ? 3 : 4;
}

function continuesCharacter(byte: number): boolean {
  return byte >= 0x80 && byte < 0xc0;
}
