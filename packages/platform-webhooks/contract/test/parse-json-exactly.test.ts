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

  it('rejects millions of members, which would exhaust the process', () => {
    expect(read(`[${'{},'.repeat(50_000)}{}]`)).toBe('The body has more members than any order.');
    expect(read(`[${'1,'.repeat(100_001)}1]`)).toBe('The body has more members than any order.');
    for (const end of [' ', ']'])
      expect(read('1'.concat(end).repeat(1_000_000))).toBe('The body is not valid JSON.');
    expect(read(`[${'{"sku":"PAD-1","quantity":1},'.repeat(10_000)}{}]`)).toHaveLength(10_001);
  });

  it('rejects more names than vendors have: each costs as much as ten members', () => {
    const names = (count: number) => `{${Array.from({ length: count }, (_, at) => `"n${at}":{"id":${at}}`)}}`;
    expect(read(names(12_000))).toBe('The body has more names of members than any order.');
    expect(read(names(5_000))).toHaveProperty('n4999', { id: '4999' });
  });

  it('rejects invalid numbers, and only at the positions of numbers', () => {
    for (const wrong of [
      '01',
      '1.',
      '.5',
      '-',
      '1e',
      '1e+',
      '--1',
      '1-1',
      '1.2.3',
      '+1',
      '1 2',
      'tru1e',
      '1true',
    ]) {
      expect([wrong, read(`{"a":${wrong}}`)]).toEqual([wrong, 'The body is not valid JSON.']);
    }
    for (const wrong of ['{1:2}', '{"a":1,2:3}', '{"a"1}', '{1}', '[1 :2]', '"a"1', '1"a"', '{} 1']) {
      expect([wrong, read(wrong)]).toEqual([wrong, 'The body is not valid JSON.']);
    }
    expect(read('{"1":"2: 3","a\\"4":["5",6]}')).toEqual({ '1': '2: 3', 'a"4': ['5', '6'] });
    expect(read('9'.repeat(1001))).toBe('The body holds a number with more digits than any.');
  });

  it('accepts what JSON.parse accepts, and nothing else', () => {
    const sign = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '\\',
      '1',
      '-',
      '.',
      'e',
      '0',
      'true',
      ' ',
      '"a"',
      '\n',
    );
    const isJson = (text: string) => {
      try {
        return JSON.parse(text) !== undefined;
      } catch {
        return false;
      }
    };
    fc.assert(
      fc.property(fc.array(sign, { maxLength: 12 }), (signs) => {
        const text = signs.join('');
        fc.pre(text.trim() !== '');
        expect([text, parse(text).kind]).toEqual([text, isJson(text) ? 'parsed' : 'unreadable']);
      }),
      { numRuns: 3000 },
    );
  });

  it('leaves everything else unchanged', () => {
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

  it('finds the end of long texts with any escapes', () => {
    const piece = fc.constantFrom('a'.repeat(63), 'a'.repeat(200), '"', '\\', 'a', '\n', ',1:', 'é');
    fc.assert(
      fc.property(fc.array(fc.array(piece, { maxLength: 12 }), { maxLength: 4 }), (texts) => {
        const value = texts.map((pieces) => [pieces.join(''), '1']);
        expect(read(JSON.stringify(value))).toEqual(value);
      }),
    );
  });

  it('uses the last of repeated members, with its own number', () => {
    expect(read('{"id":1,"id":22}')).toEqual({ id: '22' });
  });

  it('accepts a byte order mark and surrounding white space', () => {
    expect(read('\ufeff {"id":1}\r\n')).toEqual({ id: '1' });
    expect(read('\ufeff\ufeff{"id":1}')).toBe('The body is not valid JSON.');
  });

  it('gives names of built-in members no effect', () => {
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
    ['['.repeat(101) + ']'.repeat(101), 'The body is nested too deeply.'],
  ])('describes what is wrong with %.20s', (text, problem) => {
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
