import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { makeTemporaryDirectory } from '../../../test/temporary-directory.ts';
import { undoLater } from '../../../test/undo.ts';
import { closeDataDir } from '../src/composition/close-data-dir.ts';
import { makePreparedDataDir } from './support/prepared-data-dir.ts';
import { runCli, startServer } from './support/server-process.ts';
import { until } from './support/shop.ts';

const IS_ROOT = process.geteuid?.() === 0;

/** Every file and directory that another user has any right to, and DATA_DIR itself. */
async function listOpen(dataDir: string): Promise<readonly string[]> {
  const entries = await readdir(dataDir, { recursive: true });
  const modes = await Promise.all(
    ['.', ...entries].map(async (name) => {
      // Files of the database are created and deleted meanwhile.
      const mode = (await stat(join(dataDir, name)).catch(() => null))?.mode ?? 0;
      return { name, mode: mode & 0o777 };
    }),
  );
  return modes.filter(({ mode }) => mode & 0o077).map(({ name, mode }) => `${name} ${mode.toString(8)}`);
}

async function startTrial(dataDir: string, settings: Record<string, string> = {}) {
  const server = await startServer({ DATA_DIR: dataDir, ...settings });
  await server.waitForLine(/Ctrl-C stops/);
  const [, key = ''] = /Bearer (hnd_\w+)/.exec(server.printed()) ?? [];
  const [, words = ''] = /npm run --silent handover -- (simulate .*)/.exec(server.printed()) ?? [];
  return { server, headers: { authorization: `Bearer ${key}` }, words: words.trim().split(' ') };
}

it('files of the server and the command line are closed to other users: 0700 and 0600', async () => {
  const dataDir = join(await makeTemporaryDirectory(), 'new');
  const { server, headers, words } = await startTrial(dataDir);
  await runCli({ DATA_DIR: dataDir }, words);
  const rows: { product: { id: string } }[] = JSON.parse(
    await (await fetch(`${server.url}/api/products`, { headers })).text(),
  );
  const productId = rows[0]?.product.id ?? '';
  const version = await fetch(`${server.url}/api/products/${productId}/versions`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: '{"version":"2"}',
  });
  const { id }: { id: string } = JSON.parse(await version.text());
  const metadata = { productId, versionId: id, filename: 'a.bin' };
  const begun = await fetch(`${server.url}/api/uploads`, {
    method: 'POST',
    headers: {
      ...headers,
      'tus-resumable': '1.0.0',
      'upload-length': '10',
      'upload-metadata': Object.entries(metadata)
        .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
        .join(),
    },
  });
  expect(begun.status).toBe(201);
  await until(async () => (await readdir(join(dataDir, 'mail')).catch(() => [])).length > 0);
  const entries = await readdir(dataDir, { recursive: true });
  // The test must have seen all kinds: secret, mails, files, an upload that waits, locks, the demo and the database.
  for (const kind of [/^secret$/, /^mail\/.*eml$/, /^files\/\.staged\/.*json$/, /^lock\/\d/, /^demo\.json$/])
    expect(
      entries.some((name) => kind.test(name)),
      String(kind),
    ).toBe(true);
  expect(entries).toContain('postgres/postgres.log');
  expect(await listOpen(dataDir)).toEqual([]);
});

it('a start closes files that former versions left open, logs it, and changes nothing else', async () => {
  const dataDir = await makePreparedDataDir();
  const former = await startTrial(dataDir);
  await former.server.end();
  await mkdir(join(dataDir, 'mail'), { recursive: true });
  await writeFile(join(dataDir, 'mail', 'a.eml'), 'x');
  const elsewhere = join(await makeTemporaryDirectory(), 'elsewhere');
  await writeFile(elsewhere, 'x', { mode: 0o644 });
  await symlink(elsewhere, join(dataDir, 'mail', 'linked'));
  execFileSync('chmod', ['-R', 'go+rX', dataDir]);
  // PostgreSQL itself would refuse to start.
  execFileSync('chmod', ['-R', 'go-rwx', join(dataDir, 'postgres', 'data')]);
  expect((await listOpen(dataDir)).length).toBeGreaterThan(5);

  const { server, headers } = await startTrial(dataDir);
  expect(server.printed()).toMatch(/"count":\d+,"msg":"closed what was open to other users in DATA_DIR/);
  expect(await listOpen(dataDir)).toEqual(['mail/linked 644']);
  expect((await fetch(`${server.url}/api/products`, { headers })).status).toBe(200);
  await server.end();
  const again = await startTrial(dataDir);
  expect(again.server.printed()).not.toContain('closed what was open');
});

it('a directory with foreign files is left unchanged, and our files in it are closed', async () => {
  const dataDir = await makePreparedDataDir();
  await writeFile(join(dataDir, 'letters.txt'), 'dear …', { mode: 0o644 });
  await chmod(dataDir, 0o755);
  const { server } = await startTrial(dataDir);
  expect(server.printed()).toContain('is left so, because it holds other things');
  expect(await listOpen(dataDir)).toEqual(['. 755', 'letters.txt 644']);
});

it('leaves a file alone that DATA_DIR names by mistake', async () => {
  const path = join(await makeTemporaryDirectory(), 'letters.txt');
  await writeFile(path, 'dear …', { mode: 0o644 });
  const settings = { dataDir: path, files: { kind: 'disk', directory: join(path, 'files') } } as const;
  closeDataDir(settings, pino({ level: 'silent' }));
  expect((await stat(path)).mode & 0o777).toBe(0o644);
});

it.runIf(IS_ROOT)('where root cannot let PostgreSQL pass otherwise, its group alone may pass', async () => {
  // Programs without setpriv.
  const bin = await mkdtemp(join(tmpdir(), 'handover-bin-'));
  undoLater(() => rm(bin, { recursive: true, force: true }));
  for (const name of ['id', 'chown'])
    await symlink(execFileSync('which', [name], { encoding: 'utf8' }).trim(), join(bin, name));
  const dataDir = await mkdtemp(join(tmpdir(), 'handover-data-'));
  undoLater(() => rm(dataDir, { recursive: true, force: true }));
  const { server } = await startTrial(dataDir, { PATH: bin });
  expect(await listOpen(dataDir)).toEqual(['. 710']);
  const [pid = ''] = (await readFile(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8')).split('\n');
  expect((await stat(dataDir)).gid).toBe((await stat(`/proc/${pid}`)).gid);
  await server.end();
  const again = await startTrial(dataDir, { PATH: bin });
  expect(again.server.printed()).not.toContain('closed what was open');
});
