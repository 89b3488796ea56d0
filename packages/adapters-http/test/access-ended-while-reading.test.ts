import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { changeRole, removeUser } from '@handover/domain';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { breakOffWithAccess, CHECKED_EVERY_MS } from '../src/streaming/break-off-with-access.ts';
import { cookieOf, openDashboard } from './open-dashboard.ts';

afterEach(() => void vi.useRealTimers());

/** A shop whose lists are so long that they are still being sent. Its timers run by hand. */
async function openLongLists() {
  const never = new Promise<never>(() => {});
  const dashboard = await openDashboard(({ purchases }) => ({
    purchases: {
      ...purchases,
      search: () => never,
      async *listAsJson() {
        yield* ['{"id":"1"}', '{"id":"2"}', '{"id":"3"}'];
        await never;
      },
    },
  }));
  const url = await dashboard.app.listen({ port: 0, host: '127.0.0.1' });
  const admin = await dashboard.signIn('admin');
  const [key] = await dashboard.ports.userKeys.list(admin.userId);
  if (!key) throw new Error('The user has no key.');
  const read = async (path: string, headers: Record<string, string>) => {
    const tooLong = sleep(5_000, 'still being sent', { ref: false });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const leaving = new AbortController();
    onTestFinished(() => leaving.abort());
    const answer = await fetch(`${url}${path}`, { headers, signal: leaving.signal });
    expect(answer.status).toBe(200);
    return {
      rest: Promise.race([
        tooLong,
        answer.text().then(
          () => 'whole',
          () => 'broken off',
        ),
      ]),
    };
  };
  const { orgId, ownerId } = dashboard.shop;
  const editor = { orgId, userId: ownerId };
  return {
    admin,
    readCsv: () =>
      read('/dashboard/purchases.csv', { cookie: cookieOf(admin), 'accept-encoding': 'identity' }),
    readJson: () =>
      read('/api/purchases', { authorization: `Bearer ${dashboard.ports.apiKeys.reveal(key)}` }),
    remove: () => removeUser(dashboard.ports, editor, admin.userId, 'admin'),
    demote: () => changeRole(dashboard.ports, editor, admin.userId, { from: 'admin', to: 'member' }),
  };
}

test.each(['readCsv', 'readJson'] as const)(
  '%s: a list breaks off once its reader is removed',
  async (read) => {
    const lists = await openLongLists();
    const { rest } = await lists[read]();
    await lists.remove();
    await vi.advanceTimersByTimeAsync(CHECKED_EVERY_MS);
    expect(await rest).toBe('broken off');
  },
);

test('a list of orders breaks off once its reader is a member only', async () => {
  const lists = await openLongLists();
  const { rest } = await lists.readCsv();
  await lists.demote();
  await vi.advanceTimersByTimeAsync(CHECKED_EVERY_MS);
  expect(await rest).toBe('broken off');
});

test('it goes on while its reader has access, and while nobody can say', async () => {
  const content = new Readable({ read: () => undefined }).on('error', () => undefined);
  const checks = [async () => true, () => Promise.reject(new Error('The database is down.'))];
  const due: (() => void)[] = [];
  const start = (_milliseconds: number, then: () => void) => {
    due.push(then);
    return () => void due.splice(0);
  };
  breakOffWithAccess(content, () => checks.shift()?.() ?? Promise.resolve(false), { start });
  for (const isGone of [false, false, true]) {
    due.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
    expect([content.destroyed, due.length]).toEqual([isGone, isGone ? 0 : 1]);
  }
});
