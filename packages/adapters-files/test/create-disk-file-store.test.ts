import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, mkdir, readdir, readFile, readlink, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../../test/any-character.ts';
import { makeTemporaryDirectory } from '../../../test/temporary-directory.ts';
import { createDiskCheck, createDiskFileStore } from '../src/index.ts';

const ORG = '0199aaaa-0000-7000-8000-000000000001';
const HELLO = '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824';

describe('a check of the directory', () => {
  it('passes before the first file, and rejects where there is no directory', async () => {
    const directory = await makeTemporaryDirectory();
    await createDiskCheck(directory)();
    await createDiskCheck(join(directory, 'files'))();
    await writeFile(join(directory, 'file'), '');
    for (const path of [join(directory, 'file', 'files'), join(directory, 'file')])
      await expect(createDiskCheck(path)()).rejects.toMatchObject({ code: 'ENOTDIR' });
  });
});

describe('the path of a stored file', () => {
  it('has the organisation, the first two digits and the whole hash, and nothing else remains', async () => {
    const directory = await makeTemporaryDirectory();
    await createDiskFileStore(directory).store(ORG, bytes('hel', 'lo'));
    expect(await filesUnder(directory)).toEqual([join(ORG, '2c', HELLO)]);
    expect(await readFile(join(directory, ORG, '2c', HELLO), 'utf8')).toBe('hello');
  });

  it('keeps existing content, and repairs a truncated file', async () => {
    const directory = await makeTemporaryDirectory();
    const store = createDiskFileStore(directory);
    const path = join(directory, ORG, '2c', HELLO);
    await store.store(ORG, bytes('hello'));
    const { ino } = await stat(path);
    await store.store(ORG, bytes('hello'));
    expect((await stat(path)).ino).toBe(ino);
    await writeFile(path, 'hel');
    await store.store(ORG, bytes('hello'));
    expect(await readFile(path, 'utf8')).toBe('hello');
    expect(await filesUnder(directory)).toEqual([join(ORG, '2c', HELLO)]);
  });

  it('never leaves its directory, whatever the ids contain', async () => {
    const directory = await makeTemporaryDirectory();
    const store = createDiskFileStore(join(directory, 'files'));
    await writeFile(join(directory, HELLO), 'secret');
    const odd = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.constantFrom('..', '.uploads', '../..', `${ORG}/..`, `/etc`, `..\\..`, `${ORG}\0`, 'CON', '%2e%2e'),
    );
    await fc.assert(
      fc.asyncProperty(odd, odd, async (orgId, hash) => {
        fc.pre(!/^[0-9a-z][0-9a-z_-]*$/.test(orgId));
        expect(await store.open(orgId, hash)).toBeNull();
        expect(await store.open(orgId, HELLO)).toBeNull();
        expect(await store.open(ORG, hash)).toBeNull();
        await expect(store.store(orgId, bytes('x'))).rejects.toMatchObject({
          code: 'malformed-organisation',
        });
      }),
    );
    expect(await filesUnder(directory)).toEqual([HELLO]);
  });
});

describe('an upload that fails', () => {
  it('leaves nothing behind when its source breaks, and reports the error', async () => {
    const directory = await makeTemporaryDirectory();
    const store = createDiskFileStore(directory);
    const cause = new Error('boom');
    await expect(store.store(ORG, breakingOff(cause))).rejects.toMatchObject({
      code: 'source-failed',
      cause,
    });
    expect(await filesUnder(directory)).toEqual([]);
  });

  it('keeps the error code of the source', async () => {
    const store = createDiskFileStore(await makeTemporaryDirectory());
    const reset = Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
    await expect(store.store(ORG, breakingOff(reset))).rejects.toBe(reset);
  });

  it('leaves nothing behind when its directory cannot be created', async () => {
    const directory = await makeTemporaryDirectory();
    const store = createDiskFileStore(directory);
    await writeFile(join(directory, ORG), 'in the way');
    await expect(store.store(ORG, bytes('hello'))).rejects.toMatchObject({
      code: expect.stringMatching(/^E[A-Z]+$/),
    });
    expect(await store.open(ORG, HELLO)).toBeNull();
    expect(await filesUnder(directory)).toEqual([ORG]);
  });

  it.skipIf(process.platform === 'win32')(
    'leaves nothing behind on a full disk, and lets go of its source',
    async () => {
      const directory = await makeTemporaryDirectory();
      const script = join(import.meta.dirname, 'store-until-full.ts');
      const command = 'ulimit -f 64; exec "$0" "$@"';
      const run = promisify(execFile)('sh', ['-c', command, process.execPath, script, directory, ORG]);
      expect((await run).stdout).toBe('source closed\nEFBIG\n');
      expect(await filesUnder(directory)).toEqual([]);
    },
  );
});

describe('uploads of processes that crashed', () => {
  it('are removed after a day, when a store is created', async () => {
    const directory = await makeTemporaryDirectory();
    await mkdir(join(directory, '.uploads'));
    const [old, running] = ['old.part', 'running.part'].map((name) => join(directory, '.uploads', name));
    for (const path of [old, running]) await writeFile(path ?? '', 'half');
    const yesterday = new Date(Date.now() - 25 * 60 * 60 * 1000);
    await utimes(old ?? '', yesterday, yesterday);
    await createDiskFileStore(directory).store(ORG, bytes('hello'));
    expect(await filesUnder(directory)).toEqual([join('.uploads', 'running.part'), join(ORG, '2c', HELLO)]);
  });
});

describe('a file that is adopted', () => {
  it('is stored, however old it is, while another process starts and removes what crashed ones left', async () => {
    const directory = await makeTemporaryDirectory();
    const path = join(await makeTemporaryDirectory(), 'staged');
    await writeFile(path, 'hello');
    const lastWeek = new Date(Date.now() - 7 * 24 * 60 * 60 * 1000);
    await utimes(path, lastWeek, lastWeek);
    const store = createDiskFileStore(directory, async () => {
      await createDiskFileStore(directory).store(ORG, bytes('another'));
      return 'kept';
    });
    expect(await store.adopt(ORG, path, HELLO)).toEqual({ size: 5, sha256: HELLO });
    expect(await readFile(join(directory, ORG, '2c', HELLO), 'utf8')).toBe('hello');
  });
});

describe('streaming', () => {
  it('reads no more from the source than it has written', async () => {
    const directory = await makeTemporaryDirectory();
    let asked = 0;
    async function* source(): AsyncGenerator<Uint8Array> {
      for (; asked < 20; asked += 1) {
        const [part] = await readdir(join(directory, '.uploads'));
        expect((await stat(join(directory, '.uploads', part ?? ''))).size).toBe(asked * 100_000);
        yield new Uint8Array(100_000).fill(asked);
      }
    }
    const { size } = await createDiskFileStore(directory).store(ORG, source());
    expect(size).toBe(2_000_000);
  });

  it('holds no file open without a reader', async (context) => {
    if (!(await exists('/proc/self/fd'))) context.skip();
    const directory = await makeTemporaryDirectory();
    const store = createDiskFileStore(directory);
    const { sha256 } = await store.store(ORG, bytes('a'.repeat(600_000), 'b'));
    const path = join(directory, ORG, sha256.slice(0, 2), sha256);
    for await (const chunk of (await store.open(ORG, sha256)) ?? []) {
      expect(chunk.length).toBeLessThan(600_000);
      expect(await openDescriptors(path)).toBe(1);
      break;
    }
    await store.open(ORG, sha256);
    expect(await openDescriptors(path)).toBe(0);
  });

  it('returns any part of a file unchanged', async () => {
    const directory = await makeTemporaryDirectory();
    const store = createDiskFileStore(directory);
    const content = Buffer.from(Uint8Array.from({ length: 600_000 }, (_, at) => (at * 31) % 256));
    const { sha256 } = await store.store(ORG, chunked(content));
    expect(sha256).toBe(createHash('sha256').update(content).digest('hex'));
    await fc.assert(
      fc.asyncProperty(fc.nat(650_000), fc.nat(650_000), async (a, b) => {
        const [start, end] = [Math.min(a, b), Math.max(a, b)];
        const parts: Uint8Array[] = [];
        for await (const chunk of (await store.open(ORG, sha256, { start, end })) ?? []) parts.push(chunk);
        expect(Buffer.concat(parts).equals(content.subarray(start, end))).toBe(true);
      }),
      { numRuns: 50 },
    );
  });
});

async function* bytes(...parts: string[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield Buffer.from(part);
}

async function* chunked(content: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; at += 64_000) yield content.subarray(at, at + 64_000);
}

async function* breakingOff(error: Error): AsyncGenerator<Uint8Array> {
  yield Buffer.from('hel');
  throw error;
}

async function filesUnder(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1))
    .sort();
}

async function openDescriptors(path: string): Promise<number> {
  const descriptors = await readdir('/proc/self/fd');
  const targets = await Promise.all(descriptors.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
  return targets.filter((target) => target === path).length;
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
