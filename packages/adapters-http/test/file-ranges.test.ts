import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { revokeLink } from '@handover/domain';
import { BY_JANA } from '@handover/testkit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dial, listen, untilSteady } from './over-the-wire.ts';
import { sellPads } from './sell-pads.ts';

/** A shop that has sold one file of these bytes, behind a server that listens. */
async function sell(content: Buffer) {
  const sha256 = createHash('sha256').update(content).digest('hex');
  const files = [{ name: 'pads.zip', size: content.length, sha256 }];
  const sale = await sellPads(
    (page) => ({ ...page, version: { label: '1.0', files } }),
    (ports) => ({
      files: { ...ports.files, open: async (_orgId, _sha256, range) => readChunks(content, range) },
    }),
  );
  const port = await listen(sale.app);
  const path = `/d/${sale.token}/files/1.0/pads.zip`;
  return { ...sale, port, path, url: `http://127.0.0.1:${port}${path}`, tag: `"${sha256}"` };
}

/** In chunks as the file stores make them. */
async function* readChunks(content: Buffer, range: { start: number; end: number } | undefined) {
  const { start, end } = range ?? { start: 0, end: content.length };
  for (let at = start; at < end; at += 65_536) yield content.subarray(at, Math.min(end, at + 65_536));
}

interface Part {
  readonly range: string;
  readonly body: Buffer;
}

/** Takes a multipart/byteranges body apart as RFC 2046 has it. */
function readParts(type: string, body: Buffer): readonly Part[] {
  const boundary = /^multipart\/byteranges; boundary=([0-9a-f]{32})$/.exec(type)?.[1] ?? 'none';
  const text = body.toString('latin1');
  expect(text.endsWith(`\r\n--${boundary}--\r\n`)).toBe(true);
  const pieces = text.slice(0, -`\r\n--${boundary}--\r\n`.length).split(`\r\n--${boundary}\r\n`);
  expect(pieces.shift()).toBe('');
  return pieces.map((piece) => {
    const end = piece.indexOf('\r\n\r\n');
    const headers = piece.slice(0, end);
    expect(headers).toContain('Content-Type: application/octet-stream');
    return {
      range: /Content-Range: (.*)/.exec(headers)?.[1] ?? '',
      body: Buffer.from(piece.slice(end + 4), 'latin1'),
    };
  });
}

describe('a range of a file', () => {
  test('is sent as 206 with its position and unchanged headers', async () => {
    const { url, tag } = await sell(Buffer.from('0123456789'));
    const answer = await fetch(url, { headers: { range: 'bytes=2-4' } });
    expect(answer.status).toBe(206);
    expect(await answer.text()).toBe('234');
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-range': 'bytes 2-4/10',
      'content-length': '3',
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment; filename="pads.zip"',
      etag: tag,
      'accept-ranges': 'bytes',
    });
  });

  test('answers 416 with the length of the file, in a sentence too', async () => {
    const sale = await sell(Buffer.from('0123456789'));
    const answer = await fetch(sale.url, { headers: { range: 'bytes=10-' } });
    expect(answer.status).toBe(416);
    expect(answer.headers.get('content-range')).toBe('bytes */10');
    expect(await answer.text()).toMatch(/^The file has 10 bytes/);
    expect((await fetch(`http://127.0.0.1:${sale.port}/d/${sale.token}/progress`)).status).toBe(200);
  });

  test('of an empty file is all of it or nothing, and the whole file is empty', async () => {
    const { url } = await sell(Buffer.alloc(0));
    const answers = await Promise.all(
      [undefined, 'bytes=-5', 'bytes=0-', 'nonsense'].map((range) =>
        fetch(url, range === undefined ? {} : { headers: { range } }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 416, 200]);
    expect(answers[0]?.headers.get('content-length')).toBe('0');
  });

  test('has no bytes of the file in 304 and 412', async () => {
    const { url, tag } = await sell(Buffer.from('0123456789'));
    const unchanged = await fetch(url, { headers: { 'if-none-match': tag } });
    expect([unchanged.status, await unchanged.text()]).toEqual([304, '']);
    expect(unchanged.headers.get('etag')).toBe(tag);
    const other = await fetch(url, { headers: { 'if-match': '"other"' } });
    expect([other.status, await other.text()]).toEqual([412, expect.stringContaining('If-Match')]);
  });

  test('is ignored by HEAD, on a connection that stays open', async () => {
    const { port, path } = await sell(Buffer.from('0123456789'));
    const socket = await dial(port, [`HEAD ${path} HTTP/1.1`, 'Host: x', 'Range: bytes=1-2']);
    const [first] = await once(socket, 'data');
    expect(String(first)).toMatch(/^HTTP\/1\.1 200 [\s\S]*content-length: 10\r\n[\s\S]*\r\n\r\n$/);
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nRange: bytes=1-2\r\nConnection: close\r\n\r\n`);
    let rest = '';
    for await (const chunk of socket) rest += chunk;
    expect(rest).toMatch(/^HTTP\/1\.1 206 [\s\S]*\r\n\r\n12$/);
  });
});

describe('several ranges of a file', () => {
  test('are sent as parts, in the requested order', async () => {
    const { url } = await sell(Buffer.from('0123456789'));
    const answer = await fetch(url, { headers: { range: 'bytes=7-,0-1,8-8,4-4' } });
    expect(answer.status).toBe(206);
    expect(answer.headers.get('content-range')).toBeNull();
    const body = Buffer.from(await answer.arrayBuffer());
    expect(answer.headers.get('content-length')).toBe(String(body.length));
    const parts = readParts(answer.headers.get('content-type') ?? '', body);
    expect(parts.map(({ range, body: bytes }) => [range, String(bytes)])).toEqual([
      ['bytes 7-9/10', '789'],
      ['bytes 0-1/10', '01'],
      ['bytes 4-4/10', '4'],
    ]);
  });

  test('are refused when there are too many', async () => {
    const { url } = await sell(Buffer.alloc(1000));
    const range = `bytes=${Array.from({ length: 40 }, (_, at) => `${at * 3}-${at * 3}`).join(',')}`;
    expect((await fetch(url, { headers: { range } })).status).toBe(416);
  });
});

test('return every requested byte at its position', async () => {
  const content = randomBytes(200_000);
  const { url, stores, shop, ports, token } = await sell(content);
  const size = content.length;
  const position = fc.oneof(fc.nat({ max: size + 10 }), fc.constantFrom(0, 1, size - 1, size, 65_536));
  const spec = fc.oneof(
    fc.tuple(position, position).map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`),
    position.map((first) => `${first}-`),
    position.map((suffix) => `-${suffix}`),
  );
  const wanted = new Uint8Array(size);
  await fc.assert(
    fc.asyncProperty(fc.array(spec, { minLength: 1, maxLength: 5 }), async (specs) => {
      const answer = await fetch(url, { headers: { range: `bytes=${specs.join(',')}` } });
      const body = Buffer.from(await answer.arrayBuffer());
      const expected = new Uint8Array(size);
      for (const one of specs) markSpec(expected, one);
      if (count(expected) === 0) {
        expect(answer.status).toBe(416);
        return;
      }
      expect(answer.status).toBe(206);
      const whole = answer.headers.get('content-range');
      const parts = whole
        ? [{ range: whole, body }]
        : readParts(answer.headers.get('content-type') ?? '', body);
      const come = new Uint8Array(size);
      for (const { range, body: bytes } of parts) {
        const [, first = 0, last = 0] = (/^bytes (\d+)-(\d+)\/200000$/.exec(range) ?? []).map(Number);
        expect(bytes.equals(content.subarray(first, last + 1))).toBe(true);
        // None comes twice.
        expect(count(come.subarray(first, last + 1))).toBe(0);
        come.fill(1, first, last + 1);
        wanted.fill(1, first, last + 1);
      }
      expect(Buffer.from(come).equals(expected)).toBe(true);
    }),
    { numRuns: 100 },
  );
  // What went out, told by the session, is the union of all that.
  const linkId = ports.tokens.open(token)?.linkId ?? '';
  const covered = count(wanted);
  await expect
    .poll(async () => (await stores.sessions.latest(shop.orgId, linkId))?.files)
    .toMatchObject([{ sent: covered, whole: covered === size }]);
});

/** Marks the bytes that one range asks for. */
function markSpec(marks: Uint8Array, spec: string): void {
  const [first = '', last = ''] = spec.split('-');
  const size = marks.length;
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  marks.fill(1, from, first === '' || last === '' ? size : Number(last) + 1);
}

function count(marks: Uint8Array): number {
  return marks.reduce((sum, mark) => sum + mark, 0);
}

describe('a transfer', () => {
  test('that was interrupted resumes with If-Range to the same bytes', async () => {
    const content = randomBytes(8_000_000);
    const { url, tag } = await sell(content);
    const first = await new Promise<Buffer>((resolve, reject) => {
      const asking = request(url, (answer) => {
        const chunks: Buffer[] = [];
        let come = 0;
        answer.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          come += chunk.length;
          if (come < 1_000_000) return;
          answer.destroy();
          resolve(Buffer.concat(chunks));
        });
        answer.on('error', () => undefined);
      });
      asking.on('error', reject);
      asking.end();
    });
    const headers = { range: `bytes=${first.length}-`, 'if-range': tag };
    const rest = await fetch(url, { headers });
    expect(rest.status).toBe(206);
    const whole = Buffer.concat([first, Buffer.from(await rest.arrayBuffer())]);
    expect(whole.equals(content)).toBe(true);
    const changed = await fetch(url, { headers: { ...headers, 'if-range': '"another file"' } });
    expect(changed.status).toBe(200);
    expect(Buffer.from(await changed.arrayBuffer()).equals(content)).toBe(true);
  });

  test('continues when its link is revoked or expires meanwhile, however long its client pauses', async () => {
    const content = randomBytes(16_000_000);
    const sale = await sell(content);
    const socket = await dial(sale.port, [`GET ${sale.path} HTTP/1.1`, 'Host: x', 'Connection: close']);
    await once(socket, 'readable');
    await untilSteady(() => socket.bytesRead);
    const linkId = sale.ports.tokens.open(sale.token)?.linkId ?? '';
    sale.clock.advance(72 * 60 * 60 * 1000);
    await revokeLink(sale.ports, sale.shop.orgId, linkId, BY_JANA);
    expect((await fetch(sale.url)).status).toBe(410);
    const chunks: Buffer[] = [];
    for await (const chunk of socket) chunks.push(chunk);
    const answer = Buffer.concat(chunks);
    expect(answer.subarray(answer.indexOf('\r\n\r\n') + 4).equals(content)).toBe(true);
  });

  test('does not count as complete when the client left before its end', async () => {
    const content = randomBytes(16_000_000);
    const sale = await sell(content);
    const linkId = sale.ports.tokens.open(sale.token)?.linkId ?? '';
    const socket = await dial(sale.port, [`GET ${sale.path} HTTP/1.1`, 'Host: x']);
    await once(socket, 'readable');
    await untilSteady(() => socket.bytesRead);
    socket.destroy();
    const latest = () => sale.stores.sessions.latest(sale.shop.orgId, linkId);
    await expect.poll(async () => (await latest())?.files[0]?.whole).toBe(false);
    const sent = (await latest())?.files[0]?.sent ?? 0;
    // Resumed from far before its end, as the client had less than had left us.
    const headers = { range: `bytes=${Math.floor(sent / 2)}-` };
    await (await fetch(sale.url, { headers })).arrayBuffer();
    await expect.poll(latest).toMatchObject({ files: [{ sent: content.length, whole: true }] });
  });
});
