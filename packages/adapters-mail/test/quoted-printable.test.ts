import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeQuotedPrintable } from '../src/format-message.ts';

const PIECE = fc.oneof(
  fc.constantFrom(
    '\r\n',
    '\n',
    '\r',
    ' ',
    '\t',
    '=',
    '=3D',
    '.',
    'é',
    '—',
    '山',
    '🎹',
    'a'.repeat(74),
    'a'.repeat(75),
  ),
  fc.string({ unit: 'grapheme', maxLength: 90 }),
);
const TEXT = fc.array(PIECE, { maxLength: 40 }).map((pieces) => pieces.join(''));

describe('quoted-printable', () => {
  it('is decoded to the same text with CRLF for every line break', () => {
    fc.assert(
      fc.property(TEXT, (text) => {
        expect(readDecoded(encodeQuotedPrintable(text))).toBe(
          text.toWellFormed().replace(/\r\n|[\r\n]/g, '\r\n'),
        );
      }),
      { numRuns: 500 },
    );
  });

  it('has only ASCII lines of at most 76 characters, none of which ends with a blank', () => {
    fc.assert(
      fc.property(TEXT, (text) => {
        for (const line of encodeQuotedPrintable(text).split('\r\n')) {
          expect(line).toMatch(/^[\t\x20-\x7e]{0,76}$/);
          expect(line).not.toMatch(/[\t ]$/);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('keeps the bytes of a character in one line, for programs that decode each line alone', () => {
    fc.assert(
      fc.property(TEXT, (text) => {
        for (const line of encodeQuotedPrintable(text).split('=\r\n'))
          expect(() => readDecoded(line)).not.toThrow();
      }),
      { examples: [['é'.repeat(100)], ['🎹'.repeat(100)]] },
    );
  });

  it('encodes texts that are longer than its memory', () => {
    const text = 'é'.repeat(200_000);
    expect(readDecoded(encodeQuotedPrintable(text))).toBe(text);
  });
});

function readDecoded(encoded: string): string {
  const joined = encoded.replaceAll('=\r\n', '');
  const bytes = joined.replace(/=([0-9A-F]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(bytes, 'latin1'));
}
