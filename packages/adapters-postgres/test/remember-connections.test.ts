import type { Connection, Connections } from '@handover/domain';
import { createInMemoryStores } from '@handover/domain/memory';
import { expect, it } from 'vitest';
import { rememberConnections } from '../src/stores/writes/access/remember-connections.ts';

const ORG = '019c3f2b-1c2d-7e3f-8a4b-5c6d7e8f9a0b';
const at = (milliseconds: number) => new Date(1_800_000_000_000 + milliseconds);

/** Connections that another process changes. */
function openTrial() {
  let listed: readonly Connection[] | null = [];
  const asked: string[] = [];
  const waits: (() => void)[] = [];
  let mustWait = false;
  const connections: Connections = {
    ...createInMemoryStores().connections,
    list: async (_orgId, platform) => {
      asked.push(platform);
      const seen = listed;
      if (mustWait) await new Promise<void>((resolve) => waits.push(resolve));
      return seen;
    },
  };
  const changed: string[] = [];
  const remembered = rememberConnections(connections, (orgId) => changed.push(orgId));
  return {
    remembered,
    asked,
    changed,
    set: (found: readonly Connection[] | null) => {
      listed = found;
    },
    wait: () => {
      mustWait = true;
      return () => {
        mustWait = false;
        for (const goOn of waits) goOn();
      };
    },
  };
}

const named = (name: string): Connection => ({
  id: name,
  name,
  secrets: [name],
  rules: { strict: false, ignoreTestOrders: false, defaultCurrency: null },
});

it('asks once for what many want at once, and for two seconds after it', async () => {
  const { remembered, asked } = openTrial();
  const list = (ms: number) => remembered.list(ORG, 'cart-a', at(ms), 'recent');
  await Promise.all([list(0), list(0), list(1)]);
  await list(1999);
  expect(asked).toEqual(['cart-a']);
  await list(2000);
  await remembered.list(ORG, 'storefront-a', at(2000), 'recent');
  expect(asked).toEqual(['cart-a', 'cart-a', 'storefront-a']);
});

it('always asks for the newest, and when the clock was set back', async () => {
  const { remembered, asked } = openTrial();
  await remembered.list(ORG, 'cart-a', at(0), 'recent');
  await remembered.list(ORG, 'cart-a', at(0));
  await remembered.list(ORG, 'cart-a', at(-1), 'recent');
  expect(asked).toHaveLength(3);
});

it('forgets an organisation whose connections are changed, however its id is written', async () => {
  const { remembered, set, changed } = openTrial();
  const names = async () => (await remembered.list(ORG, 'cart-a', at(0), 'recent'))?.map(({ name }) => name);
  expect(await names()).toEqual([]);
  set([named('first')]);
  expect(await names()).toEqual([]);
  await remembered.setRules(ORG.toUpperCase(), 'cart-a', 'first', { strict: true });
  expect(await names()).toEqual(['first']);
  expect(changed).toEqual([ORG.toUpperCase()]);
});

it('does not remember what was read before a change and arrived after it', async () => {
  const { remembered, set, wait } = openTrial();
  const goOn = wait();
  const early = remembered.list(ORG, 'cart-a', at(0), 'recent');
  set([named('second')]);
  remembered.forget(ORG);
  goOn();
  expect(await early).toEqual([]);
  expect(await remembered.list(ORG, 'cart-a', at(0), 'recent')).toHaveLength(1);
});

it('caches neither an unknown organisation nor an error', async () => {
  const { remembered, set, asked } = openTrial();
  set(null);
  expect(await remembered.list(ORG, 'cart-a', at(0), 'recent')).toBe(null);
  set([]);
  expect(await remembered.list(ORG, 'cart-a', at(0), 'recent')).toEqual([]);
  expect(asked).toHaveLength(2);

  const failing = rememberConnections({
    ...createInMemoryStores().connections,
    list: async () => {
      throw new Error('Away.');
    },
  });
  const tries = [failing.list(ORG, 'cart-a', at(0), 'recent'), failing.list(ORG, 'cart-a', at(0), 'recent')];
  expect((await Promise.allSettled(tries)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await expect(failing.list(ORG, 'cart-a', at(0), 'recent')).rejects.toThrow('Away.');
});

it('asks for the newest once for all who wait for it, and begins after each of them asked', async () => {
  const { remembered, asked, set, wait } = openTrial();
  const list = () => remembered.list(ORG, 'cart-a', at(0), 'newest');
  const goOn = wait();
  const first = list();
  await new Promise(setImmediate);
  set([named('changed meanwhile')]);
  const later = [list(), list()];
  goOn();
  expect(await first).toEqual([]);
  for (const listed of await Promise.all(later)) expect(listed).toEqual([named('changed meanwhile')]);
  expect(asked).toHaveLength(2);
});

it('does not verify with secrets that had ended, because a concurrent caller asks for those as well', async () => {
  const connections = rememberConnections({
    ...createInMemoryStores().connections,
    list: async (_orgId, _platform, now) => [named(now < at(0) ? 'ended' : 'current')],
  });
  const list = (now: Date) => connections.list(ORG, 'cart-a', now, 'newest');
  const listed = await Promise.all([list(at(0)), list(new Date(0)), list(at(1)), list(new Date(0))]);
  expect(listed.map((found) => found?.[0]?.name)).toEqual(['current', 'ended', 'current', 'ended']);
});

it('forgets nothing when the connection that an event names is known, and all when it is added', async () => {
  const asked: string[] = [];
  const changed: string[] = [];
  const connections = rememberConnections(
    {
      ...createInMemoryStores().connections,
      list: async (_orgId, platform) => {
        asked.push(platform);
        return [];
      },
      findOrAdd: async ({ orgId, name, connectionId }) => {
        asked.push(name);
        return { orgId, connectionId: name === 'added' ? connectionId : 'another' };
      },
    },
    (orgId) => changed.push(orgId),
  );
  const list = () => connections.list(ORG, 'cart-a', at(0), 'recent');
  const findOrAdd = (name: string, ms = 0) =>
    connections.findOrAdd({ orgId: ORG, platform: 'payments-a', name, connectionId: 'its own', now: at(ms) });
  await list();
  await Promise.all([findOrAdd('known'), findOrAdd('known')]);
  await list();
  expect(asked).toEqual(['cart-a', 'known']);
  expect(changed).toEqual([]);
  await findOrAdd('known', 2000);
  await findOrAdd('added');
  await list();
  expect(asked).toEqual(['cart-a', 'known', 'known', 'added', 'cart-a']);
  expect(changed).toEqual([ORG]);
});
