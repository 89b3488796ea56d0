import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const FOLDER = fileURLToPath(new URL('../src/stores/reads/', import.meta.url));
const reads = globSync('**/*.ts', { cwd: FOLDER }).map((name) => ({
  name,
  text: readFileSync(`${FOLDER}${name}`, 'utf8'),
}));
/** A statement that changes a row or locks it, in SQL or by Kysely. */
const CHANGE =
  /\b(insertInto|updateTable|deleteFrom|forUpdate|forShare|forNoKeyUpdate|transact|runTransaction)\(|\b(insert into|delete from|for (no key )?update|for (key )?share)\b|\bupdate \w+ set\b/;

describe('the folder of reads', () => {
  it('has the reads of each area', () => {
    expect(reads.length).toBeGreaterThan(15);
  });

  it.each(reads)('has no statement that changes or locks a row: $name', ({ text }) => {
    expect(text).not.toMatch(CHANGE);
  });

  it.each(reads)('imports nothing of the writes: $name', ({ text }) => {
    expect(text).not.toMatch(/from '[^']*\/writes\//);
  });
});

describe('what counts as a change', () => {
  it.each([
    "db.insertInto('purchases')",
    "trx.updateTable('users').set({ name })",
    'delete from releases where org_id = $1',
    'update releases set after_entry = $1',
    'select from releases where org_id = $1 for update',
    'transact(db, async (trx) => null)',
  ])('%s', (statement) => {
    expect(statement).toMatch(CHANGE);
  });
});
