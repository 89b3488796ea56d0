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
  if (text.charAt(start) === '"') return readText(text, start);
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

function readText(text: string, start: number): JsonToken {
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
