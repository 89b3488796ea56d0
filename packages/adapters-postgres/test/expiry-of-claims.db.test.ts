import { DUE_MAILS, openFreshShop } from '@handover/testkit';
import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import { createPostgresStores, openDatabase } from '../src/index.ts';
import { openTestStores, type TestStores } from '../src/testing/index.ts';

const SILENT = { warn: () => undefined, error: () => undefined };
const SECRET_BOX = { seal: (plain: string) => plain, unseal: (sealed: string) => sealed, holds: () => false };

/** Stands before PostgreSQL's own `now()` in the search path, so that a test can hit the very millisecond. */
const CLOCK = `
  create schema told;
  create table told.clock (at timestamptz not null);
  insert into told.clock values (now());
  create function told.now() returns timestamptz language sql stable as 'select at from told.clock';
`;

let opened: TestStores;

beforeEach(async () => {
  opened = await openTestStores(inject('postgres'));
});

afterEach(() => opened.close());

for (const [name, openMail] of Object.entries(DUE_MAILS)) {
  it(`gives ${name} to the next claim at the time that it was put off to`, async () => {
    const { pool } = opened.database;
    await pool.query(CLOCK);
    const url = new URL(opened.url);
    url.searchParams.set('options', '-c search_path=told,public,pg_catalog');
    const database = openDatabase({ url: url.href, log: SILENT });
    const stores = createPostgresStores({ database, jobs: opened.queue, secretBox: SECRET_BOX });
    const shop = await openFreshShop(async () => ({ ...opened, stores }));
    const { clock } = shop;
    const mail = await openMail(shop);
    const askAt = async (at: Date) => {
      await pool.query('update told.clock set at = $1', [at]);
      clock.advance(at.getTime() - clock.now().getTime());
      return mail.claim();
    };
    expect((await askAt(clock.now())).kind).toBe('claimed');
    const refused = await mail.claim();
    const at = refused.kind === 'not-now' ? refused.at : new Date(0);
    expect(at.getTime()).toBeGreaterThan(clock.now().getTime());
    expect(await askAt(new Date(at.getTime() - 1))).toEqual({ kind: 'not-now', at });
    expect((await askAt(at)).kind).toBe('claimed');
    await database.close();
  });
}
