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

/** A version for one content, and a file store that takes its time. */
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
  let isStored = false;
  const store = async () => {
    const answer = await keepContent({ clock, contents }, { orgId, sha256: SHA256 });
    if (answer === 'removing') throw new Error(answer);
    const wasStored = isStored;
    await turn();
    if (!wasStored) isStored = true;
    return { size: 3, sha256: SHA256 };
  };
  const remove = async () => {
    await turn();
    isStored = false;
    await turn();
  };
  return {
    clock,
    isStored: () => isStored,
    isReferenced: async () =>
      (await products.findVersion(orgId, product.id, versionId))?.files.some(
        ({ sha256 }) => sha256 === SHA256,
      ),
    add: (name: string) =>
      addVersionFile({ products, files: { store } }, at(name), (async function* () {})()).then(
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
