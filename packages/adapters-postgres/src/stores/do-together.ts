import type { Kysely } from 'kysely';
import { type BatchOptions, createBatches, createTurns } from '../batches.ts';
import type { Schema } from '../schema.ts';

/** Of one kind of work this many organisations at once: each takes a connection. */
const MAX_AT_ONCE = 4;
/** So many are one transaction. */
const MAX_ITEMS = 200;

/** Does in batches what comes at once. Within a transaction that is under way each is done directly, as a part of it. */
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
