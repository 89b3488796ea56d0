import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJsonExactly } from '../src/index.ts';

const parse = (text: string) => parseJsonExactly(new TextEncoder().encode(text));
const read = (text: string) => {
  const parsed = parse(text);
  return parsed.kind === 'parsed' ? parsed.value : parsed.problem;
};

describe('JSON read exactly', () => {
  it.each(['9007199254741093', '820982911946154508', '49.90', '1.0', '-0', '1e400', '5E-1', '0.1'])(
    'keeps the number %s as it was written',
    (source) => {
      expect(read(source)).toBe(source);
      expect(read(`{"a":[{"b":${source}}]}`)).toEqual({ a: [{ b: source }] });
    },
  );

  it('refuses millions of members, which would take the process down', () => {
    expect(read(`[${'{},'.repeat(300_000)}{}]`)).toBe('The body has more members than any order.');
    expect(read(`[${'{"sku":"PAD-1","quantity":1},'.repeat(10_000)}{}]`)).toHaveLength(10_001);
  });

  it('leaves everything else as it is', () => {
    expect(read('{"a":"1","b":true,"c":null,"d":"Caf\\u00e9 \\/ Pads"}')).toEqual({
      a: '1',
      b: true,
      c: null,
      d: 'Café / Pads',
    });
  });

  it('agrees with JSON.parse on everything but numbers', () => {
    const numbersAsText = (value: unknown): unknown =>
      JSON.parse(JSON.stringify(value), (_key, member) =>
        typeof member === 'number' ? String(member) : member,
      );
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        // Exponents and -0 have a source text of their own; the table above covers them.
        fc.pre(!/[eE][+-]?\d|-0/.test(text.replace(/"(\\.|[^"\\])*"/g, '""')));
        expect(read(text)).toEqual(numbersAsText(value));
      }),
    );
  });

  it('takes the last of several members of one name, with its own number', () => {
    expect(read('{"id":1,"id":22}')).toEqual({ id: '22' });
  });

  it('tolerates a byte order mark and surrounding white space', () => {
    expect(read('\ufeff {"id":1}\r\n')).toEqual({ id: '1' });
  });

  it('gives names of built-in members no power', () => {
    const value = read('{"__proto__":{"paid":true},"constructor":{"x":1}}') as object;
    expect('paid' in value).toBe(false);
    expect(Object.keys(value)).toEqual(['__proto__', 'constructor']);
  });

  it.each([
    ['', 'The body is empty.'],
    [' \n', 'The body is empty.'],
    ['{', 'The body is not valid JSON.'],
    ['{"id":01}', 'The body is not valid JSON.'],
    ['{"id":NaN}', 'The body is not valid JSON.'],
    ['webhook_id=7', 'The body is not valid JSON.'],
    [' <order/>', "The body is XML, not JSON: choose JSON as the webhook's format."],
    ['['.repeat(200_000) + ']'.repeat(200_000), 'The body is nested too deeply.'],
  ])('says what is wrong with %.20s', (text, problem) => {
    expect(parse(text)).toEqual({ kind: 'unreadable', problem });
  });

  it.each([[[0x22, 0xff, 0x22]], [[0x22, 0xed, 0xa0, 0x80, 0x22]], [[0xfe, 0xff, 0x00, 0x31]]])(
    'refuses bytes that are not UTF-8 (%j)',
    (bytes) => {
      expect(parseJsonExactly(Uint8Array.from(bytes))).toEqual({
        kind: 'unreadable',
        problem: 'The body is not valid UTF-8.',
      });
    },
  );

  it('never quotes the body in its problem', () => {
    expect(JSON.stringify(parse('{"secret":"s3cr3t"'))).not.toContain('s3cr3t');
  });
});
