import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeTemporaryDirectory } from '../../../test/temporary-directory.ts';
import { shareInFile } from '../../../test/undo.ts';
import {
  decryptAll,
  download,
  makeEmptyInstallation,
  nameFolder,
  PASSPHRASE,
  sayPassphrase,
  sell,
} from './support/exports.ts';
import { openDatabase } from './support/open-database.ts';
import { runCli, runCliForJson, runCliHere, startServer } from './support/server-process.ts';
import { shareServer } from './support/shared-server.ts';
import { listPurchases, openShop, sendOrder } from './support/shop.ts';

async function countRows(url = ''): Promise<number> {
  const database = await openDatabase(url);
  const { rows } = await database.query(
    'select (select count(*) from organisations) + (select count(*) from activity) + (select count(*) from purchases) as count',
  );
  return Number(rows[0]?.count);
}

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

  it('is refused while a server works on the database, which would know its own secret only', async () => {
    const target = await makeEmptyInstallation();
    const server = await startServer(target);
    const refused = await runCliHere(target, ['import', await exportPlain()]);
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringMatching(/A server works on this database.*Stop every server.*Nothing was changed/),
    ]);
    expect(await countRows(target.DATABASE_URL)).toBe(0);
    await server.end();
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

  it('needs a folder of its own, which it may write to', async () => {
    const folder = await makeTemporaryDirectory();
    const notes = join(folder, 'notes.txt');
    await writeFile(notes, 'mine');
    for (const [place, reason] of [
      [folder, /is not empty. Name a new folder/],
      [join(notes, 'tonight'), /tonight cannot be used \(ENOTDIR.*\)\. Name one that the user/],
    ] as const) {
      const refused = await runCliHere(installation().environment, ['export', place]);
      expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(reason)]);
    }
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
      const misnamed = await runCliHere(target, ['import', folder, '--org', 'Lumen'], sayPassphrase);
      expect(misnamed.stderr).toMatch(/is of the organisation .*, not Lumen\./);
      const words = ['import', folder, '--org', shop.orgId];
      const imported = await runCliHere(target, words, sayPassphrase);
      expect(imported.stdout).toContain('Its subscription has no end.');
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
      // The name that it had when it was exported is enough.
      const words = ['import', exported().folder, '--org', 'lumen AUDIO'];
      const refused = await runCliHere(target, words, sayPassphrase);
      expect([refused.code, refused.stderr]).toEqual([
        1,
        expect.stringMatching(/in one organisation, and these are in another one here: export@lumen.test/),
      ]);
    });
  });
});
