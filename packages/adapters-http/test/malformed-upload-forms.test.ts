import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cookieOf, decodeHtml, openDashboard, scriptTokenOf } from './open-dashboard.ts';
import { filesOf, openVersion } from './open-upload.ts';
import { listen, sendOverWire } from './over-the-wire.ts';

// Whatever is wrong with the form of a file is a 4xx that says why; and nobody hears of it who may not upload at all.

describe('the form of a file', () => {
  const type = 'multipart/form-data; boundary=x';
  const part = (name: string, value: string, more = '') =>
    `--x\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
  const file = (name = 'file') => part(name, 'hello', '; filename="felt.zip"');
  const many = Array.from({ length: 30 }, (_, at) => part(`field-${at}`, 'x')).join('');

  /** What comes after the token, under which type; each is told why, on the page. */
  const FORMS: readonly (readonly [string, string, string, RegExp])[] = [
    ['nothing but its token', type, '--x--\r\n', /Choose a file first/],
    ['no file', type, `${part('note', 'x')}--x--\r\n`, /Choose a file first/],
    ['a file that is cut', type, file().slice(0, -4), /cannot be read/],
    ['a file without an end', type, file(), /cannot be read/],
    ['a part that is cut', type, '--x\r\nContent-Dispo', /cannot be read/],
    ['two files', type, `${file()}${file()}--x--\r\n`, /more than one file/],
    [
      'two files of two names',
      type,
      `${file()}${part('x', 'y')}${file('other')}--x--\r\n`,
      /more than one file/,
    ],
    ['too many fields', type, `${many}${file()}--x--\r\n`, /too many fields/],
    ['too many fields after its file', type, `${file()}${many}--x--\r\n`, /too many fields/],
    ['a name of all objects', type, `${part('__proto__', 'x')}${file()}--x--\r\n`, /cannot be read/],
    [
      'JSON that is none',
      type,
      `--x\r\nContent-Disposition: form-data; name="a"\r\nContent-Type: application/json\r\n\r\n{\r\n--x--\r\n`,
      /cannot be read/,
    ],
  ];

  async function openForm() {
    const dashboard = await openDashboard();
    const version = await openVersion(dashboard);
    const member = await dashboard.signIn('member');
    const page = `/dashboard/products/${version.productId}`;
    const token = await scriptTokenOf(member, page);
    const headers = { cookie: cookieOf(member), 'sec-fetch-site': 'same-origin' };
    const sent = { method: 'POST', path: `${page}/versions/${version.versionId}/files`, headers };
    return { it: dashboard, version, token, port: await listen(dashboard.app), sent };
  }

  test.each(FORMS)('with %s', async (_name, contentType, rest, words) => {
    const { it, version, token, port, sent } = await openForm();
    const headers = { ...sent.headers, 'content-type': contentType };
    const answer = await sendOverWire(port, { ...sent, headers, body: part('form-token', token) + rest });
    expect([answer.status, decodeHtml(answer.body)]).toEqual([400, expect.stringMatching(words)]);
    expect(answer.headers['content-type']).toContain('text/html');
    expect(await filesOf(it, version)).toEqual([]);
    // Callers without the right learn nothing of it.
    const stale = await sendOverWire(port, { ...sent, headers, body: part('form-token', 'wrong') + rest });
    expect(stale.status).toBe(409);
    const { cookie: _cookie, ...stranger } = headers;
    expect(
      (await sendOverWire(port, { ...sent, headers: stranger, body: part('form-token', token) + rest }))
        .status,
    ).toBe(401);
    const elsewhere = { ...headers, 'sec-fetch-site': 'cross-site' };
    expect(
      (await sendOverWire(port, { ...sent, headers: elsewhere, body: part('form-token', token) + rest }))
        .status,
    ).toBe(403);
    const outsider = { ...headers, cookie: cookieOf(await it.signIn(null)) };
    expect(
      (await sendOverWire(port, { ...sent, headers: outsider, body: part('form-token', token) + rest }))
        .status,
    ).toBe(403);
  });

  test.each([
    ['no boundary', 'multipart/form-data', 400],
    ['another boundary', 'multipart/form-data; boundary=y', 400],
    ['an empty boundary', 'multipart/form-data; boundary=', 400],
    ['another kind of multipart', 'multipart/mixed; boundary=x', 415],
    ['another type', 'application/json', 415],
    ['a type that is none', 'nonsense', 415],
    ['an ordinary form', 'application/x-www-form-urlencoded', 400],
  ])('with %s', async (_name, contentType, status) => {
    const { it, version, token, port, sent } = await openForm();
    // Its token is in a header, because a malformed form cannot be searched for one.
    const headers = { ...sent.headers, 'content-type': contentType, 'x-form-token': token };
    const answer = await sendOverWire(port, { ...sent, headers, body: `${file()}--x--\r\n` });
    expect([answer.status, answer.headers['content-type']]).toEqual([
      status,
      expect.stringContaining('text/html'),
    ]);
    expect(await filesOf(it, version)).toEqual([]);
  });

  test('with an encoding', async () => {
    const { port, token, sent } = await openForm();
    const headers = {
      ...sent.headers,
      'content-type': type,
      'content-encoding': 'gzip',
      'x-form-token': token,
    };
    const answer = await sendOverWire(port, { ...sent, headers, body: `${file()}--x--\r\n` });
    expect([answer.status, decodeHtml(answer.body)]).toEqual([
      415,
      expect.stringContaining('Content-Encoding'),
    ]);
  });

  test('never causes a 5xx, however it is damaged', async () => {
    const { port, token, sent } = await openForm();
    const whole = Buffer.from(`${part('form-token', token)}${part('note', 'x')}${file()}--x--\r\n`);
    const scraps = fc.oneof(
      fc.uint8Array({ maxLength: 10 }).map((bytes) => Buffer.from(bytes)),
      fc
        .constantFrom('\r\n', '\r\n\r\n', '--x', '\r\n--x\r\n', '\r\n--x--', '"', '; filename="y"', ';', '\0')
        .map((scrap) => Buffer.from(scrap)),
    );
    const damage = fc.tuple(fc.nat(whole.length), fc.nat(60), scraps);
    await fc.assert(
      fc.asyncProperty(fc.array(damage, { minLength: 1, maxLength: 3 }), async (damages) => {
        const body = damages.reduce(
          (bytes, [at, cut, scrap]) =>
            Buffer.concat([bytes.subarray(0, at), scrap, bytes.subarray(at + cut)]),
          whole,
        );
        const answer = await sendOverWire(port, {
          ...sent,
          headers: { ...sent.headers, 'content-type': type },
          body,
        });
        expect(answer.status, body.toString('latin1')).toBeLessThan(500);
      }),
      { numRuns: 200 },
    );
  });
});
