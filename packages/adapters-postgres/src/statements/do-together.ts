import type { Kysely } from 'kysely';
import type { Schema } from '../database/schema.ts';
import { type BatchOptions, createBatches, createTurns } from './batches.ts';

/** The number of organisations that are processed at once, per kind of work: each uses a connection. */
const MAX_AT_ONCE = 4;
/** The maximum number of items in a transaction. */
const MAX_ITEMS = 200;

/** Batches concurrent calls. Within an open transaction each call runs directly, as a part of it. */
export function doTogether<Item, Result>(
  db: Kysely<Schema>,
  options: Omit<BatchOptions<Item, Result>, 'maxItems' | 'turns'> & Partial<BatchOptions<Item, Result>>,
): (item: Item) => Promise<Result> {
  if (!db.isTransaction)
    return createBatches({ maxItems: MAX_ITEMS, turns: createTurns(MAX_AT_ONCE), ...options });
  return async (item) => {
    const [result] = await options.run([item]);
    return result as Result;
  };
}
