import { readdir } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { query } from '../../../test/query.ts';
import { shareInFile } from '../../../test/undo.ts';
import { makeEmptyInstallation, nameFolder } from './support/exports.ts';
import { openDatabase } from './support/open-database.ts';
import { runCliForJson, runCliHere, spawnCli } from './support/server-process.ts';

const WAIT = { timeout: 60_000, interval: 10 };

interface Transferred {
  readonly rows: number;
}

/** Runs the command, kills it as soon as `isReached`, or lets it end if it is faster. */
async function kill(
  environment: Readonly<Record<string, string>>,
  words: readonly string[],
  isReached: () => Promise<boolean>,
): Promise<void> {
  const command = spawnCli(environment, words);
  let hasEnded = false;
  void command.ended.then(() => {
    hasEnded = true;
  });
  await vi.waitUntil(async () => hasEnded || (await isReached()), WAIT);
  await command.end('SIGKILL');
}

const SOURCE = { HANDOVER_SECRET: 'a-secret-of-at-least-32-characters' };

describe('a command that is killed', () => {
  /** An installation with enough rows that a command takes a moment. */
  const source = shareInFile(async () => {
    const environment = await makeEmptyInstallation(SOURCE);
    await runCliForJson(environment, ['org', 'create', '--name', 'Lumen', '--owner-email', 'a@lumen.test']);
    await query(
      environment.DATABASE_URL ?? '',
      `insert into activity (org_id, id, at, kind, subject_id, summary)
       select id, gen_random_uuid(), now(), 'organisation-changed', id, repeat('x', 500)
       from organisations, generate_series(1, 20000)`,
    );
    return environment;
  });

  it('leaves no export that anything accepts, and the next one says what to do with its folder', async () => {
    for (const files of [1, 12]) {
      const folder = await nameFolder();
      await kill(source(), ['export', folder], async () => {
        const found = await readdir(folder, { recursive: true }).catch(() => []);
        return found.length > files;
      });
      if ((await readdir(folder)).includes('manifest.json')) continue;
      const imported = await runCliHere(await makeEmptyInstallation(SOURCE), ['import', folder]);
      expect(imported.stderr).toMatch(/not a finished export/);
      const again = await runCliHere(source(), ['export', folder]);
      expect(again.stderr).toMatch(/has an export that was interrupted. Remove it, or name another folder/);
    }
  });

  it('leaves all of an import or nothing, and the same import does the rest', async () => {
    const folder = await nameFolder();
    const { rows } = await runCliForJson<Transferred>(source(), ['export', folder]);
    for (const milliseconds of [0, 150]) {
      const target = await makeEmptyInstallation(SOURCE);
      const { DATABASE_URL: url = '' } = target;
      const begun = `select 1 from pg_stat_activity where application_name = 'handover import' and datname = current_database()`;
      await kill(target, ['import', folder], async () => {
        const isBegun = (await query(url, begun)).length > 0;
        if (isBegun) await pause(milliseconds);
        return isBegun;
      });
      const left = await query(url, `select to_regclass('organisations') is not null as made`);
      const count = 'select count(*)::integer as count from activity';
      const found = left[0]?.made ? (await query(url, count))[0]?.count : 0;
      expect([0, 20_001]).toContain(found);
      if (found === 0) {
        expect((await runCliForJson<Transferred>(target, ['import', folder])).rows).toBe(rows);
      }
      expect(await query(url, count)).toEqual([{ count: 20_001 }]);
    }
  });

  it('leaves migrations that the next migrate completes', async () => {
    for (const migrations of [1, 9]) {
      const target = await makeEmptyInstallation(SOURCE);
      const { DATABASE_URL: url = '' } = target;
      const done = `select count(*)::integer as count from kysely_migration`;
      await kill(target, ['migrate'], async () => {
        const [made] = await query(url, `select to_regclass('kysely_migration') as name`);
        return made?.name ? (await query(url, done))[0]?.count >= migrations : false;
      });
      await runCliForJson(target, ['migrate']);
      expect(await runCliForJson(target, ['migrate'])).toMatchObject({ applied: [] });
      await runCliForJson(target, ['org', 'list']);
      const invalid = 'select indexrelid::regclass from pg_index where not indisvalid';
      expect(await query(url, invalid)).toEqual([]);
    }
  });

  it('leaves a scratch database that the next verification drops, and none that another one works in', async () => {
    const folder = await nameFolder();
    await runCliForJson(source(), ['export', folder]);
    const url = source().DATABASE_URL ?? '';
    const words = ['backup', 'verify', folder, '--database-url', url];
    const scratch = () =>
      query(url, `select datname from pg_database where datname like 'handover_scratch%'`);
    await kill({}, words, async () => (await scratch()).length > 0);
    const [left] = await scratch();
    expect(left).toBeDefined();
    // Its sessions end when PostgreSQL finds them gone.
    const sessions = `select from pg_stat_activity where datname = '${left?.datname}'`;
    await vi.waitUntil(async () => (await query(url, sessions)).length === 0, WAIT);
    const used = 'handover_scratch_0123456789ab';
    await query(url, `create database ${used}`);
    const other = await openDatabase(Object.assign(new URL(url), { pathname: used }).href);
    expect((await runCliHere({}, words)).code).toBe(0);
    expect(await scratch()).toEqual([{ datname: used }]);
    await other.end();
    await query(url, `drop database ${used}`);
  });
});
