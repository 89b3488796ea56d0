import { MASK } from '@handover/platform-contract';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { layOutBody, payloadFile, payloadSection } from '../src/dashboard/log/payload-section.ts';

const show = (text: string, isCut = false) =>
  Array.from(layOutBody(text, isCut), (piece) => (piece.kind === 'text' ? piece.text : '▒')).join('');
/** With addresses shown. */
const showAll = (text: string, isCut = false) =>
  Array.from(layOutBody(text, isCut), ({ text }) => text).join('');
const json = (value: unknown) => show(JSON.stringify(value)).replace(/\s+/g, ' ');

describe('a stored body is formatted', () => {
  test('as JSON, with every digit of its numbers, and its secrets masked', () => {
    const text =
      '{"id":9007199254741093,"total":49.00,"api_key":"k","order":{"token":7,"note":null},"none":[{}]}';
    expect(show(text)).toBe(
      [
        '{',
        '  "id": 9007199254741093,',
        '  "total": 49.00,',
        `  "api_key": "${MASK}",`,
        '  "order": {',
        `    "token": "${MASK}",`,
        '    "note": null',
        '  },',
        '  "none": [',
        '    {}',
        '  ]',
        '}',
      ].join('\n'),
    );
  });

  test('like JSON.stringify, where nothing is hidden', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
        const text = JSON.stringify(value);
        fc.pre(/^[{[]/.test(text) && !/@|%40|[:=<]\s*[^"\d\s\\{[tfn-]|-0|e[+-]\d/i.test(text));
        const shown = show(text);
        fc.pre(!shown.includes('▒') && !shown.includes(MASK));
        expect(shown).toBe(JSON.stringify(value, null, 2));
      }),
    );
  });

  test('with decoded escapes', () => {
    expect(show(String.raw`{"a":"Caf\u00e9 \/ \"Pads\""}`)).toBe(`{\n  "a": "Café / \\"Pads\\""\n}`);
  });

  test('as a form, one decoded pair per line', () => {
    expect(show('sku=P&customer%5Bemail%5D=a%40b.example&customer[name]=Ana+L&order[name]=1')).toBe(
      'sku=P\ncustomer[email]=▒\ncustomer[name]=▒\norder[name]=1',
    );
    expect(show('a=1&b=%E0%A4&c')).toBe('a=1\nb=%E0%A4\nc');
    expect(show('a=x%0Aapi_key=1&api_key=&security_hash=ab&a[secret][]=x&thrivecart%5Fsecret=x')).toBe(
      `a=${MASK}\napi_key=\nsecurity_hash=${MASK}\na[secret][]=${MASK}\nthrivecart_secret=${MASK}`,
    );
  });

  test('unchanged in an unknown format', () => {
    expect(show('<order><api_key>two words</api_key><id>1</id></order>')).toBe(
      `<order><api_key>${MASK}</api_key><id>1</id></order>`,
    );
    expect(show('<o><FirstName>Ana</FirstName><Sku>P</Sku> a@b.example</o>')).toBe(
      '<o><FirstName>▒</FirstName><Sku>P</Sku> ▒</o>',
    );
    expect(show('<o><token type="x"><![CDATA[hush<b>hush]]></token></o>')).toBe(
      `<o><token type="x">${MASK}</token></o>`,
    );
    expect(show(`sent: 'api_key' = 'hush hush'; "token": "hush \\"hush", key\n`)).toBe(
      `sent: 'api_key' = '${MASK}'; "token": "${MASK}", key\n`,
    );
    expect(show('')).toBe('');
  });

  test('as JSON up to a syntax error, and unchanged after it', () => {
    expect(show('{"sku":"P","name":"Ana "A"","api_key":"hush","email":"a@b.example"}')).toBe(
      `{\n  "sku": "P",\n  "name": "Ana "A"","api_key":"${MASK}","email":"▒"}`,
    );
    expect(show('{"secret":"hush"hush","sku":"P"}')).toBe(`{\n  "secret": "${MASK}"${MASK},"sku":"P"}`);
    expect(show('{"api_key":hush,"token" = hush,"sku":"P"')).toBe(
      `{\n  "api_key": ${MASK},"token" = ${MASK},"sku":"P"`,
    );
    expect(show('{"api_key":"hush, hush')).toBe(`{\n  "api_key": ${MASK}`);
    expect(show('{"a":[1,]}')).toBe('{\n  "a": [\n    1,]}');
  });
});

describe('personal data in a body', () => {
  test('is hidden wherever it identifies the buyer', () => {
    expect(json({ id: 1, email: 'a@b.example', customer: { name: 'Ana', first: 'A', id: 7 } })).toBe(
      '{ "id": 1, "email": ▒, "customer": { "name": ▒, "first": ▒, "id": 7 } }',
    );
    expect(
      json({ data: { customer_details: { address: { line1: 'Rua 1', city: 'Porto' }, phone: 123 } } }),
    ).toBe('{ "data": { "customer_details": { "address": { "line1": ▒, "city": ▒ }, "phone": ▒ } } }');
    expect(json({ 'a@b.example': 1, phone: ['1', ['2']] })).toBe('{ ▒: 1, "phone": [ ▒, [ ▒ ] ] }');
  });

  test('does not include other data', () => {
    const order = {
      name: '#1001',
      line_items: [{ name: 'Pads', title: 'Pads', sku: 'P' }],
      first: 'x',
      city: null,
    };
    expect(json(order)).toBe(JSON.stringify(order, null, 2).replace(/\s+/g, ' '));
    expect(json({ email: '', phone: null })).toBe('{ "email": "", "phone": null }');
  });

  test('includes addresses within any text, in lists too', () => {
    expect(
      json({ note: 'write to a@b.example', list: ['x', 'a@b.example'], url: 'https://x/?e=a%40b.example' }),
    ).toBe('{ "note": ▒, "list": [ "x", ▒ ], "url": ▒ }');
    expect(show(String.raw`{"note":"a\u0040b.example"}`)).toBe('{\n  "note": ▒\n}');
    expect(show('@a@b.example ana@пример.рф')).toBe('▒ ▒');
  });

  test('does not end at a quote or comma within a value', () => {
    expect(json({ email: 'a"b@c.example, x', sku: 'a",' })).toBe('{ "email": ▒, "sku": "a\\"," }');
  });
});

const NAMES = ['secret', 'security_data', 'thrivecart_secret', 'api_key', 'apiKey', 'API-KEY', 'cart_token'];
const secret = fc.stringMatching(/^[A-Za-z0-9+/%&="\\ ]{8,20}$/).map((text) => `hush${text}hush`);

describe('a secret in a body', () => {
  test('is never shown, in JSON or in a form, wherever the body is cut', () => {
    fc.assert(
      fc.property(fc.constantFrom(...NAMES), secret, fc.string(), fc.nat(), (name, value, other, cut) => {
        fc.pre(!other.includes('hush'));
        const bodies = [
          JSON.stringify({ [name]: value, deep: [{ [name]: [value, { a: value }], other }] }),
          JSON.stringify({ text: JSON.stringify({ [name]: value.replaceAll(/["\\]/g, '') }) }),
          new URLSearchParams([
            [name, value],
            ['other', other],
            [`a[${name}]`, value],
            [`${name}[a]`, value],
          ]).toString(),
        ];
        for (const body of bodies) {
          expect(showAll(body)).toContain(MASK);
          expect(showAll(body)).not.toContain('hush');
          expect(showAll(body.slice(0, cut % body.length), true)).not.toMatch(/hus/);
        }
      }),
    );
  });

  test('is not shown in half where the body is cut, and neither is an address or a name', () => {
    const bodies = [
      '{"id":1,"token":"hush-hush","deep":{"secret":{"a":["hush-hush"]}},"note":"write to ana.silva@b.example now"}',
      '{"note":"ana.silva@b.example","customer":{"name":"silva","phone":"silva"},"api_key":hush,"x":"y=1"',
      'id=1&api_key=hush-hush&email=ana.silva%40b.example&x[token][]=hush',
      '<o><api_key>hush hush</api_key><note>ana.silva@b.example</note><FirstName>silva</FirstName></o>',
      'api_key: hush-hush, to ana.silva@b.example, "token": "hush hush"',
    ];
    for (const body of bodies) {
      for (let end = 0; end < body.length; end += 1) {
        expect([body.slice(0, end), show(body.slice(0, end), true)]).toEqual([
          body.slice(0, end),
          expect.not.stringMatching(/hus|silv|ana/),
        ]);
      }
    }
  });

  test('hides everything under its name', () => {
    expect(show('{"secret":{"value":"hush"},"token":["hush",7]}')).not.toMatch(/hush|7/);
    expect(show('{"order_status_url":"https://shop.test/?key=hush"}')).not.toContain('hush');
    expect(show('{"landing_site":"/?token=hush&utm=1"}')).not.toContain('hush');
  });
});

describe('a body that was built to take long', () => {
  const hostile: Readonly<Record<string, (n: number) => string>> = {
    'a note of a@': (n) => `{"note":"${'a@'.repeat(n / 2)}"}`,
    'a@ alone': (n) => 'a@'.repeat(n / 2),
    'a@b. alone': (n) => 'a@b. '.repeat(n / 5),
    '=…"': (n) => '=…"'.repeat(n / 3),
    'names and no values': (n) => 'token='.repeat(n / 6),
    blanks: (n) => `secret${' '.repeat(n)}=`,
    'blanks and signs': (n) => ' ='.repeat(n / 2),
    'elements without an end': (n) => '<token>'.repeat(n / 7),
    'tags without an end': (n) => '<a '.repeat(n / 3),
    'lists in lists': (n) => '['.repeat(n),
    'lists in lists, with an end': (n) => '['.repeat(n / 2) + ']'.repeat(n / 2),
    'persons in persons': (n) => `${'{"customer":'.repeat(90)}[${'{"name":1},'.repeat(n / 11)}`,
    'secrets in secrets': (n) => '{"secret":'.repeat(n / 10),
    'a long name': (n) => `{"${'['.repeat(n / 2)}${'0]'.repeat(n / 4)}":[${'1,'.repeat(n / 4)}`,
    quotes: (n) => '"'.repeat(n),
    backslashes: (n) => `{"a":"${'\\'.repeat(n)}`,
    'backslashes behind a secret': (n) => `x secret="${'\\"'.repeat(n / 2)}`,
    'a name of brackets in a form': (n) => `a${'[]'.repeat(n / 2)}=1`,
    'a form of many pairs': (n) => 'token=1&'.repeat(n / 8),
    signs: (n) => '='.repeat(n),
    letters: (n) => 'a'.repeat(n),
  };

  test.each(Object.entries(hostile))('takes linear time: %s', (_what, build) => {
    const [small, large] = [measure(build(100_000)), measure(build(400_000))];
    // Four times the text; what grows with its square would take sixteen times as long.
    expect(large.cpuMs).toBeLessThan(9 * small.cpuMs + 150);
    // A line break and its indentation for each character at worst.
    expect(large.characters).toBeLessThan(30 * 400_000);
  });

  function measure(text: string): { readonly cpuMs: number; readonly characters: number } {
    const before = process.cpuUsage();
    let characters = 0;
    for (const piece of layOutBody(text, false)) characters += piece.text.length;
    const { user, system } = process.cpuUsage(before);
    return { cpuMs: (user + system) / 1000, characters };
  }
});

describe('the payload of an entry', () => {
  const bodyOf = (text: string) => ({ id: 'body', bytes: new TextEncoder().encode(text), headers: {} });
  const page = (text: string) =>
    String(payloadSection({ body: bodyOf(text), personalData: 'hidden', otherwise: '/', download: '/' }));

  test('is limited on the page for any body', () => {
    for (const text of ['['.repeat(462_000), '"'.repeat(5e6), 'a@'.repeat(2e6), '[[],'.repeat(1e6)]) {
      const shown = page(text);
      expect(shown.length).toBeLessThan(500_000);
      expect(shown).toMatch(/Cut here: this is the beginning of \d+(\.\d)? [kM]B\./);
    }
    expect(page('{"id":1}')).not.toContain('Cut here');
  });

  test('is never cut within a character', () => {
    const text = `{"a":["${'é'.repeat(9_000)}","${'é'.repeat(9_000)}","${'é'.repeat(9_000)}","${'é'.repeat(9_000)}"]}`;
    for (const before of ['', ' ']) expect(page(`${before}${text}`)).not.toContain('\ufffd');
  });

  test('is whole in its file, unless it grows far beyond its size', async () => {
    const lines = Array.from({ length: 20_000 }, (_, at) => ({ sku: `SKU-${at}`, tax: [{ rate: '0.19' }] }));
    const whole = await readFile(JSON.stringify({ lines }));
    expect(whole).toBe(JSON.stringify({ lines }, null, 2));
    const hostile = await readFile(`${'['.repeat(50)}${'1,'.repeat(2e6)}`);
    expect(hostile.length).toBeLessThan(17_000_000);
    expect(hostile).toMatch(/\[Cut here, after 16 MB\. The body has 4 MB; laid out, it is longer\.\]\n$/);
  });

  test('is formatted for its file in small steps, so that others get their turn', async () => {
    let turns = 0;
    const watch = setInterval(() => {
      turns += 1;
    }, 0);
    let parts = 0;
    // Nothing of it is shown, and still it has to be read.
    for await (const part of payloadFile(bodyOf('{"secret":['.repeat(50_000)), 'hidden')) {
      parts += 1;
      expect(part.length).toBeLessThan(60_000);
    }
    clearInterval(watch);
    expect(parts).toBeGreaterThan(50);
    expect(turns).toBeGreaterThan(1);
  });

  async function readFile(text: string): Promise<string> {
    let file = '';
    for await (const part of payloadFile(bodyOf(text), 'shown')) file += part;
    return file;
  }
});
