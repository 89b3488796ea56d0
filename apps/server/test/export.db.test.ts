import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startS3 } from '../../../packages/adapters-files/test/start-s3.ts';
import { shareInFile, undoLater } from '../../../test/undo.ts';
import { startMailServer } from './support/mail-server.ts';
import { openDatabase } from './support/open-database.ts';
import {
  type Environment,
  makeTemporaryDirectory,
  runCli,
  runCliForJson,
  runCliHere,
  startServer,
} from './support/server-process.ts';
import { shareServer } from './support/shared-server.ts';
import {
  listPurchases,
  makeEmptyDatabase,
  makeInstallation,
  openShop,
  sendOrder,
  until,
} from './support/shop.ts';

const PASSPHRASE = 'four words of a passphrase';
const sayPassphrase = async () => PASSPHRASE;

/** A new folder that does not exist yet. */
const nameFolder = async () => join(await makeTemporaryDirectory(), 'export');

/** An installation without any tables. */
async function makeEmptyInstallation(changes: Environment = {}): Promise<Environment> {
  const mailServer = await startMailServer();
  return { ...(await makeInstallation(mailServer, await makeEmptyDatabase())), ...changes };
}

async function sell(url: string, shop: { orgId: string; apiKey: string }, orderId: string): Promise<string> {
  await sendOrder(url, shop.orgId, orderId);
  const sold = await until(async () =>
    (await listPurchases(url, shop.apiKey)).find(
      (one) => one.orderId === orderId && one.receiptSentAt !== null,
    ),
  );
  return new URL(sold.downloadUrl).pathname;
}

async function download(url: string, link: string): Promise<Buffer> {
  const answer = await fetch(`${url}${link}/files/1.0/felt-piano.zip`);
  if (!answer.ok) throw new Error(`${link}: ${answer.status}`);
  return Buffer.from(await answer.arrayBuffer());
}

async function countRows(url = ''): Promise<number> {
  const database = await openDatabase(url);
  const { rows } = await database.query(
    'select (select count(*) from organisations) + (select count(*) from activity) + (select count(*) from purchases) as count',
  );
  return Number(rows[0]?.count);
}

describe('an encrypted export of everything', () => {
  it('moves an embedded installation to a PostgreSQL and a bucket, and back, with links, keys, secrets and files', async () => {
    const mailServer = await startMailServer();
    const embedded = { DATA_DIR: await makeTemporaryDirectory(), SMTP_URL: mailServer.url };
    let server = await startServer(embedded);
    const shop = await openShop(embedded, server.url);
    const link = await sell(server.url, shop, '1001');
    const folder = await nameFolder();
    // Beside the running server.
    const exported = await runCliHere(embedded, ['export', folder, '--encrypt'], sayPassphrase);
    expect([exported.code, exported.stdout]).toEqual([
      0,
      expect.stringMatching(/^Exported \d+ rows and 3 files/),
    ]);
    await server.end();

    const s3 = await startS3();
    undoLater(s3.stop);
    const { endpoint, bucket, credentials } = s3.place;
    const bucketSettings = {
      FILES_URL: `s3://${bucket}/handover?endpoint=${endpoint}`,
      AWS_ACCESS_KEY_ID: credentials?.accessKeyId ?? '',
      AWS_SECRET_ACCESS_KEY: credentials?.secretAccessKey ?? '',
    };
    const own = await makeEmptyInstallation({ ...bucketSettings, SMTP_URL: mailServer.url });
    const without = await runCliHere(own, ['import', folder], sayPassphrase);
    expect([without.code, without.stderr]).toEqual([
      1,
      expect.stringMatching(/HANDOVER_SECRET must hold the secret of the export.*--write-secret/s),
    ]);
    const secretFile = join(await makeTemporaryDirectory(), 'secret');
    expect(
      (await runCliHere(own, ['import', folder, '--write-secret', secretFile], sayPassphrase)).code,
    ).toBe(0);
    expect((await stat(secretFile)).mode & 0o777).toBe(0o600);
    const HANDOVER_SECRET = `${own.HANDOVER_SECRET},${(await readFile(secretFile, 'utf8')).trim()}`;
    const moved = { ...own, HANDOVER_SECRET };
    const imported = await runCli(
      moved,
      ['import', folder, '--passphrase-stdin', '--json'],
      `${PASSPHRASE}\n`,
    );
    expect([imported.code, imported.stderr, JSON.parse(imported.stdout)]).toEqual([
      0,
      '',
      expect.objectContaining({ files: 3, organisation: null }),
    ]);
    server = await startServer(moved);
    expect(await download(server.url, link)).toEqual(Buffer.from(shop.file));
    await sell(server.url, shop, '1002');
    await server.end();

    // Back again, from the bucket to the disk.
    const second = await nameFolder();
    const words = ['export', second, '--passphrase-stdin', '--json'];
    expect((await runCli(moved, words, PASSPHRASE)).code).toBe(0);
    const back = { DATA_DIR: await makeTemporaryDirectory(), SMTP_URL: mailServer.url };
    const restored = await runCliHere(back, ['import', second], sayPassphrase);
    expect([restored.code, restored.stdout]).toEqual([0, expect.stringMatching(/Its secret is in .*secret/)]);
    server = await startServer(back);
    expect(await download(server.url, link)).toEqual(Buffer.from(shop.file));
    expect(await listPurchases(server.url, shop.apiKey)).toHaveLength(2);
    await sell(server.url, shop, '1003');
  });
});

describe('an export', () => {
  const installation = shareServer();
  const made = shareInFile(async () => {
    const { environment, server } = installation();
    const shop = await openShop(environment, server.url, 'export@lumen.test');
    const link = await sell(server.url, shop, '2001');
    return { shop, link };
  });

  const exportPlain = async () => {
    const folder = await nameFolder();
    await runCliForJson(installation().environment, ['export', folder]);
    return folder;
  };
  const verify = (folder: string) =>
    runCliHere({}, [
      'backup',
      'verify',
      folder,
      '--database-url',
      installation().environment.DATABASE_URL ?? '',
    ]);

  it('is verified in a scratch database that is dropped again; an encrypted one hides all, and misses no byte', async () => {
    const plain = await exportPlain();
    const good = await verify(plain);
    expect([good.code, good.stdout]).toEqual([
      0,
      expect.stringMatching(/is good: \d+ rows were restored and compared, 1 file/),
    ]);
    expect(good.stdout).toMatch(/needs a HANDOVER_SECRET that it does not have/);
    const database = await openDatabase(installation().environment.DATABASE_URL);
    const scratch = `select from pg_database where datname like 'handover_scratch%'`;
    expect((await database.query(scratch)).rowCount).toBe(0);

    const sealed = await nameFolder();
    await runCliHere(installation().environment, ['export', sealed, '--encrypt'], sayPassphrase);
    expect(
      (await runCliHere({}, ['backup', 'verify', sealed], async () => 'another passphrase')).stderr,
    ).toMatch(/has another passphrase/);
    const verdict = await runCliHere({}, ['backup', 'verify', sealed], sayPassphrase);
    expect([verdict.code, verdict.stdout]).toEqual([0, expect.not.stringContaining('does not have')]);
    const names = await readdir(sealed, { recursive: true, withFileTypes: true });
    const files = names.filter((entry) => entry.isFile());
    expect(files.filter(({ name }) => !name.endsWith('.age'))).toEqual([]);
    for (const { parentPath, name } of files) {
      expect((await readFile(join(parentPath, name))).includes('export@lumen.test')).toBe(false);
    }
    const table = join(sealed, 'tables', 'organisations.copy.age');
    await writeFile(table, (await readFile(table)).subarray(0, -20));
    expect((await runCliHere({}, ['backup', 'verify', sealed], sayPassphrase)).stderr).toMatch(
      /organisations.copy.age cannot be read/,
    );
  });

  it('is refused with changed rows, before the commit, and the same import does it all once they are as they were', async () => {
    const folder = await exportPlain();
    const target = await makeEmptyInstallation({
      HANDOVER_SECRET: installation().environment.HANDOVER_SECRET ?? '',
    });
    const path = join(folder, 'tables', 'activity.copy');
    const genuine = await readFile(path);
    const changed = Buffer.from(genuine);
    changed.write('X', changed.indexOf('Lumen') >= 0 ? changed.indexOf('Lumen') : 120);
    await writeFile(path, changed);
    const refused = await runCliHere(target, ['import', folder]);
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringMatching(/activity.copy of the export was changed/),
    ]);
    expect(await countRows(target.DATABASE_URL)).toBe(0);
    expect((await verify(folder)).stderr).toMatch(/is damaged. Do not rely on it.\n.*activity/);

    await writeFile(path, genuine);
    expect((await runCliHere(target, ['import', folder])).code).toBe(0);
    expect(await countRows(target.DATABASE_URL)).toBeGreaterThan(2);
    const again = await runCliHere(target, ['import', folder]);
    expect([again.code, again.stderr]).toEqual([
      1,
      expect.stringMatching(/This installation is in use.*Nothing was changed/),
    ]);
  });

  it('is damaged with a missing or changed file, and none at all without its manifest', async () => {
    const folder = await exportPlain();
    const stored = (await readdir(join(folder, 'files'), { recursive: true, withFileTypes: true })).find(
      (entry) => entry.isFile(),
    );
    const file = join(stored?.parentPath ?? '', stored?.name ?? '');
    await writeFile(file, 'something else');
    expect((await verify(folder)).stderr).toMatch(new RegExp(`The file ${stored?.name} .* is damaged`));
    await rm(file);
    expect((await verify(folder)).stderr).toMatch(/cannot be read.*ENOENT/);
    await rm(join(folder, 'manifest.json'));
    expect((await verify(folder)).stderr).toMatch(/not a finished export/);
  });

  it('needs a folder of its own', async () => {
    const folder = await makeTemporaryDirectory();
    await writeFile(join(folder, 'notes.txt'), 'mine');
    const refused = await runCliHere(installation().environment, ['export', folder]);
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringMatching(/is not empty. Name a new folder/),
    ]);
  });

  it('that is not encrypted is refused with a passphrase, as somebody may have changed it', async () => {
    const folder = await exportPlain();
    for (const words of [['import'], ['backup', 'verify']]) {
      const refused = await runCli(
        await makeEmptyInstallation(),
        [...words, folder, '--passphrase-stdin'],
        PASSPHRASE,
      );
      expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/is not encrypted/)]);
    }
    const ofOne = ['import', folder, '--org', made().shop.orgId];
    expect((await runCliHere(installation().environment, ofOne)).stderr).toMatch(/is not encrypted/);
  });

  it('of a newer version is refused', async () => {
    const folder = await exportPlain();
    const path = join(folder, 'manifest.json');
    const manifest = JSON.parse(await readFile(path, 'utf8'));
    await writeFile(path, JSON.stringify({ ...manifest, schema: '9999-later' }));
    const target = await makeEmptyInstallation({
      HANDOVER_SECRET: installation().environment.HANDOVER_SECRET ?? '',
    });
    expect((await runCliHere(target, ['import', folder])).stderr).toMatch(
      /newer version of Handover \(it has 9999-later\)/,
    );
  });

  describe('of one organisation', () => {
    /** With a colleague, who has a key; and with another shop beside it. */
    const exported = shareInFile(async () => {
      const { environment, server } = installation();
      const { shop } = made();
      const colleague = ['user', 'create', '--email', 'colleague@lumen.test', '--org', shop.orgId];
      const { apiKey } = await runCliForJson<{ apiKey: string }>(environment, [
        ...colleague,
        '--role',
        'admin',
      ]);
      const other = await openShop(
        environment,
        server.url,
        'other@halo.test',
        Buffer.from('a file of another'),
      );
      await sell(server.url, other, '3001');
      await sendOrder(server.url, other.orgId, '3002', { email: 'buyer@halo.test' });
      const folder = await nameFolder();
      const words = ['export', folder, '--org', shop.orgId, '--encrypt'];
      const said = await runCliHere(environment, words, sayPassphrase);
      expect([said.code, said.stderr.match(/error/i)]).toEqual([0, null]);
      return { shop, other, apiKey, folder };
    });

    it('holds nothing of another, and joins others with its users, keys, secrets and files', async () => {
      const { environment } = installation();
      const { shop, other, apiKey, folder } = exported();
      const plain = await runCliHere(environment, ['export', await nameFolder(), '--org', shop.orgId]);
      expect([plain.code, plain.stderr]).toEqual([1, expect.stringMatching(/must be encrypted/)]);
      const content = await decryptAll(folder);
      expect(content).toContain('export@lumen.test');
      for (const foreign of [
        other.orgId,
        other.apiKey,
        'other@halo.test',
        'buyer@halo.test',
        'a file of another',
      ]) {
        expect([foreign, content.includes(foreign)]).toEqual([foreign, false]);
      }
      for (const secret of environment.HANDOVER_SECRET?.split(',') ?? [])
        expect(content.includes(secret)).toBe(false);

      const target = await makeEmptyInstallation({
        HANDOVER_SECRET: 'quite-another-secret-of-32-characters',
      });
      await runCliForJson(target, ['migrate']);
      const there = await startServer(target);
      const resident = await openShop(target, there.url, 'resident@echo.test');
      // Somebody who is known there, in no organisation.
      const person = ['user', 'create', '--email', 'export@lumen.test'];
      const known = await runCliForJson<{ userId: string }>(target, person);
      expect((await runCliHere(target, ['import', folder], sayPassphrase)).stderr).toMatch(
        `give --org ${shop.orgId}`,
      );
      const wrong = await runCliHere(target, ['import', folder, '--org', resident.orgId], sayPassphrase);
      expect(wrong.stderr).toMatch(/is of the organisation .*, not /);
      const words = ['import', folder, '--org', shop.orgId];
      const imported = await runCliHere(target, words, sayPassphrase);
      expect([imported.code, imported.stderr.match(/error/i)]).toEqual([0, null]);
      const database = await openDatabase(target.DATABASE_URL);
      const { rows } = await database.query(
        `select email, org_id, id = $1 as "isSame" from users where role is not null and org_id = $2 order by email`,
        [known.userId, shop.orgId],
      );
      expect(rows).toEqual([
        { email: 'colleague@lumen.test', org_id: shop.orgId, isSame: false },
        { email: 'export@lumen.test', org_id: shop.orgId, isSame: true },
      ]);
      const link = await sell(there.url, { ...shop, apiKey }, '2002');
      expect(await download(there.url, link)).toEqual(Buffer.from(shop.file));
      expect(await listPurchases(there.url, resident.apiKey)).toEqual([]);

      const again = await runCliHere(target, words, sayPassphrase);
      expect([again.code, again.stderr]).toEqual([
        1,
        expect.stringMatching(/is in this installation already/),
      ]);
    });

    it.each(['lumen-audio', '01a207c4-0b91-71e4-b125-8a73157a5fc8'])(
      'is refused before anything is written, if there is no organisation %s',
      async (org) => {
        const folder = await nameFolder();
        const words = ['export', folder, '--org', org, '--encrypt'];
        const refused = await runCliHere(installation().environment, words, sayPassphrase);
        expect([refused.code, refused.stderr]).toEqual([
          1,
          expect.stringMatching(/is not an organisation of this installation/),
        ]);
        await expect(readdir(folder)).rejects.toThrow('ENOENT');
      },
    );

    it('is refused if one of its users has another organisation there', async () => {
      const target = await makeEmptyInstallation();
      await runCliForJson(target, ['migrate']);
      await runCliForJson(target, ['org', 'create', '--name', 'Echo', '--owner-email', 'Export@lumen.test']);
      const words = ['import', exported().folder, '--org', exported().shop.orgId];
      const refused = await runCliHere(target, words, sayPassphrase);
      expect([refused.code, refused.stderr]).toEqual([
        1,
        expect.stringMatching(/in one organisation, and these are in another one here: export@lumen.test/),
      ]);
    });
  });
});

/** Every file of an export, as one text. */
async function decryptAll(folder: string): Promise<string> {
  const { Decrypter } = await import('age-encryption');
  const opener = new Decrypter();
  opener.addPassphrase(PASSPHRASE);
  const decrypter = new Decrypter();
  decrypter.addIdentity((await opener.decrypt(await readFile(join(folder, 'key.age')), 'text')).trim());
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name !== 'key.age');
  const texts = await Promise.all(
    files.map(async ({ parentPath, name }) =>
      Buffer.from(await decrypter.decrypt(await readFile(join(parentPath, name)))).toString('latin1'),
    ),
  );
  expect(files.length).toBeGreaterThan(20);
  return texts.join('\n');
}
