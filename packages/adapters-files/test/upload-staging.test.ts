import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import type { AnnounceContent, FileStore } from '@handover/domain';
import { createInMemoryFileStore } from '@handover/domain/memory';
import { Upload } from '@tus/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeTemporaryDirectory } from '../../../test/temporary-directory.ts';
import { createDiskFileStore, createS3FileStore, createUploadStaging } from '../src/index.ts';
import type { S3Server } from './start-s3.ts';
import { startS3 } from './start-s3.ts';

const ORG = '0199aaaa-0000-7000-8000-000000000001';
const HELLO = '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824';
const FILE = { name: 'felt.zip', size: 5, sha256: HELLO };

let s3: S3Server;
beforeAll(async () => {
  s3 = await startS3();
});
afterAll(() => s3?.stop());

const STORES: Readonly<Record<string, () => Promise<FileStore>>> = {
  'on disk': async () => createDiskFileStore(await makeTemporaryDirectory()),
  'in a bucket': async () => createS3FileStore({ ...s3.place, prefix: `${randomUUID()}/`, presigned: false }),
  'in memory': async () =>
    createInMemoryFileStore((bytes) => createHash('sha256').update(bytes).digest('hex')),
};

const STORES_THAT_ANNOUNCE: Readonly<Record<string, (announce: AnnounceContent) => Promise<FileStore>>> = {
  'on disk': async (announce) => createDiskFileStore(await makeTemporaryDirectory(), announce),
  'in a bucket': async (announce) =>
    createS3FileStore({ ...s3.place, prefix: `${randomUUID()}/`, presigned: false, announce }),
};

async function stage(text: string, makeStore: () => Promise<FileStore>) {
  const directory = await makeTemporaryDirectory();
  const files = await makeStore();
  const staging = createUploadStaging({ directory, files });
  const id = `${ORG}.${randomUUID()}`;
  const pieces = await staging.pieces();
  await pieces.create(new Upload({ id, offset: 0, size: text.length }));
  await pieces.write(Readable.from([Buffer.from(text)]), id, 0);
  return { directory, files, staging, id };
}

describe.each(Object.entries(STORES))('an upload to be stored %s', (_where, makeStore) => {
  it('keeps its bytes unchanged however often it is stored, and stays staged until it is completed', async () => {
    const { directory, files, staging, id } = await stage('hello', makeStore);
    for (const expected of [null, HELLO]) {
      expect(await staging.keep(ORG, id, expected)).toEqual({ size: 5, sha256: HELLO });
    }
    expect(await textOf(files, HELLO)).toBe('hello');
    expect(await staging.findCompleted(id)).toBeNull();
    await staging.complete(id, FILE);
    expect(await staging.findCompleted(id)).toEqual(FILE);
    expect(await readdir(directory)).not.toContain(id);
    expect(await textOf(files, HELLO)).toBe('hello');
  });

  it('is rejected when it differs from what its sender announced', async () => {
    const { files, staging, id } = await stage('hello', makeStore);
    expect(await staging.keep(ORG, id, 'f'.repeat(64))).toBe('damaged');
    expect(await files.open(ORG, HELLO)).toBeNull();
  });

  it('is removed when it is discarded', async () => {
    const { directory, staging, id } = await stage('hello', makeStore);
    await staging.complete(id, FILE);
    await staging.discard(id);
    expect(await staging.findCompleted(id)).toBeNull();
    expect(await readdir(directory)).toEqual([]);
  });
});

describe('an upload on the disk of the file store', () => {
  it('becomes a file without being copied', async () => {
    const directory = await makeTemporaryDirectory();
    const {
      directory: staged,
      staging,
      id,
    } = await stage('hello', async () => createDiskFileStore(directory));
    await staging.keep(ORG, id, null);
    const [before, after] = [join(staged, id), join(directory, ORG, '2c', HELLO)];
    expect((await stat(after)).ino).toBe((await stat(before)).ino);
    expect(await readdir(join(directory, '.uploads'))).toEqual([]);
    await staging.complete(id, FILE);
    expect(await readFile(after, 'utf8')).toBe('hello');
  });

  it('keeps existing content, and repairs a truncated file', async () => {
    const directory = await makeTemporaryDirectory();
    const files = createDiskFileStore(directory);
    const path = join(directory, ORG, '2c', HELLO);
    await files.store(ORG, Readable.from([Buffer.from('hello')]));
    const { ino } = await stat(path);
    const { staging, id } = await stage('hello', async () => files);
    await staging.keep(ORG, id, null);
    expect((await stat(path)).ino).toBe(ino);
    await writeFile(path, 'hel');
    await staging.keep(ORG, id, null);
    expect(await readFile(path, 'utf8')).toBe('hello');
  });

  it.each(Object.keys(STORES_THAT_ANNOUNCE))('is announced before it is at its place: %s', async (kind) => {
    const answers: ('kept' | 'removing')[] = ['removing', 'kept'];
    const seen: unknown[] = [];
    const files: FileStore | undefined = await STORES_THAT_ANNOUNCE[kind]?.(async (content) => {
      seen.push(content, await files?.open(ORG, HELLO));
      return answers.shift() ?? 'kept';
    });
    if (!files) throw new Error(kind);
    const { staging, id } = await stage('hello', async () => files);
    await expect(staging.keep(ORG, id, HELLO)).rejects.toMatchObject({ code: 'content-removing' });
    expect(await files.open(ORG, HELLO)).toBe(null);
    await staging.keep(ORG, id, HELLO);
    expect(await textOf(files, HELLO)).toBe('hello');
    const content = { orgId: ORG, sha256: HELLO };
    expect(seen).toEqual([content, null, content, null]);
  });

  it('is copied from another disk', async (context) => {
    const disk = await findOtherDisk();
    if (disk === null) return context.skip();
    const files = createDiskFileStore(await makeTemporaryDirectory());
    const other = join(disk, `handover-${randomUUID()}`);
    await writeFile(other, 'hello');
    expect(await files.adopt(ORG, other, null)).toEqual({ size: 5, sha256: HELLO });
    await promisify(execFile)('rm', [other]);
    expect(await textOf(files, HELLO)).toBe('hello');
  });
});

describe('staged uploads', () => {
  it('report why a piece could not be written', async () => {
    const { staging, id } = await stage('', async () => createDiskFileStore(await makeTemporaryDirectory()));
    const pieces = await staging.pieces();
    const reset = Object.assign(new Error('reset'), { code: 'ECONNRESET' });
    const broken = Readable.from(
      (async function* () {
        yield Buffer.from('hel');
        throw reset;
      })(),
    );
    await expect(pieces.write(broken, id, 0)).rejects.toBe(reset);
    await expect(pieces.write(Readable.from([]), `${ORG}.gone`, 0)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it.skipIf(process.platform === 'win32')(
    'keep what had come in when the disk is full, and let go of its source',
    async () => {
      const script = join(import.meta.dirname, 'store-until-full.ts');
      const words = [process.execPath, script, await makeTemporaryDirectory(), ORG, 'pieces'];
      const run = promisify(execFile)('sh', ['-c', 'ulimit -f 64; exec "$0" "$@"', ...words]);
      expect((await run).stdout).toBe('source closed\nsome is kept\nEFBIG\n');
    },
  );

  it('are removed with their metadata when no byte has arrived for three days', async () => {
    const { directory, staging, id } = await stage('hello', async () =>
      createDiskFileStore(await makeTemporaryDirectory()),
    );
    const [running, completed] = [`${ORG}.${randomUUID()}`, `${ORG}.${randomUUID()}`];
    await writeFile(join(directory, `${running}.json`), '{}');
    await writeFile(join(directory, running), 'half');
    await staging.complete(completed, FILE);
    const longAgo = new Date(Date.now() - 73 * 60 * 60 * 1000);
    // Of the running one, only what was written at its beginning is old.
    const old = [id, `${id}.json`, `${running}.json`, `${completed}.completed`];
    for (const name of old) await utimes(join(directory, name), longAgo, longAgo);
    const later = createUploadStaging({
      directory,
      files: createDiskFileStore(await makeTemporaryDirectory()),
    });
    await later.pieces();
    expect((await readdir(directory)).sort()).toEqual([running, `${running}.json`].sort());
  });

  it('never leave their directory, whatever their ids contain', async () => {
    const { staging } = await stage('hello', async () => createDiskFileStore(await makeTemporaryDirectory()));
    for (const odd of ['', '..', '../../etc/passwd', `${ORG}./../x`, `${ORG}.${randomUUID()}/x`]) {
      expect(await staging.findCompleted(odd)).toBeNull();
      await expect(staging.keep(ORG, odd, null)).rejects.toThrow('not the id');
      await expect(staging.complete(odd, FILE)).rejects.toThrow('not the id');
      await expect(staging.discard(odd)).rejects.toThrow('not the id');
    }
  });
});

async function textOf(files: FileStore, sha256: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of (await files.open(ORG, sha256)) ?? []) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** On Linux there are two, whichever of them the tests' own files are on. */
async function findOtherDisk(): Promise<string | null> {
  const here = (await stat(await makeTemporaryDirectory())).dev;
  for (const path of ['/dev/shm', '/tmp', import.meta.dirname]) {
    const found = await stat(path).catch(() => null);
    if (found !== null && found.dev !== here) return path;
  }
  return null;
}

describe('the open uploads of an organisation', () => {
  const OTHER = '0199bbbb-0000-7000-8000-000000000002';

  async function open(maxOpen = 2) {
    const directory = await makeTemporaryDirectory();
    const files = createDiskFileStore(await makeTemporaryDirectory());
    const staging = createUploadStaging({ directory, files, maxOpen });
    const pieces = await staging.pieces();
    const begin = async (orgId = ORG) => {
      const id = `${orgId}.${randomUUID()}`;
      await pieces.create(new Upload({ id, offset: 0, size: 5 }));
      return id;
    };
    return { directory, staging, pieces, begin };
  }

  it('are limited, and uploads of other organisations do not count', async () => {
    const { begin, directory } = await open();
    await begin();
    await begin();
    await expect(begin()).rejects.toMatchObject({ code: 'too-many-uploads' });
    expect((await readdir(directory)).filter((name) => !name.endsWith('.json'))).toHaveLength(2);
    await begin(OTHER);
  });

  it('do not include completed, discarded and abandoned uploads', async () => {
    const { begin, directory, staging } = await open(1);
    await staging.complete(await begin(), FILE);
    await staging.discard(await begin());
    const id = await begin();
    const longAgo = new Date(Date.now() - 73 * 60 * 60 * 1000);
    await utimes(join(directory, id), longAgo, longAgo);
    await begin();
    await expect(begin()).rejects.toMatchObject({ code: 'too-many-uploads' });
  });

  it('never exceed the limit, however many begin at once', async () => {
    const { begin, directory } = await open(5);
    const begun = await Promise.allSettled(Array.from({ length: 40 }, () => begin()));
    const fulfilled = begun.filter(({ status }) => status === 'fulfilled').length;
    expect(fulfilled).toBeLessThanOrEqual(5);
    expect((await readdir(directory)).filter((name) => !name.endsWith('.json'))).toHaveLength(fulfilled);
    for (let missing = fulfilled; missing < 5; missing += 1) await begin();
    await expect(begin()).rejects.toMatchObject({ code: 'too-many-uploads' });
  });
});
