import {
  addApiKey,
  authorise,
  DEFAULT_KEY_NAME,
  identifyCaller,
  listApiKeys,
  refreshApiKey,
  replaceApiKey,
  showApiKey,
} from '@handover/domain';
import { type Credential, endAll } from '../world/ledger.ts';
import type { World } from '../world/open-world.ts';
import { pickCredential, pickUser } from './access.ts';
import { type Action, onPicked, operate, pickRow } from './action.ts';

/** How users make, replace and revoke API keys, and programs use them. */
export const API_KEY_ACTIONS: readonly Action[] = [
  {
    name: 'an API key is added',
    weight: 4,
    begin: onPicked(pickUser, (world, user) => {
      const name = ['export', 'import', DEFAULT_KEY_NAME][world.random.below(3)] ?? '';
      return operate(world, `${user.email} adds the API key ${name}`, async (service) => {
        const added = await addApiKey(service, user.id, { name, lifetimeDays: '7', scopes: null });
        if (added.kind === 'added') remember(world, added.apiKey, user.id);
        return added;
      });
    }),
  },
  {
    name: 'a default API key is replaced',
    weight: 4,
    begin: onPicked(pickUser, (world, user) =>
      operate(world, `The default API key of ${user.email} is replaced`, async (service) => {
        const known = listKnown(world, user.id, DEFAULT_KEY_NAME);
        const refreshed = await refreshApiKey(service, user.id);
        if (refreshed.kind !== 'refreshed') return refreshed;
        endAll(known);
        remember(world, refreshed.apiKey, user.id);
        return refreshed;
      }),
    ),
  },
  {
    name: 'an API key is replaced',
    weight: 4,
    begin: onPicked(
      (world) => pickRow(world, world.memory.keys.values()),
      (world, key) =>
        operate(world, `The API key ${key.name} of ${key.userId} is replaced`, async (service) => {
          const known = listKnown(world, key.userId, key.name);
          const replaced = await replaceApiKey(service, key.userId, key.name);
          if (replaced.kind !== 'replaced') return replaced;
          endAll(known);
          remember(world, replaced.apiKey, key.userId);
          return replaced;
        }),
    ),
  },
  {
    name: 'an API key is revoked',
    weight: 1,
    begin: onPicked(
      (world) => pickRow(world, world.memory.keys.values()),
      (world, key) =>
        operate(world, `The API key ${key.name} of ${key.userId} is revoked`, async (service) => {
          const known = listKnown(world, key.userId, key.name);
          const revoked = await service.userKeys.revoke(key.userId, key.name);
          if (revoked) endAll(known);
          return revoked ? 'revoked' : 'unknown';
        }),
    ),
  },
  {
    name: 'API keys are shown',
    weight: 1,
    begin: onPicked(pickUser, (world, user) =>
      operate(world, `The API keys of ${user.email} are shown`, async (service) => {
        const [first] = await listApiKeys(service, user.id);
        const key = first ? await showApiKey(service, user.id, first.name) : null;
        if (key !== null && !world.ledger.apiKeys.has(key)) remember(world, key, user.id);
        return key === null ? 'unknown' : 'shown';
      }),
    ),
  },
  {
    name: 'the API is called',
    weight: 6,
    begin: onPicked(
      (world) => pickCredential(world, world.ledger.apiKeys),
      (world, [key, credential]) =>
        operate(world, `The API is called with ${key}`, async (service) => {
          const isOver = credential?.isOver === true;
          const found = await identifyCaller(service, key);
          const caller = found.kind === 'identified' ? found.caller : null;
          if (isOver)
            world.check(
              'an API key that was replaced or revoked, or whose member was removed, serves nothing',
              caller ? key : null,
            );
          if (!caller) return found.kind;
          await service.userKeys.recordUses([caller.key.hash], service.clock.now());
          return authorise(caller, 'admin', service);
        }),
    ),
  },
];

function remember({ ledger }: World, key: string, userId: string): void {
  ledger.apiKeys.set(key, { userId, isOver: false });
}

/** The credential of that name, if its text was ever shown. */
function listKnown({ ledger, memory, slots }: World, userId: string, name: string): readonly Credential[] {
  const row = [...memory.keys.values()].find((key) => key.userId === userId && key.name === name);
  const hash = slots[0]?.service.apiKeys.hash;
  return [...ledger.apiKeys].flatMap(([key, credential]) =>
    row && hash?.(key) === row.hash ? [credential] : [],
  );
}
