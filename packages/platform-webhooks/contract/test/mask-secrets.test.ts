import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MASK, maskSecrets } from '../src/index.ts';

const mask = (text: string) => maskSecrets(new TextEncoder().encode(text));
const NAMES = [
  'secret',
  'security_data',
  'security_hash',
  'thrivecart_secret',
  'api_key',
  'apiKey',
  'API-KEY',
  'client_secret',
  'cart_token',
];

describe('a stored body is shown', () => {
  it('as JSON laid out, with every digit of its numbers, and its secrets masked', () => {
    const text = '{"id":9007199254741093,"total":49.00,"api_key":"k","order":{"token":"t","note":null}}';
    expect(mask(text)).toBe(
      [
        '{',
        '  "id": 9007199254741093,',
        '  "total": 49.00,',
        `  "api_key": "${MASK}",`,
        '  "order": {',
        `    "token": "${MASK}",`,
        '    "note": null',
        '  }',
        '}',
      ].join('\n'),
    );
  });

  it('as the form that it was, with its secrets masked', () => {
    const text =
      'OrderID=1&CustomerEmail=a%40example.com&security_data=12&security_hash=ab&a[secret][]=x&api_key=';
    expect(mask(text)).toBe(
      `OrderID=1&CustomerEmail=a%40example.com&security_data=${MASK}&security_hash=${MASK}&a[secret][]=${MASK}&api_key=`,
    );
  });

  it('with whatever hides under the name of a secret', () => {
    expect(mask('{"secret":{"value":"hush"},"token":["hush",7]}')).not.toMatch(/hush|7/);
    expect(mask('{"order_status_url":"https://shop.test/?key=hush"}')).not.toContain('hush');
    expect(mask('thrivecart%5Fsecret=hush')).not.toContain('hush');
  });

  it('as far as it can be told where it cannot be read', () => {
    expect(mask('{"secret":"two words", "name":"Ana "A""}')).toBe(`{"secret":"${MASK}", "name":"Ana "A""}`);
    expect(mask('<order><api_key>two words</api_key><id>1</id></order>')).toBe(
      `<order><api_key>${MASK}</api_key><id>1</id></order>`,
    );
    expect(mask('')).toBe('');
    expect(maskSecrets(Uint8Array.from([0xff, 0xfe, 0x00]))).toHaveLength(3);
  });

  it('in no time, however it was built to take long', () => {
    const began = performance.now();
    for (const text of [
      '['.repeat(2e6),
      '"'.repeat(2e6),
      'a'.repeat(2e6),
      'a='.repeat(1e6),
      '<a>'.repeat(7e5),
    ]) {
      expect(mask(text).length).toBeGreaterThan(0);
    }
    expect(performance.now() - began).toBeLessThan(5000);
  });

  it('never with a secret, in JSON or in a form', () => {
    const secret = fc.stringMatching(/^[A-Za-z0-9+/%&="\\ ]{8,20}$/).map((text) => `hush${text}hush`);
    fc.assert(
      fc.property(fc.constantFrom(...NAMES), secret, fc.string(), (name, value, other) => {
        const json = mask(JSON.stringify({ [name]: value, deep: [{ [name]: value, other }] }));
        const form = mask(
          new URLSearchParams([
            [name, value],
            ['other', other],
            [`a[${name}]`, value],
          ]).toString(),
        );
        for (const shown of [json, form]) {
          expect(shown).toContain(MASK);
          if (!other.includes('hush')) expect(shown).not.toContain('hush');
        }
      }),
    );
  });
});
