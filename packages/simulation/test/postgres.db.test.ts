import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { drawHistory } from '../src/history.ts';
import { openPairedWorld } from '../src/postgres/open-paired-world.ts';
import { openSimulatedPostgres, type SimulatedPostgres } from '../src/postgres/open-postgres.ts';
import { playOnPostgres } from '../src/postgres/play-on-postgres.ts';
import { describeFailure } from '../src/postgres/simulate-on-postgres.ts';

/** `npm run simulate -- --seeds COUNT --postgres` continues from here. */
const SEEDS = Array.from({ length: 100 }, (_, at) => at + 1);
const STEPS = 10;
/** Each is a test of its own, so that a busy machine has the time of a test for each. */
const GROUPS = [...Map.groupBy(SEEDS, (seed) => Math.ceil(seed / 25)).values()].map((seeds) => ({ seeds }));

let postgres: SimulatedPostgres;

beforeAll(async () => {
  postgres = await openSimulatedPostgres(inject('postgres'));
});

afterAll(() => postgres.close());

describe('a history', () => {
  const happened = new Set<string>();

  it.each(GROUPS)(
    'of $seeds.0 and later seeds does the same on PostgreSQL and in memory, although connections break and answers are lost',
    async ({ seeds }) => {
      for (const seed of seeds) {
        const played = await playOnPostgres(postgres, drawHistory(seed, STEPS), { pages: false });
        const { failure, sentences } = played;
        if (failure)
          throw new Error(await describeFailure(postgres, { seed, steps: STEPS, failure }), {
            cause: failure,
          });
        expect(sentences).toHaveLength(STEPS + 1);
        for (const what of played.counts.keys()) happened.add(what);
      }
    },
  );

  it('has met every fault by then', () => {
    const all = [...happened].join('\n');
    for (const fault of FAULTS) expect(all).toContain(fault);
  });
});

it('lets a mail of alerts be due at any time before its first try, as a lost answer may have closed it', async () => {
  const { failure } = await playOnPostgres(postgres, drawHistory(900_054, 15), { pages: false });
  expect(failure).toBe(null);
});

it('sees by the time of its last use whether a call with an API key was recorded, though the answer was lost', async () => {
  const { failure } = await playOnPostgres(postgres, drawHistory(60_028, 50), { pages: false });
  expect(failure).toBe(null);
});

it('detects any row that differs, on either side', async () => {
  const paired = await openPairedWorld(postgres, 1);
  expect(await paired.compare(true)).toBe(null);
  const { products } = paired.world.memory;
  const [product] = products.values();
  if (!product) throw new Error('There is no product.');
  products.set(product.id, { ...product, name: 'Renamed' });
  expect(await paired.compare(true)).toContain('Renamed');
  products.delete(product.id);
  expect(await paired.compare(false)).toContain('.rows.products');
  products.set(product.id, product);
  expect(await paired.compare(false)).toBe(null);
  await postgres.direct.database.pool.query('update products set status = $1 where id = $2', [
    'draft',
    product.id,
  ]);
  expect(await paired.compare(false)).toContain('.rows.products');
});

/** Each must have happened, or the histories prove nothing. */
const FAULTS = [
  'cut-before in ',
  'cut-within in ',
  'lose-answer in ',
  'half-close-server in ',
  'half-close-client in ',
  'refuse in ',
  'delay in ',
  'lost before it was applied',
  'lost after it was applied',
];
