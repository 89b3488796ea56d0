import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createS3FileStore, probeBucket } from '../src/index.ts';

const ORG = '0199b6ee-0000-7000-8000-000000000001';
const HASH = 'a'.repeat(64);
const LIMITS = { answerMs: 300, chunkMs: 300 };
const AWAY = { code: 'file-store-away', message: 'The file store does not answer right now.' };

/** A place that accepts connections, and answers as it is told to. */
async function openPlace(answer: RequestListener) {
  const server = createServer(answer);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return {
    bucket: 'files',
    prefix: '',
    region: 'us-east-1',
    endpoint: `http://127.0.0.1:${port}`,
    credentials: { accessKeyId: 'id', secretAccessKey: 'key' },
  };
}

async function openStore(answer: RequestListener) {
  return createS3FileStore({ ...(await openPlace(answer)), presigned: false, limits: LIMITS });
}

it('gives a store up that never answers, for a download and for an upload, of which nothing is read', async () => {
  const store = await openStore(() => undefined);
  await expect(store.open(ORG, HASH)).rejects.toMatchObject(AWAY);
  let read = 0;
  const content = async function* () {
    read += 1;
    yield Buffer.from('bytes');
  };
  await expect(store.store(ORG, content())).rejects.toMatchObject(AWAY);
  expect(read).toBe(0);
});

it('gives a download up whose bytes never come', async () => {
  const store = await openStore((request, response) => {
    response.setHeader('content-length', '10').setHeader('etag', '"x"').flushHeaders();
    if (request.method === 'HEAD') response.end();
  });
  const content = await store.open(ORG, HASH);
  const read = async () => {
    for await (const _chunk of content ?? []) return;
  };
  await expect(read()).rejects.toMatchObject(AWAY);
});

it('resumes where a store fell silent, and lets a reader take all the time', async () => {
  const ranges: string[] = [];
  const store = await openStore((request, response) => {
    response.setHeader('etag', '"x"');
    if (request.method === 'HEAD') return response.setHeader('content-length', '10').end();
    ranges.push(String(request.headers.range));
    const [first, half] = ranges.length === 1 ? ['01234', true] : ['56789', false];
    response.setHeader('content-length', half ? '10' : '5').write(first);
    if (!half) response.end();
  });
  let text = '';
  for await (const chunk of (await store.open(ORG, HASH)) ?? []) {
    text += Buffer.from(chunk).toString();
    // Longer than a store may be silent.
    await new Promise((resolve) => setTimeout(resolve, 2 * LIMITS.chunkMs));
  }
  expect(text).toBe('0123456789');
  expect(ranges).toEqual(['bytes=0-9', 'bytes=5-9']);
});

it('asks once for a removal that fails: a repeat could overtake it, and it would remove what was stored since', async () => {
  const asked: string[] = [];
  const store = await openStore((request, response) => {
    asked.push(`${request.method}`);
    response.writeHead(503).end();
  });
  await expect(store.remove(ORG, HASH)).rejects.toMatchObject({ code: 'file-store-away' });
  expect(asked).toEqual(['DELETE']);
  await expect(store.open(ORG, HASH)).rejects.toMatchObject({ code: 'file-store-away' });
  expect(asked.slice(1)).toEqual(['HEAD', 'HEAD', 'HEAD']);
});

it('gives a probe up whose bytes never come', async () => {
  const place = await openPlace((request, response) => {
    response.setHeader('etag', '"x"');
    if (request.method === 'GET') response.setHeader('content-length', '10').flushHeaders();
    else request.resume().on('end', () => response.end());
  });
  await expect(probeBucket(place, LIMITS)).rejects.toMatchObject(AWAY);
}, 10_000);
