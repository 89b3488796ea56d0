import { acceptInvitation, createUser, inviteUser, removeUser } from '@handover/domain';
import { createFakeInvitationTokens, createFakeSessionTokens } from '@handover/testkit';
import { beforeEach, expect, it, vi } from 'vitest';
import { WAIT_TIMEOUT_MS } from '../../../test/wait-timeout.ts';
import { count, openShopAnew, shop, ports as shopPorts } from './shop-of-the-test.ts';

openShopAnew(beforeEach);

const WAITING = "pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
const EMAIL = 'jo@example.com';
const CLIENT = 'Firefox, 203.0.113.7';

it('a user who was added during an invitation cannot come back after their removal', async () => {
  const { stores, invite, ports, orgId } = await openTeam();
  await stores.inTransaction(async (within) => {
    const membership = { orgId, role: 'admin' } as const;
    await createUser({ ...ports, ...within }, { email: EMAIL, name: null, membership });
    expect((await invite(EMAIL)).kind).toBe('invited');
  });
  const [jo] = (await stores.team.list(orgId)).filter(({ email }) => email === EMAIL);
  expect(await removeUser(ports, { orgId, userId: shop.ownerId }, jo?.id ?? '', 'admin')).toEqual({
    kind: 'removed',
  });
  expect(await stores.invitations.list(orgId)).toEqual([]);
});

it('a person who is accepting an invitation cannot be invited again', async () => {
  const { stores, invite, ports, tokenOf, orgId } = await openTeam();
  const first = await invite(EMAIL);
  const token = first.kind === 'invited' ? tokenOf(first.invitation.id) : '';
  const second = await stores.inTransaction(async (within) => {
    const accepting = {
      ...ports,
      ...within,
      inTransaction: <Result>(work: (to: typeof within) => Result) => work(within),
    };
    expect((await acceptInvitation(accepting, token, CLIENT)).kind).toBe('accepted');
    const answer = invite(EMAIL);
    await vi.waitFor(async () => expect(await count(WAITING)).toBeGreaterThan(0), WAIT_TIMEOUT_MS);
    return { answer };
  });
  expect(await second.answer).toEqual({ kind: 'already-member' });
  expect(await stores.invitations.list(orgId)).toEqual([]);
});

it('accepting and being added at the same moment never wait for each other', async () => {
  const { invite, ports, orgId, tokenOf } = await openTeam();
  const membership = { orgId, role: 'admin' } as const;
  for (let round = 0; round < 40; round += 1) {
    const email = `jo-${round}@example.com`;
    const invited = await invite(email);
    const token = invited.kind === 'invited' ? tokenOf(invited.invitation.id) : '';
    const [accepted, created] = await Promise.all([
      acceptInvitation(ports, token, CLIENT),
      createUser(ports, { email, name: null, membership }),
    ]);
    expect([accepted.kind, created.kind].toSorted()).toEqual(
      accepted.kind === 'accepted' ? ['accepted', 'email-taken'] : ['already-member', 'created'],
    );
  }
});

it.each(['accepted', 'overtaken'])(
  'the invitation of a member is %s while the member is removed, and neither change fails',
  async (how) => {
    const { stores, invite, ports, orgId } = await openTeam();
    const membership = { orgId, role: 'admin' } as const;
    const invitationId = await stores.inTransaction(async (within) => {
      await createUser({ ...ports, ...within }, { email: EMAIL, name: null, membership });
      const invited = await invite(EMAIL);
      return invited.kind === 'invited' ? invited.invitation.id : '';
    });
    const [jo] = (await stores.team.list(orgId)).filter(({ email }) => email === EMAIL);
    const at = ports.clock.now();
    const expiresAt = new Date(at.getTime() + 60_000);
    const times = { createdAt: at, expiresAt, lastSeenAt: at, confirmedAt: at };
    const acceptance = {
      at,
      userId: ports.ids.next(),
      key: ports.apiKeys.mint().stored,
      session: { hash: 'x', client: CLIENT, ...times },
    };
    const { joining, removing } = await stores.inTransaction(async (within) => {
      // Both wait for it, one after the other.
      await within.invitations.renew(orgId, invitationId, { at, expiresAt });
      const joining =
        how === 'accepted'
          ? stores.invitations.accept(orgId, invitationId, acceptance)
          : createUser(ports, { email: EMAIL, name: null, membership });
      await vi.waitFor(async () => expect(await count(WAITING)).toBe(1), WAIT_TIMEOUT_MS);
      const removing = removeUser(ports, { orgId, userId: shop.ownerId }, jo?.id ?? '', 'admin');
      await vi.waitFor(async () => expect(await count(WAITING)).toBe(2), WAIT_TIMEOUT_MS);
      return { joining, removing };
    });
    expect(await Promise.all([joining, removing])).toEqual([
      how === 'accepted' ? null : { kind: 'email-taken' },
      { kind: 'removed' },
    ]);
  },
);

async function openTeam() {
  const { orgId } = shop;
  const invitationTokens = createFakeInvitationTokens('');
  const ports = { ...shopPorts(), invitationTokens, sessionTokens: createFakeSessionTokens() };
  const { stores, clock } = ports;
  const [owner] = await stores.team.list(orgId);
  const inviter = { orgId, userId: owner?.id ?? '', role: 'owner' } as const;
  return {
    orgId,
    stores,
    ports,
    invite: (email: string) => {
      // The hourly limit does not matter here.
      clock.advance(60 * 60 * 1000);
      return inviteUser(ports, inviter, { email, name: '', role: 'admin' });
    },
    tokenOf: (id: string) => invitationTokens.url(orgId, id).slice('/dashboard/invitations/'.length),
  };
}
