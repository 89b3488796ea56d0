import { createHash, randomFillSync } from 'node:crypto';
import { readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createS3FileStore } from '@handover/adapters-files';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startS3 } from '../../../packages/adapters-files/test/start-s3.ts';
import { makeTemporaryDirectory } from '../../../test/temporary-directory.ts';
import { beside } from '../../../test/undo.ts';
import { startGate } from './support/gate.ts';
import type { Environment } from './support/server-process.ts';
import { runCli, runCliForJson, runCliHere, spawnCli, startServer } from './support/server-process.ts';
import { type Installation, openOwnShop, shareServer, startInstallation } from './support/shared-server.ts';
import { makeInstallation, openShop, until } from './support/shop.ts';

const MB = 1_000_000;
const NO_MAIL = { url: 'smtp://127.0.0.1:1' };

interface Uploaded {
  readonly version: string;
  readonly activated: boolean;
  readonly files: readonly {
    readonly name: string;
    readonly size: number;
    readonly sha256: string;
    readonly uploaded: boolean;
  }[];
}

const shared = shareServer({ MAX_FILE_SIZE: '200MB' });

async function openUploads(on: Installation = shared()) {
  const { environment, server, shop } = await openOwnShop(on);
  const directory = await makeTemporaryDirectory();
  const upload = (...more: string[]) => [
    ...['product', 'upload', '--org', shop.orgId, '--product', shop.productId, '--version', '2.0'],
    ...more,
  ];
  return {
    environment,
    server,
    shop,
    directory,
    upload,
    reach: (url: string) => ({ ...environment, SITE_URL: url }),
  };
}

async function makeFile(directory: string, name: string, size: number) {
  const content = randomFillSync(Buffer.alloc(size));
  const path = join(directory, name);
  await writeFile(path, content);
  return { path, name, size, sha256: createHash('sha256').update(content).digest('hex'), content };
}

function readStored({ DATA_DIR = '' }: Environment, orgId: string, sha256: string): Promise<Buffer> {
  return readFile(join(DATA_DIR, 'files', orgId, sha256.slice(0, 2), sha256));
}

/** Bytes of the only upload in progress. */
async function stagedBytes({ DATA_DIR = '' }: Environment): Promise<number> {
  const directory = join(DATA_DIR, 'files', '.staged');
  const names = (await readdir(directory).catch(() => [])).filter(
    (name) => !/\.(json|completed)$/.test(name),
  );
  const [name] = names;
  return name === undefined ? 0 : (await stat(join(directory, name))).size;
}

describe('product upload', () => {
  it('creates the version, uploads its files, activates it, and prints one object', async () => {
    const { environment, server, shop, directory, upload, reach } = await openUploads();
    const pads = await makeFile(directory, 'félt pads.zip', 3 * MB);
    const empty = await makeFile(directory, 'empty.txt', 0);
    const words = upload(pads.path, empty.path, '--activate', '--json');
    const { code, stdout, stderr } = await runCli(reach(server.url), words);
    expect([code, stderr]).toEqual([0, '']);
    const facts = ({ name, size, sha256 }: typeof pads) => ({
      ...{ name, size, sha256 },
      displayName: null,
      uploaded: true,
    });
    expect(JSON.parse(stdout)).toEqual({
      productId: shop.productId,
      versionId: expect.any(String),
      version: '2.0',
      activated: true,
      files: [facts(pads), facts(empty)],
    });
    for (const file of [pads, empty]) {
      expect((await readStored(environment, shop.orgId, file.sha256)).equals(file.content)).toBe(true);
    }
    expect(await stagedBytes(environment)).toBe(0);
    const again = await runCliHere(reach(server.url), words);
    const unsent = [{ uploaded: false }, { uploaded: false }];
    expect(JSON.parse(again.stdout)).toMatchObject({ activated: true, files: unsent });
  });

  it('prints the maximum file size, and what to do with a larger file', async () => {
    const { server, directory, upload, reach } = await openUploads();
    const path = join(directory, 'large.zip');
    await writeFile(path, '');
    await truncate(path, 200 * MB + 1);
    const { code, stdout } = await runCli(reach(server.url), upload(path, '--json'));
    const { error } = JSON.parse(stdout) as { readonly error: string };
    expect([code, error]).toEqual([
      1,
      expect.stringMatching(/^large\.zip was not taken \(413\): .*200 MB at most.*MAX_FILE_SIZE\.$/),
    ]);
  });

  it('uploads files into a bucket if FILES_URL names one', async () => {
    const s3 = await startS3();
    onTestFinished(() => s3.stop());
    const { bucket, endpoint, credentials } = s3.place;
    const environment = {
      ...(await makeInstallation(NO_MAIL)),
      FILES_URL: `s3://${bucket}/shop?endpoint=${endpoint}`,
      AWS_ACCESS_KEY_ID: credentials?.accessKeyId ?? '',
      AWS_SECRET_ACCESS_KEY: credentials?.secretAccessKey ?? '',
    };
    const server = await startServer(environment);
    const shop = await openShop(environment, server.url);
    const pads = await makeFile(await makeTemporaryDirectory(), 'pads.zip', 12 * MB);
    const words = ['product', 'upload', pads.path, '--org', shop.orgId, '--product', shop.productId];
    const said = await runCliHere({ ...environment, SITE_URL: server.url }, [...words, '--version', '2.0']);
    expect([said.code, said.stderr]).toEqual([0, '']);
    const files = createS3FileStore({ ...s3.place, prefix: 'shop/', presigned: false });
    const chunks: Uint8Array[] = [];
    for await (const chunk of (await files.open(shop.orgId, pads.sha256)) ?? []) chunks.push(chunk);
    expect(Buffer.concat(chunks).equals(pads.content)).toBe(true);
    expect(server.printed()).not.toContain(credentials?.secretAccessKey);
  });

  it('prints progress and the next command, and never shows a key', async () => {
    const { server, shop, directory, upload, reach } = await openUploads();
    const pads = await makeFile(directory, 'pads.zip', 3 * MB);
    const first = await runCli(reach(server.url), upload(pads.path));
    expect(first.code).toBe(0);
    expect(first.stderr.trim().split('\n').at(-1)).toBe('pads.zip: 100 % of 3.0 MB');
    expect(first.stdout).toContain(`pads.zip  3000000 bytes  SHA-256 ${pads.sha256}`);
    expect(first.stdout).toContain('--activate');
    const second = await runCliHere(reach(server.url), upload(pads.path));
    expect(second.stdout).toContain('was there already');
    expect(first.stdout + first.stderr + second.stdout).not.toContain('hnd_');
    expect(server.printed()).not.toContain(shop.apiKey);
  });

  it('reports invalid input before it sends a byte', async () => {
    const { server, shop, directory, upload, reach } = await openUploads();
    const pads = await makeFile(directory, 'pads.zip', 10);
    const fail = async (words: readonly string[], url = server.url) => {
      const { code, stderr, stdout } = await runCliHere(reach(url), words);
      return [code, stdout, stderr];
    };
    expect(await fail(upload(join(directory, 'none.zip')))).toEqual([
      1,
      '',
      `There is no file ${directory}/none.zip.\n`,
    ]);
    expect(await fail(upload(directory))).toEqual([
      1,
      '',
      expect.stringContaining(`${directory} is a folder.`),
    ]);
    expect(await fail(upload(pads.path, pads.path))).toEqual([1, '', expect.stringContaining('pads.zip')]);
    expect(await fail(upload(pads.path), 'http://127.0.0.1:1')).toEqual([
      1,
      '',
      expect.stringContaining('No server answers at http://127.0.0.1:1'),
    ]);
    for (const [name, id] of Object.entries({ org: shop.orgId, product: shop.productId })) {
      const words = upload(pads.path).map((word) => (word === id ? NOBODY : word));
      expect(await fail(words)).toEqual([1, '', expect.stringContaining(`--${name} ${NOBODY}`)]);
    }
    const odd = upload(pads.path).map((word) => (word === '2.0' ? 'a  b' : word));
    expect(await fail(odd)).toEqual([1, '', expect.stringContaining('--version must be')]);
    const live = upload(pads.path).map((word) => (word === '2.0' ? '1.0' : word));
    expect(await fail(live)).toEqual([1, '', expect.stringContaining('was live')]);
  });

  // These two mostly wait.
  it.concurrent(
    'resumes by itself when the server crashes and restarts',
    beside(async () => {
      const installation = await startInstallation();
      const { environment, server, shop, directory, upload, reach } = await openUploads(installation);
      const pads = await makeFile(directory, 'pads.zip', 16 * MB);
      const gate = await startGate(server.url, 8 * MB);
      const running = runCliForJson<Uploaded>(reach(gate.url), upload(pads.path));
      await gate.shut();
      await until(async () => (await stagedBytes(environment)) > 6 * MB);
      await server.end('SIGKILL');
      gate.open();
      await startServer({ ...environment, PORT: new URL(server.url).port });
      expect((await running).files).toMatchObject([
        { name: 'pads.zip', sha256: pads.sha256, uploaded: true },
      ]);
      expect((await readStored(environment, shop.orgId, pads.sha256)).equals(pads.content)).toBe(true);
      // Resumed, not restarted.
      expect(gate.passed()).toBeLessThan(20 * MB);
    }),
  );

  it.concurrent(
    'resumes when the command was killed and is repeated',
    beside(async () => {
      const { environment, server, shop, directory, upload, reach } = await openUploads();
      const pads = await makeFile(directory, 'pads.zip', 16 * MB);
      const gate = await startGate(server.url, 8 * MB);
      const killed = spawnCli(reach(gate.url), upload(pads.path));
      await gate.shut();
      await until(async () => (await stagedBytes(environment)) > 6 * MB);
      await killed.end('SIGKILL');
      // Otherwise the system would still send the buffered data, possibly all of it.
      gate.breakOff();
      gate.open();
      const { files } = await runCliForJson<Uploaded>(reach(gate.url), upload(pads.path, '--activate'));
      expect(files).toMatchObject([{ name: 'pads.zip', sha256: pads.sha256, uploaded: true }]);
      expect((await readStored(environment, shop.orgId, pads.sha256)).equals(pads.content)).toBe(true);
      expect(gate.passed()).toBeLessThan(20 * MB);
    }),
  );
});

const NOBODY = '01900000-0000-7000-8000-000000000000';
