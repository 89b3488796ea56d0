import { createHash, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HeadObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { fileStoreContract } from '@handover/testkit';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { startTcpProxy } from '../../../apps/server/test/support/tcp-proxy.ts';
import { WAIT_TIMEOUT_MS } from '../../../test/wait-timeout.ts';
import type { S3Place } from '../src/index.ts';
import { createS3Check, createS3FileStore } from '../src/index.ts';
import { recordRequests } from './record-requests.ts';
import type { S3Server } from './start-s3.ts';
import { startS3 } from './start-s3.ts';

const ORG = '0199aaaa-0000-7000-8000-000000000001';
const HELLO = '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824';
const MIB = 1024 * 1024;

let s3: S3Server;
beforeAll(async () => {
  s3 = await startS3();
});
afterAll(() => s3?.stop());

/** A corner of the bucket that no other test uses. */
function freshPlace(): S3Place {
  return { ...s3.place, prefix: `${randomUUID()}/` };
}

const openStore = (place = freshPlace()) => createS3FileStore({ ...place, presigned: false });

describe('files in a bucket', () => {
  fileStoreContract({ describe, it, expect }, () => openStore());
});

describe('the key of a stored file', () => {
  it('has the organisation, the first two digits and the whole hash', async () => {
    const place = freshPlace();
    await openStore(place).store(ORG, bytes('hel', 'lo'));
    expect(await sizeOf(place, `${place.prefix}${ORG}/2c/${HELLO}`)).toBe(5);
  });

  it('is filled by one copy within the bucket, part by part if the file is large', async () => {
    const store = createS3FileStore({ ...freshPlace(), presigned: false, copyPieceBytes: 5 * MIB });
    const content = pattern(21 * MIB + 1);
    const { size, sha256 } = await store.store(ORG, chunked(content));
    expect({ size, sha256 }).toEqual({ size: content.length, sha256: hashOf(content) });
    expect((await collect(store.open(ORG, sha256))).equals(content)).toBe(true);
    const range = { start: 8 * MIB - 3, end: 16 * MIB + 5 };
    expect(
      (await collect(store.open(ORG, sha256, range))).equals(content.subarray(range.start, range.end)),
    ).toBe(true);
  });

  it('never holds half an upload, whether its source breaks early or after many parts', async () => {
    const requests = await recordRequests(s3.place.endpoint ?? '');
    const store = openStore({ ...freshPlace(), endpoint: requests.endpoint });
    for (const before of [5, 20 * MIB]) {
      await expect(store.store(ORG, breakingAfter(before))).rejects.toMatchObject({ code: 'source-failed' });
    }
    const begun = requests.seen.filter((line) => /^POST .*\?uploads/.test(line)).length;
    expect(begun).toBe(1);
    expect(requests.seen.filter((line) => /^DELETE .*uploadId=/.test(line))).toHaveLength(begun);
    expect(requests.seen.filter((line) => /^POST .*uploadId=/.test(line))).toEqual([]);
  });

  it('buffers no more of the source than it can send', async () => {
    const proxy = await startTcpProxy(s3.place.endpoint ?? '');
    const store = openStore({ ...freshPlace(), endpoint: proxy.url });
    let taken = 0;
    let ended = false;
    async function* endless(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) {
          taken += MIB;
          yield Buffer.alloc(MIB);
          if (taken === 20 * MIB) proxy.freeze();
        }
      } finally {
        ended = true;
      }
    }
    const storing = store.store(ORG, endless()).catch((error: unknown) => error);
    let last = -1;
    await vi.waitUntil(
      () => {
        const still = taken >= 20 * MIB && taken === last;
        last = taken;
        return still;
      },
      { interval: 300, timeout: 20_000 },
    );
    expect(taken).toBeLessThan(60 * MIB);
    await proxy.goAway();
    expect(await storing).toMatchObject({ code: 'file-store-away' });
    expect(ended).toBe(true);
  });
});

describe('a store that fails', () => {
  it('is away for a check while it is unreachable; a refusal is an answer', async () => {
    const proxy = await startTcpProxy(s3.place.endpoint ?? '');
    const check = createS3Check({ ...s3.place, endpoint: proxy.url });
    await check();
    await createS3Check({ ...s3.place, bucket: 'no-such-bucket' })();
    await proxy.goAway();
    await expect(check()).rejects.toMatchObject({ code: 'file-store-away' });
    await proxy.comeBack();
    await check();
  });

  it('rejects every call while it is unreachable, and works again afterwards', async () => {
    const proxy = await startTcpProxy(s3.place.endpoint ?? '');
    const store = openStore({ ...freshPlace(), endpoint: proxy.url });
    await store.store(ORG, bytes('hello'));
    await proxy.goAway();
    await expect(store.store(ORG, bytes('other'))).rejects.toMatchObject({ code: 'file-store-away' });
    await expect(store.open(ORG, HELLO)).rejects.toMatchObject({ code: 'file-store-away' });
    await proxy.comeBack();
    expect(await collect(store.open(ORG, HELLO))).toEqual(Buffer.from('hello'));
    await store.store(ORG, bytes('other'));
  });

  it('reports a wrong access key, and a wrong secret', async () => {
    for (const wrong of [{ accessKeyId: 'NOBODY' }, { secretAccessKey: 'guessed-but-not-right' }]) {
      const credentials = { accessKeyId: '', secretAccessKey: '', ...s3.place.credentials, ...wrong };
      const store = openStore({ ...freshPlace(), credentials });
      const failure = await store.store(ORG, bytes('hello')).catch((error: unknown) => error);
      expect(failure).toMatchObject({ code: 'file-store-denied' });
      expect(String(failure)).not.toContain('guessed');
      await expect(store.open(ORG, HELLO)).rejects.toMatchObject({ code: 'file-store-denied' });
    }
  });

  it('reports a missing bucket, which differs from a missing file', async () => {
    const store = openStore({ ...freshPlace(), bucket: 'not-the-bucket' });
    await expect(store.store(ORG, bytes('hello'))).rejects.toMatchObject({ code: 'file-store-missing' });
    await expect(store.open(ORG, HELLO)).rejects.toMatchObject({ code: 'file-store-missing' });
  });

  it('reports that it has no room left', async () => {
    const full = createServer((request, response) => {
      request.resume();
      response.writeHead(507, { 'content-type': 'application/xml' });
      response.end('<Error><Code>XMinioStorageFull</Code><Message>full</Message></Error>');
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void full.close());
    await vi.waitUntil(() => full.listening, WAIT_TIMEOUT_MS);
    const endpoint = `http://127.0.0.1:${(full.address() as AddressInfo).port}`;
    const store = openStore({ ...freshPlace(), endpoint });
    await expect(store.store(ORG, bytes('hello'))).rejects.toMatchObject({ code: 'file-store-full' });
  });
});

describe('a read of a file', () => {
  it('resumes at its offset when the store hangs up', async () => {
    const proxy = await startTcpProxy(s3.place.endpoint ?? '');
    const content = pattern(30 * MIB);
    const place = freshPlace();
    const { sha256 } = await openStore(place).store(ORG, chunked(content));
    const store = openStore({ ...place, endpoint: proxy.url });
    const hash = createHash('sha256');
    let read = 0;
    let cuts = 0;
    for await (const chunk of (await store.open(ORG, sha256)) ?? []) {
      hash.update(chunk);
      read += chunk.length;
      if (read > (cuts + 1) * 8 * MIB) {
        cuts += 1;
        await proxy.goAway();
        await proxy.comeBack();
      }
    }
    expect(cuts).toBe(3);
    expect(hash.digest('hex')).toBe(sha256);
  });

  it('ends its request when the reader stops', async () => {
    const requests = await recordRequests(s3.place.endpoint ?? '');
    const place = freshPlace();
    const { sha256 } = await openStore(place).store(ORG, chunked(pattern(30 * MIB)));
    const store = openStore({ ...place, endpoint: requests.endpoint });
    for await (const chunk of (await store.open(ORG, sha256)) ?? []) {
      expect(chunk.length).toBeGreaterThan(0);
      break;
    }
    await vi.waitUntil(() => requests.broken() === 1, WAIT_TIMEOUT_MS);
    await store.open(ORG, sha256);
    expect(requests.seen.filter((line) => line.startsWith('GET '))).toHaveLength(1);
  });
});

describe('a presigned URL', () => {
  it('is issued only when presigned URLs are enabled', () => {
    expect(openStore().presign).toBeUndefined();
  });

  it('returns the content and any range of it under the file’s name to anyone who has it', async () => {
    const store = createS3FileStore({ ...freshPlace(), presigned: true });
    const { sha256 } = await store.store(ORG, bytes('hello'));
    const terms = { seconds: 60, disposition: 'attachment; filename="felt.zip"' };
    const url = (await store.presign?.(ORG, sha256, terms)) ?? '';
    const whole = await fetch(url);
    expect(await whole.text()).toBe('hello');
    expect(whole.headers.get('content-disposition')).toBe(terms.disposition);
    expect(whole.headers.get('content-type')).toBe('application/octet-stream');
    expect(await (await fetch(url, { headers: { range: 'bytes=1-2' } })).text()).toBe('el');
    expect((await fetch(url.replace('felt', 'fake'))).status).toBe(403);
    expect(await store.presign?.(ORG, 'f'.repeat(64), terms)).toBeNull();
    expect(await store.presign?.('..', sha256, terms)).toBeNull();
  });
});

async function* bytes(...parts: string[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield Buffer.from(part);
}

function pattern(length: number): Buffer {
  const block = createHash('sha512').update(String(length)).digest();
  const content = Buffer.alloc(length);
  for (let at = 0; at < length; at += block.length) {
    block.writeUInt32LE(at, 0);
    block.copy(content, at);
  }
  return content;
}

async function* chunked(content: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; at += 100_000) yield content.subarray(at, at + 100_000);
}

async function* breakingAfter(length: number): AsyncGenerator<Uint8Array> {
  yield* chunked(pattern(length));
  throw new Error('The source broke off.');
}

async function collect(opening: Promise<AsyncIterable<Uint8Array> | null>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of (await opening) ?? []) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function hashOf(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

async function sizeOf(
  { bucket, region, endpoint, credentials }: S3Place,
  key: string,
): Promise<number | undefined> {
  const client = new S3Client({
    region,
    ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
    ...(credentials ? { credentials } : {}),
  });
  const { ContentLength } = await client.send(new HeadObjectCommand({ Bucket: bucket, Key: key }));
  return ContentLength;
}
