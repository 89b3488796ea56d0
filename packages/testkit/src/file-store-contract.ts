import type { FileStore } from '@handover/domain';
import { opening, type TestRunner } from './runner.ts';

const ORG = '0199aaaa-0000-7000-8000-000000000001';
const OTHER_ORG = '0199aaaa-0000-7000-8000-000000000002';
const HELLO = Uint8Array.of(104, 101, 108, 108, 111);
const HELLO_SHA = '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824';
const EMPTY_SHA = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

/** What every file store must do. `createStore` returns an empty one. */
export function fileStoreContract(
  runner: TestRunner,
  createStore: () => Promise<FileStore> | FileStore,
): void {
  const { describe, it, expect } = opening(runner, async () => createStore());

  async function readBack(
    store: FileStore,
    hash: string,
    range?: { readonly start: number; readonly end: number },
  ) {
    const content = await store.open(ORG, hash, range);
    return content && (await collect(content));
  }

  describe('a file that is stored', () => {
    it('is addressed by its content, and is read back as it was', async (store) => {
      expect(await store.store(ORG, chunks(HELLO))).toEqual({ size: 5, sha256: HELLO_SHA });
      expect(await readBack(store, HELLO_SHA)).toEqual([...HELLO]);
    });

    it('may come in any number of chunks, also in one buffer that its source reuses', async (store) => {
      expect(await store.store(ORG, byteByByte(HELLO))).toEqual({ size: 5, sha256: HELLO_SHA });
      expect(await readBack(store, HELLO_SHA)).toEqual([...HELLO]);
    });

    it('may be empty', async (store) => {
      expect(await store.store(ORG, chunks())).toEqual({ size: 0, sha256: EMPTY_SHA });
      expect(await readBack(store, EMPTY_SHA)).toEqual([]);
    });

    it('may be large, and keeps every byte in its place', async (store) => {
      const large = Uint8Array.from({ length: 700_001 }, (_, at) => (at * 7) % 251);
      const { size, sha256 } = await store.store(ORG, chunks(large.slice(0, 300_000), large.slice(300_000)));
      expect(size).toBe(large.length);
      expect(String(await readBack(store, sha256)) === String([...large])).toBe(true);
      expect(await readBack(store, sha256, { start: 299_998, end: 300_003 })).toEqual([
        ...large.slice(299_998, 300_003),
      ]);
    });

    it('stays the same when it is stored again, also at the same moment', async (store) => {
      const stored = await Promise.all(Array.from({ length: 8 }, () => store.store(ORG, byteByByte(HELLO))));
      expect(new Set(stored.map(({ sha256 }) => sha256)).size).toBe(1);
      await store.store(ORG, chunks(HELLO));
      expect(await readBack(store, HELLO_SHA)).toEqual([...HELLO]);
    });

    it('cannot be changed by who reads it', async (store) => {
      await store.store(ORG, chunks(HELLO));
      for await (const chunk of (await store.open(ORG, HELLO_SHA)) ?? []) chunk.fill(0);
      expect(await readBack(store, HELLO_SHA)).toEqual([...HELLO]);
    });

    it('does not exist when its source fails, and the next try can succeed', async (store) => {
      expect(await rejects(store.store(ORG, breakingOff(HELLO)))).toBe(true);
      expect(await store.open(ORG, HELLO_SHA)).toBe(null);
      await store.store(ORG, chunks(HELLO));
      expect(await readBack(store, HELLO_SHA)).toEqual([...HELLO]);
    });
  });

  describe('a file that is removed', () => {
    it('does not exist any more, in its organisation only, also when it is removed twice or never existed', async (store) => {
      for (const orgId of [ORG, OTHER_ORG]) await store.store(orgId, chunks(HELLO));
      for (const hash of [HELLO_SHA, HELLO_SHA, EMPTY_SHA]) await store.remove(ORG, hash);
      expect(await store.open(ORG, HELLO_SHA)).toBe(null);
      expect((await store.open(OTHER_ORG, HELLO_SHA)) === null).toBe(false);
    });

    it('can be stored again', async (store) => {
      await store.store(ORG, chunks(HELLO));
      await store.remove(ORG, HELLO_SHA);
      await store.store(ORG, chunks(HELLO));
      expect(await readBack(store, HELLO_SHA)).toEqual([...HELLO]);
    });

    it('does not touch another one, whatever the given hash', async (store) => {
      await store.store(ORG, chunks(HELLO));
      for (const hash of ['', '.', '..', HELLO_SHA.toUpperCase(), `../2c/${HELLO_SHA}`, `${HELLO_SHA}\0`]) {
        await store.remove(ORG, hash);
      }
      for (const orgId of ['', '.', '..', `${OTHER_ORG}/../${ORG}`, `${ORG}/`]) {
        await store.remove(orgId, HELLO_SHA);
      }
      expect(await readBack(store, HELLO_SHA)).toEqual([...HELLO]);
    });
  });

  describe('a file that is opened', () => {
    it('is read from the start of the range up to, but not including, its end', async (store) => {
      await store.store(ORG, chunks(HELLO));
      expect(await readBack(store, HELLO_SHA, { start: 1, end: 3 })).toEqual([101, 108]);
      expect(await readBack(store, HELLO_SHA, { start: 0, end: 5 })).toEqual([...HELLO]);
      expect(await readBack(store, HELLO_SHA, { start: 4, end: 5 })).toEqual([111]);
    });

    it('ends where the file does, and an empty range is empty', async (store) => {
      await store.store(ORG, chunks(HELLO));
      expect(await readBack(store, HELLO_SHA, { start: 3, end: 500 })).toEqual([108, 111]);
      expect(await readBack(store, HELLO_SHA, { start: 2, end: 2 })).toEqual([]);
      expect(await readBack(store, HELLO_SHA, { start: 5, end: 9 })).toEqual([]);
    });

    it('returns the same bytes when it reads into the reader’s buffer, chunk by chunk', async (store) => {
      await store.store(ORG, chunks(HELLO));
      for (const size of [1, 2, 64]) {
        const lent = [new Uint8Array(size), new Uint8Array(2 * size)];
        let asked = 0;
        const lend = () => lent[asked++ % 2] ?? new Uint8Array(size);
        const taken: number[] = [];
        for await (const chunk of (await store.open(ORG, HELLO_SHA, { start: 1, end: 5, lend })) ?? [])
          taken.push(...chunk);
        expect(taken).toEqual([...HELLO.subarray(1)]);
      }
    });

    it('does not have to be read to its end', async (store) => {
      await store.store(ORG, chunks(HELLO));
      for await (const chunk of (await store.open(ORG, HELLO_SHA)) ?? []) {
        expect(chunk.length > 0).toBe(true);
        break;
      }
      expect(await readBack(store, HELLO_SHA)).toEqual([...HELLO]);
    });

    it('belongs to its organisation alone', async (store) => {
      await store.store(ORG, chunks(HELLO));
      expect(await store.open(OTHER_ORG, HELLO_SHA)).toBe(null);
    });

    it('is null when it is unknown, or its name is invalid', async (store) => {
      await store.store(ORG, chunks(HELLO));
      expect(await store.open(ORG, EMPTY_SHA)).toBe(null);
      for (const hash of ['', '.', '..', HELLO_SHA.toUpperCase(), `../${HELLO_SHA}`, `${HELLO_SHA}\0`]) {
        expect(await store.open(ORG, hash)).toBe(null);
      }
      for (const orgId of ['', '.', '..', `${OTHER_ORG}/../${ORG}`, `${ORG}/`, '/', `${ORG}\0`]) {
        expect(await store.open(orgId, HELLO_SHA)).toBe(null);
      }
    });
  });
}

async function* chunks(...parts: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* parts;
}

async function* byteByByte(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  const buffer = new Uint8Array(1);
  for (const byte of bytes) {
    buffer[0] = byte;
    yield buffer;
  }
}

async function* breakingOff(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
  throw new Error('The source broke off.');
}

async function collect(content: AsyncIterable<Uint8Array>): Promise<number[]> {
  const bytes: number[] = [];
  for await (const chunk of content) for (const byte of chunk) bytes.push(byte);
  return bytes;
}

async function rejects(promise: Promise<unknown>): Promise<boolean> {
  try {
    await promise;
    return false;
  } catch {
    return true;
  }
}
