import { createCountingIds, createFakeApiKeys, createManualClock, openShop } from '@handover/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import {
  API_KEY_CONTEXT,
  countSealedByKey,
  countSealedInUse,
  countUnreadableSecrets,
  createPostgresStores,
  reseal,
  type SecretBox,
} from '../src/index.ts';
import { secretContext } from '../src/stores/reads/access/connections.ts';
import { openTestStores, type TestStores } from '../src/testing/index.ts';

let opened: TestStores;
const clock = createManualClock();
const OLD = 'old0';
const NEW = 'new0';

/** Opens what either key sealed, and seals with one; checks the context, but has no cryptography. */
function createBox(purpose: string, keyNumber: string): SecretBox {
  const unseal = (sealed: string, context: string) => {
    const head = `${sealed.slice(0, 4)}${purpose}|${context}|`;
    if (![OLD, NEW].includes(sealed.slice(0, 4)) || !sealed.startsWith(head)) throw new Error('It is stuck');
    return sealed.slice(head.length);
  };
  return {
    seal: (plain, context) => `${keyNumber}${purpose}|${context}|${plain}`,
    unseal,
    holds: (sealed, context, plain) => unseal(sealed, context) === plain,
  };
}

function createBoxes(keyNumber: string) {
  return { apiKeys: createBox('key', keyNumber), connectionSecrets: createBox('secret', keyNumber) };
}

beforeAll(async () => {
  opened = await openTestStores(inject('postgres'));
});

afterAll(() => opened.close());

const ORGANISATIONS = 3;
const SECRETS = 1200;

beforeEach(async () => {
  await opened.clear();
  const ids = createCountingIds();
  const ports = { stores: opened.stores, clock, ids, apiKeys: createFakeApiKeys() };
  for (let number = 0; number < ORGANISATIONS; number += 1) await openShop(ports, `Shop ${number}`);
  await opened.database.pool.query(
    `insert into users (id, email, email_normalized, created_at)
     select gen_random_uuid(), number || '@x', number || '@x', now() from generate_series(1, $1) as number`,
    [SECRETS],
  );
  await opened.database.pool.query('delete from api_keys');
  await opened.database.pool.query('delete from connection_secrets');
  await opened.database.pool.query(
    `insert into api_keys (user_id, hash, sealed)
     select id, id::text, $1 || 'key|' || $2 || '|plain ' || id from users`,
    [OLD, API_KEY_CONTEXT],
  );
  await opened.database.pool.query(
    `insert into connection_secrets (org_id, id, connection_id, sealed, created_at)
     select org_id, gen_random_uuid(), id,
       $1 || 'secret|connection ' || org_id || '/' || id || '|plain ' || number, now()
     from connections, generate_series(1, $2) as number`,
    [OLD, SECRETS],
  );
});

const ALL_KEYS = SECRETS + ORGANISATIONS;
const ALL_SECRETS = SECRETS * ORGANISATIONS;

describe('resealing', () => {
  it('moves everything to the current key, and says what rests on which', async () => {
    expect(await countSealedByKey(opened.database)).toEqual([
      { what: 'api-key', keyNumber: OLD, count: ALL_KEYS },
      { what: 'connection-secret', keyNumber: OLD, count: ALL_SECRETS },
    ]);
    const startedAt = Date.now();
    expect(await reseal(opened.database, createBoxes(NEW), NEW)).toBe(ALL_KEYS + ALL_SECRETS);
    console.log(`${ALL_KEYS + ALL_SECRETS} resealed: ${Date.now() - startedAt} ms`);
    expect(await countSealedByKey(opened.database)).toEqual([
      { what: 'api-key', keyNumber: NEW, count: ALL_KEYS },
      { what: 'connection-secret', keyNumber: NEW, count: ALL_SECRETS },
    ]);
    await expectAllToOpen();
    expect(await reseal(opened.database, createBoxes(NEW), NEW)).toBe(0);
  });

  it('three at once share the work, and undo no change that is made meanwhile', async () => {
    const boxes = createBoxes(NEW);
    const { rows } = await opened.database.pool.query<{ user_id: string }>(
      'select user_id from api_keys order by user_id desc limit 300',
    );
    const resealing = Promise.all([1, 2, 3].map(() => reseal(opened.database, boxes, NEW)));
    // A server that was not restarted still seals with the former key.
    const former = createBoxes(OLD).apiKeys;
    for (const { user_id: userId } of rows) {
      const key = { hash: `fresh ${userId}`, sealed: former.seal(`fresh ${userId}`, API_KEY_CONTEXT) };
      expect(await opened.stores.users.replaceKey(userId, key)).toBe('replaced');
    }
    const counts = await resealing;
    expect(counts.reduce((sum, resealed) => sum + resealed)).toBeGreaterThanOrEqual(ALL_SECRETS);
    await reseal(opened.database, boxes, NEW);
    expect((await countSealedByKey(opened.database)).map(({ keyNumber }) => keyNumber)).toEqual([NEW, NEW]);
    await expectAllToOpen();
    const changed = await opened.database.pool.query(
      `select hash, sealed from api_keys where hash like 'fresh %'`,
    );
    expect(changed.rows).toHaveLength(rows.length);
    for (const { hash, sealed } of changed.rows) {
      expect(boxes.apiKeys.unseal(sealed, API_KEY_CONTEXT)).toBe(hash);
    }
  });

  it('leaves what does not open, does all the rest, and then says so', async () => {
    await opened.database.pool.query(
      `update api_keys set sealed = 'gone' || sealed where user_id in (select user_id from api_keys limit 2)`,
    );
    await expect(reseal(opened.database, createBoxes(NEW), NEW)).rejects.toThrow('It is stuck');
    expect(await countSealedByKey(opened.database)).toEqual([
      { what: 'api-key', keyNumber: 'gone', count: 2 },
      { what: 'api-key', keyNumber: NEW, count: ALL_KEYS - 2 },
      { what: 'connection-secret', keyNumber: NEW, count: ALL_SECRETS },
    ]);
  });
});

describe('a key that was dropped', () => {
  it('takes former secrets with it, and stops what needs the current one', async () => {
    const { database, queue } = opened;
    const { connections } = createPostgresStores({
      database,
      jobs: queue,
      secretBox: createBoxes(NEW).connectionSecrets,
    });
    const { rows } = await database.pool.query('select id as org_id from organisations limit 1');
    const orgId = rows[0].org_id;
    for (const [at, secret] of ['first', 'second', 'third'].entries()) {
      const replaced = await connections.replaceSecret({
        orgId,
        platform: 'storefront-b',
        name: 'dropped',
        connectionId: '00000000-0000-7000-8000-0000000000aa',
        secretId: `00000000-0000-7000-8000-0000000000b${at}`,
        secret,
        now: new Date(clock.now().getTime() + at),
        formerUntil: new Date(clock.now().getTime() + 60_000),
      });
      expect(replaced).not.toBe('unknown-organisation');
    }
    const drop = (secretId: string) =>
      database.pool.query(`update connection_secrets set sealed = 'gone' || sealed where id = $1`, [
        secretId,
      ]);
    const list = () => connections.list(orgId, 'storefront-b', clock.now());
    await drop('00000000-0000-7000-8000-0000000000b1');
    expect(await list()).toMatchObject([{ name: 'dropped', secrets: ['third', 'first'] }]);
    const count = (numbers: readonly string[], usesShared = true) =>
      countUnreadableSecrets(database, numbers, { usesShared });
    expect(await count([OLD, NEW])).toBe(0);
    const inUse = await countSealedInUse(opened.url);
    expect(inUse.map(({ keyNumber }) => keyNumber)).not.toContain('gone');
    await drop('00000000-0000-7000-8000-0000000000b2');
    await expect(list()).rejects.toThrow('It is stuck');
    expect(await countSealedInUse(opened.url)).toContainEqual({
      what: 'connection-secret',
      keyNumber: 'gone',
      count: 1,
    });
    expect(await count([OLD, NEW])).toBe(1);
    expect(await count([NEW])).toBe(ALL_SECRETS + 1);
    expect(await count([])).toBe(ALL_SECRETS + 1);
    await database.pool.query(`insert into shared_secrets (id, sealed, created_at)
      values ('00000000-0000-7000-8000-0000000000b3', 'lost', now())`);
    expect([await count([NEW]), await count([NEW], false)]).toEqual([ALL_SECRETS + 2, ALL_SECRETS + 1]);
  });
});

async function expectAllToOpen(): Promise<void> {
  const boxes = createBoxes(NEW);
  const keys = await opened.database.pool.query('select sealed from api_keys');
  for (const { sealed } of keys.rows) boxes.apiKeys.unseal(sealed, API_KEY_CONTEXT);
  const secrets = await opened.database.pool.query('select * from connection_secrets');
  for (const { org_id, connection_id, sealed } of secrets.rows) {
    boxes.connectionSecrets.unseal(sealed, secretContext(org_id, connection_id));
  }
}
