import { describe, expect, it } from 'vitest';
import { parseForm, parseJsonOrForm, readFormPairs } from '../src/index.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const readForm = (text: string) => {
  const parsed = parseForm(bytes(text));
  return parsed.kind === 'parsed' ? parsed.value : parsed.problem;
};

describe('a form', () => {
  it.each([
    ['a=1&b=x%40y&c=+', { a: '1', b: 'x@y', c: ' ' }],
    ['a', { a: '' }],
    ['a=1&a=2', { a: '2' }],
    ['order[total]=4900&order[name]=x', { order: { total: '4900', name: 'x' } }],
    ['c[0][n]=a&c[1][n]=b', { c: [{ n: 'a' }, { n: 'b' }] }],
    ['c[7]=b&c[5]=a', { c: ['a', 'b'] }],
    ['c[]=a&c[]=b', { c: ['a', 'b'] }],
    ['a=1&a[b]=2', { a: { b: '2' } }],
    ['a[b=1&[c]=2&d]=3', { 'a[b': '1', '[c]': '2', 'd]': '3' }],
    ['0=a', { '0': 'a' }],
    ['caf%C3%A9=%F0%9F%94%91', { café: '🔑' }],
    ['', {}],
  ])('is parsed like PHP parses it: %s', (text, expected) => {
    expect(readForm(text)).toEqual(expected);
  });

  it('never sets members of built-in objects', () => {
    const text = '__proto__[x]=1&a[__proto__][x]=1&constructor[prototype][x]=1&a[constructor]=1&a[b]=1';
    expect(readForm(text)).toEqual({ a: { b: '1' } });
    expect(Object.hasOwn(Object.prototype, 'x')).toBe(false);
  });

  it('is limited in its size, the number of its fields and their depth', () => {
    expect(readForm(`a=${'%20'.repeat(700_000)}`)).toBe('The form is larger than that of any order.');
    expect(readForm('a=1&'.repeat(2000))).toBe('The form has too many fields.');
    expect(readForm(`a${'[b]'.repeat(9)}=1`)).toBe("The form's names are nested too deeply.");
    expect(readForm(`a${'[b]'.repeat(50_000)}=1`)).toBe("The form's names are nested too deeply.");
  });

  it('that is not UTF-8 is unreadable', () => {
    expect(parseForm(Uint8Array.of(0x61, 0x3d, 0xff))).toEqual({
      kind: 'unreadable',
      problem: 'The body is not valid UTF-8.',
    });
  });

  it('keeps each of its pairs, also with the same name', () => {
    expect(readFormPairs(bytes('a=1&b=&a=2'))).toEqual({
      kind: 'pairs',
      pairs: [
        ['a', '1'],
        ['b', ''],
        ['a', '2'],
      ],
    });
  });
});

describe('a body that may be JSON or a form', () => {
  it.each([
    ['{"a":1.50}', { a: '1.50' }],
    [' \n[{"a":"b=c"}]', [{ a: 'b=c' }]],
    ['a=1', { a: '1' }],
    ['null', null],
  ])('is recognised by its content: %s', (text, value) => {
    expect(parseJsonOrForm(bytes(text))).toEqual({ kind: 'parsed', value });
  });

  it.each([
    ['', 'The body is empty.'],
    ['hello', 'The body is not valid JSON.'],
    ['{"a":"x"y=z"}', 'The body is not valid JSON.'],
    ['<order id="1"/>', "The body is XML, not JSON: choose JSON as the webhook's format."],
    [
      '--7d9\r\nContent-Disposition: form-data; name="event"\r\n\r\norder.success\r\n--7d9--\r\n',
      'The body is of the type multipart/form-data: send JSON or application/x-www-form-urlencoded.',
    ],
  ])('%s is unreadable', (text, problem) => {
    expect(parseJsonOrForm(bytes(text))).toEqual({ kind: 'unreadable', problem });
  });
});
