import type { SharedSecrets } from '@handover/domain';
import { createBatches, createTurns } from '../../../statements/batches.ts';
import { createMemory } from './remember-connections.ts';

/** Tells other stores of this process that the secrets of the shared platform changed. No organisation has this id. */
export const SHARED = 'shared';

/** As `rememberConnections`: every event of the shared platform needs its secrets, and they rarely change. */
export function rememberSharedSecrets(
  sharedSecrets: SharedSecrets,
  onChange: () => void,
): SharedSecrets & { forget(): void } {
  const remembered = createMemory<Awaited<ReturnType<SharedSecrets['list']>>>();
  const forget = () => remembered.forget(SHARED);
  const readNewest = createBatches<Date, Awaited<ReturnType<SharedSecrets['list']>>>({
    keyOf: () => SHARED,
    maxItems: 1_000,
    turns: createTurns(1),
    run: async (times) => {
      const listed = await sharedSecrets.list(times.at(-1) ?? new Date(0));
      return times.map(() => listed);
    },
  });
  return {
    forget,
    list: async (now, seen = 'newest') =>
      seen === 'newest'
        ? readNewest(now)
        : ((await remembered.recall(SHARED, '', now, () => sharedSecrets.list(now))) ?? []),
    replace: (change) =>
      sharedSecrets.replace(change).finally(() => {
        forget();
        onChange();
      }),
  };
}
