import { setImmediate as turn } from 'node:timers/promises';
import {
  addVersionFile,
  createVersion,
  keepContent,
  removeOldContents,
  removeVersionFile,
} from '@handover/domain';
import { createCountingIds, createFakeApiKeys, createManualClock, openShop } from '@handover/testkit';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { openTestStores, type TestStores } from '../src/testing/index.ts';

const DAY = 24 * 60 * 60 * 1000;
const KEEP_DAYS = 10;
const SHA256 = 'a'.repeat(64);
const ROUNDS = 60;

let opened: TestStores;

beforeAll(async () => {
  opened = await openTestStores(inject('postgres'));
});

afterAll(() => opened.close());

it('a content is never removed while a file refers to it, though it is stored again as it is due', async () => {
  const shop = await openRacingShop();
  const outcomes = new Set<string>();
  for (let round = 0; round < ROUNDS; round += 1) {
    await shop.add('former');
    await shop.remove('former');
    await shop.sweep();
    shop.clock.advance(KEEP_DAYS * DAY);
    const [added] = await Promise.all([
      pause(round % 8).then(() => shop.add('new')),
      shop.sweep(),
      shop.sweep(),
    ]);
    outcomes.add(added);
    // What is referred to is there; what was refused is not referred to.
    expect(await shop.isReferenced()).toBe(added === 'added');
    if (added === 'added') expect(shop.isStored()).toBe(true);
    if (added === 'added') await shop.remove('new');
    // What was refused can be stored once the removal is over.
    expect(await shop.add('later')).toBe('added');
    expect(shop.isStored()).toBe(true);
    await shop.remove('later');
  }
  expect(outcomes).toContain('added');
});

it('a content is never removed while a file refers to it, though its last but one file goes as it is due', async () => {
  const shop = await openRacingShop();
  for (let round = 0; round < ROUNDS / 3; round += 1) {
    await shop.add('one');
    await shop.add('two');
    await shop.sweep();
    shop.clock.advance(KEEP_DAYS * DAY);
    await Promise.all([shop.sweep(), pause(round % 5).then(() => shop.remove('one')), shop.sweep()]);
    expect(shop.isStored()).toBe(true);
    await shop.remove('two');
    await shop.sweep();
    shop.clock.advance(KEEP_DAYS * DAY);
    await shop.sweep();
    expect(shop.isStored()).toBe(false);
  }
});

it('every content that a file had is removed, though two at once replace it', async () => {
  const shop = await openRacingShop();
  for (let round = 0; round < ROUNDS / 3; round += 1) {
    const former = contentOf(3 * round);
    await shop.add('one', former);
    const [first, second] = [contentOf(3 * round + 1), contentOf(3 * round + 2)];
    await Promise.all([
      shop.add('one', first),
      pause(round % 5).then(() => shop.add('one', second)),
      shop.sweep(),
    ]);
    const [left = '', ...more] = await shop.listReferenced();
    expect([more.length, [first, second].includes(left)]).toEqual([0, true]);
    for (let pass = 0; pass < 2; pass += 1) {
      await shop.sweep();
      shop.clock.advance(KEEP_DAYS * DAY);
    }
    expect(shop.listStored()).toEqual([left]);
  }
});

function contentOf(number: number): string {
  return number.toString(16).padStart(64, '0');
}

/** A version for contents, and a file store that takes its time. */
async function openRacingShop() {
  await opened.clear();
  const { stores } = opened;
  const { contents, products } = stores;
  const clock = createManualClock();
  const ids = createCountingIds();
  const { orgId, product } = await openShop({ stores, clock, ids, apiKeys: createFakeApiKeys() });
  const created = await createVersion({ clock, ids, products }, orgId, product.id, '2.0');
  const versionId = created.kind === 'created' ? created.version.id : '';
  const at = (name: string) => ({ orgId, productId: product.id, versionId, name });
  const stored = new Set<string>();
  const storeAs = (sha256: string) => async () => {
    const answer = await keepContent({ clock, contents }, { orgId, sha256 });
    if (answer === 'removing') throw new Error(answer);
    const wasStored = stored.has(sha256);
    await turn();
    if (!wasStored) stored.add(sha256);
    return { size: 3, sha256 };
  };
  const remove = async (_orgId: string, sha256: string) => {
    await turn();
    stored.delete(sha256);
    await turn();
  };
  const listReferenced = async () =>
    (await products.findVersion(orgId, product.id, versionId))?.files.map(({ sha256 }) => sha256) ?? [];
  return {
    clock,
    listReferenced,
    listStored: () => [...stored],
    isStored: () => stored.has(SHA256),
    isReferenced: async () => (await listReferenced()).includes(SHA256),
    add: (name: string, sha256 = SHA256) =>
      addVersionFile(
        { products, files: { store: storeAs(sha256) } },
        at(name),
        (async function* () {})(),
      ).then(
        ({ kind }) => kind,
        (error: Error) => error.message,
      ),
    remove: (name: string) => removeVersionFile({ products }, at(name)),
    sweep: () => removeOldContents({ clock, contents, files: { remove } }, KEEP_DAYS),
  };
}

/** So many turns of the event loop, so that the statements meet in any order. */
async function pause(turns: number): Promise<void> {
  for (let passed = 0; passed < turns; passed += 1) await turn();
}
