import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type Readable, Writable, type WritableOptions } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type FastifyRequest, fastify } from 'fastify';
import { describe, expect, onTestFinished, test } from 'vitest';
import { drainRequestBody } from '../src/requests/request-bodies.ts';
import { openTestShop } from './open-test-shop.ts';
import { dial, listen } from './over-the-wire.ts';

const NEVER = 60_000;
const CHUNK = Buffer.alloc(64 * 1024, 'x');

/** Sends without a look at what comes back, as most clients do. */
async function sendChunks(socket: Socket, count: number, chunk: Uint8Array = CHUNK): Promise<void> {
  for (let sent = 0; sent < count; sent += 1) {
    if (!socket.write(chunk)) await Promise.race([once(socket, 'drain'), once(socket, 'close')]);
  }
}

function asChunk(content: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from(`${content.length.toString(16)}\r\n`), content, Buffer.from('\r\n')]);
}

describe('a client that is refused in the middle of its body', () => {
  const LENGTHS = {
    announces: { header: `Content-Length: ${200 * CHUNK.length}`, chunk: CHUNK },
    'does not announce': { header: 'Transfer-Encoding: chunked', chunk: asChunk(CHUNK) },
  };

  test.each([
    ['announces', 'ends', 'Connection: close'],
    ['announces', 'keeps', 'Connection: keep-alive'],
    ['does not announce', 'ends', 'Connection: close'],
    ['does not announce', 'keeps', 'Connection: keep-alive'],
  ] as const)(
    'and %s its length and %s the connection reads the answer after it has sent everything',
    async (length, _, header) => {
      const { app, shop } = await openTestShop();
      const socket = await dial(await listen(app), [
        `POST /webhooks/${shop.orgId}/storefront-a HTTP/1.1`,
        'Host: x',
        // Unsigned, it would be refused without a look at its body.
        'X-Storefront-A-Hmac-Sha256: x',
        header,
        LENGTHS[length].header,
      ]);
      await sendChunks(socket, 200, LENGTHS[length].chunk);
      if (length === 'does not announce') socket.write('0\r\n\r\n');
      expect(socket.destroyed).toBe(false);
      const [answer] = await once(socket, 'data');
      expect(String(answer)).toMatch(/^HTTP\/1\.1 413 [\s\S]*larger than/);
    },
  );

  /** Refuses all that is longer than ten bytes, which it has just begun to say. */
  async function beginToSend(
    header: string,
    isDraining: boolean,
    limits: Parameters<typeof drainRequestBody>[2],
  ) {
    const app = fastify({ bodyLimit: 10 });
    onTestFinished(() => app.close());
    drainRequestBody(app, () => isDraining, limits);
    app.post('/', async () => 'taken');
    const socket = await dial(await listen(app), [
      'POST / HTTP/1.1',
      'Host: x',
      header,
      'Content-Type: application/json',
      'Content-Length: 1000',
    ]);
    socket.write('{"half');
    return socket;
  }

  test('is answered at once, and its connection stays open for the rest', async () => {
    const keep = 'Connection: keep-alive';
    const socket = await beginToSend(keep, false, { openMs: NEVER, closingMs: NEVER });
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 413 [\s\S]*connection: keep-alive/i);
    socket.write(Buffer.alloc(994));
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 (?!413)/);
  });

  test('is disconnected after its answer if it sends for too long', async () => {
    const keep = 'Connection: keep-alive';
    const socket = await beginToSend(keep, false, { openMs: 20, closingMs: NEVER });
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 413 /);
  });

  test.each([
    ['it closes the connection', 'Connection: close', false],
    ['the server is about to stop', 'Connection: keep-alive', true],
  ])('is answered in the end although it stops sending, where %s', async (_name, header, isDraining) => {
    const socket = await beginToSend(header, isDraining, { openMs: NEVER, closingMs: 20 });
    const answer = await text(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 413 [\s\S]*connection: close/i);
  });

  const GAVE_UP = {
    'listened and was not told to stop': (body: Readable, held: (chunk: Uint8Array) => void) => {
      body.on('data', held);
      return once(body, 'data');
    },
    'waited for more': (body: Readable, held: (chunk: Uint8Array) => void) => {
      body.on('readable', () => undefined);
      return once(body, 'readable').then(() => held(body.read()));
    },
    'piped it on': (body: Readable, held: (chunk: Uint8Array) => void) => {
      const write: WritableOptions['write'] = (chunk, _encoding, done) => {
        held(chunk);
        done();
      };
      body.pipe(new Writable({ write }));
      return once(body, 'data');
    },
  };

  test.each(Object.entries(GAVE_UP))('costs no memory where its reader %s', async (_name, read) => {
    const app = fastify();
    onTestFinished(() => app.close());
    // Where the rest is not taken, the answer never comes.
    drainRequestBody(app, () => false, { openMs: NEVER, closingMs: NEVER });
    let held = 0;
    app.addContentTypeParser('*', async (_request: FastifyRequest, body: IncomingMessage) => {
      await read(body, (chunk) => {
        held += chunk.length;
      });
      throw new Error('enough');
    });
    app.post('/', async () => 'taken');
    const chunks = 200;
    const socket = await dial(await listen(app), [
      'POST / HTTP/1.1',
      'Host: x',
      'Connection: close',
      'Content-Type: application/octet-stream',
      `Content-Length: ${chunks * CHUNK.length}`,
    ]);
    await sendChunks(socket, chunks);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 500 /);
    expect(held).toBeLessThan((chunks * CHUNK.length) / 10);
  });
});
