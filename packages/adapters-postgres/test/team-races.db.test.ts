import { changeRole, createUser, DEFAULT_KEY_NAME, removeUser } from '@handover/domain';
import { beforeEach, expect, it, vi } from 'vitest';
import { WAIT_TIMEOUT_MS } from '../../../test/wait-timeout.ts';
import { count, openShopAnew, shop, ports as shopPorts } from './shop-of-the-test.ts';

openShopAnew(beforeEach);

const WAITING = "pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";

it('a member who is removed while they make a key keeps no key, and neither change fails', async () => {
  const ports = shopPorts();
  const { stores, apiKeys } = ports;
  const membership = { orgId: shop.orgId, role: 'member' } as const;
  const created = await createUser(ports, { email: 'jo@example.com', name: null, membership });
  const userId = created.kind === 'created' ? created.user.id : '';
  const editor = { orgId: shop.orgId, userId: shop.ownerId };
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
