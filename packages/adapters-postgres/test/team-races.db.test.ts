import { changeRole, createUser, DEFAULT_KEY_NAME, removeUser } from '@handover/domain';
import { beforeEach, expect, it, vi } from 'vitest';
import { WAIT_TIMEOUT_MS } from '../../../test/wait-timeout.ts';
import { count, openShopAnew, shop, ports as shopPorts } from './shop-of-the-test.ts';

openShopAnew(beforeEach);

const WAITING = "pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";

it('a member who is removed while they make a key keeps no key, and neither change fails', async () => {
  const { ports, editor, userId } = await openTeam();
  const { stores, apiKeys } = ports;
  await stores.userKeys.revoke(userId, DEFAULT_KEY_NAME);
  const key = apiKeys.mint().stored;
  const { replacing } = await stores.inTransaction(async (within) => {
    const team = { ...ports, ...within };
    await changeRole(team, editor, userId, { from: 'member', to: 'admin' });
    let isOver = false;
    const replacing = stores.users.replaceKey(userId, key).finally(() => {
      isOver = true;
    });
    await vi.waitFor(async () => expect(isOver || (await count(WAITING)) > 0).toBe(true), WAIT_TIMEOUT_MS);
    expect(await removeUser(team, editor, userId, 'admin')).toEqual({ kind: 'removed' });
    return { replacing };
  });
  expect(await replacing).toBe('replaced');
  expect(await stores.users.findByKeyHash(key.hash)).toBe(null);
});

it('a member who is removed while they sign in with a passkey has no session, and neither change fails', async () => {
  const { ports, editor, userId } = await openTeam();
  const { stores, clock } = ports;
  const at = clock.now();
  const times = { createdAt: at, lastUsedAt: null };
  const passkey = { id: 'mine', userId, name: 'Mine', publicKey: 'x', counter: 1, transports: [], ...times };
  await stores.passkeys.add(passkey);
  const expiresAt = new Date(at.getTime() + 60_000);
  const session = { hash: 'x', client: 'Firefox', createdAt: at, expiresAt, lastSeenAt: at, confirmedAt: at };
  const { removing } = await stores.inTransaction(async (within) => {
    expect(await within.passkeys.use('mine', { counter: 2, at })).toBe(userId);
    const removing = removeUser(ports, editor, userId, 'member');
    await vi.waitFor(async () => expect(await count(WAITING)).toBeGreaterThan(0), WAIT_TIMEOUT_MS);
    expect(await within.userSessions.begin(userId, session, null)).toBe('begun');
    return { removing };
  });
  expect(await removing).toEqual({ kind: 'removed' });
  expect(await stores.userSessions.list(userId, at)).toEqual([]);
});

/** A shop with its owner and a member. */
async function openTeam() {
  const ports = shopPorts();
  const membership = { orgId: shop.orgId, role: 'member' } as const;
  const created = await createUser(ports, { email: 'jo@example.com', name: null, membership });
  const userId = created.kind === 'created' ? created.user.id : '';
  return { ports, userId, editor: { orgId: shop.orgId, userId: shop.ownerId } };
}
