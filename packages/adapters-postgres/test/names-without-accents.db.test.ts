import { searchWords, wordsToFind } from '@handover/domain';
import { type Kysely, sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { namesWithoutAccents } from '../src/migrations/0024-names-without-accents.ts';
import { runMigration } from '../src/migrations/run-migration.ts';
import { ids, opened, openShopAnew, shop } from './shop-of-the-test.ts';

openShopAnew(beforeAll);

const NAMES = [
  'María José',
  'Øyvind Åsen',
  'Jürgen Weiß',
  'Łukasz Đorđević',
  'ガボン',
  'Ana Lima',
  'Ǣ Œ',
  'O´ Connor',
  '¨',
  'José ´',
];

it('finds customers of before without accents, and leaves those that are found so already', async () => {
  const db = opened.database.db as unknown as Kysely<unknown>;
  for (const name of NAMES) {
    await sql`insert into customers (org_id, id, email, email_normalized, name, search_words, created_at)
      values (${shop.orgId}, ${ids.next()}, ${name}, ${name}, ${name}, ${searchWords(name).join(' ')}, now())`.execute(
      db,
    );
  }
  const context = { db, name: 'again', record: async () => undefined, onProgress: () => undefined };
  expect(await runMigration(namesWithoutAccents, context)).toBe(6);
  expect(await runMigration(namesWithoutAccents, context)).toBe(0);
  const { rows } = await sql<{ readonly name: string; readonly words: string }>`
    select name, search_words as words from customers where org_id = ${shop.orgId}`.execute(db);
  expect(rows.map(({ name, words }) => [name, new Set(words.split(' '))])).toEqual(
    rows.map(({ name }) => [name, new Set(wordsToFind(name))]),
  );
});
