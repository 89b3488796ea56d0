import {
  addPasskey,
  CHALLENGE_LIFETIME_MS,
  identifySession,
  keepPasskeyChallenge,
  MAX_PASSKEYS_PER_USER,
  type Passkey,
  removeUser,
  signInWithPasskey,
} from '@handover/domain';
import { prepare } from '../runner.ts';
import type { OpenedShop, StoresRunner } from './harness.ts';
import { CLIENT, openUser } from './open-user.ts';
import { listEmailJobs } from './shop-actions.ts';

const NOBODY = { session: null, device: null };

/** Passkeys of users, their challenges, and the sessions that they begin. */
export function passkeysContract(runner: StoresRunner): void {
  const { describe, it, expect } = prepare(runner, open);

  describe('passkeys', () => {
    it('are those of their user, oldest first', async ({ ports, userId, add, addUser }) => {
      await add({ id: 'first', name: 'MacBook' });
      ports.clock.advance(1);
      await add({ id: 'second', transports: ['usb'] });
      const listed = await ports.passkeys.list(userId);
      expect(listed.map(({ id }) => id)).toEqual(['first', 'second']);
      expect(listed[0]).toMatchObject({
        name: 'MacBook',
        counter: 5,
        lastUsedAt: null,
        transports: ['internal'],
      });
      expect(await ports.passkeys.find('second')).toEqual(listed[1]);
      expect(await ports.passkeys.find('third')).toBe(null);
      expect(await ports.passkeys.list(await addUser())).toEqual([]);
      expect(await ports.passkeys.list('nobody')).toEqual([]);
    });

    it('are added once, by one user, and not without a name', async ({ ports, add, addUser }) => {
      expect(await add({ id: 'same' })).toEqual({ kind: 'added' });
      expect(await add({ id: 'same', userId: await addUser() })).toMatchObject({ kind: 'invalid' });
      expect(await add({ id: 'other', name: ' ' })).toMatchObject({ kind: 'invalid', field: 'name' });
      expect(await add({ id: 'other', userId: ports.ids.next() })).toMatchObject({ kind: 'invalid' });
      expect(await ports.passkeys.find('other')).toBe(null);
    });

    it('are limited in number, however many are added at once', async ({ ports, userId, add }) => {
      const ids = Array.from({ length: MAX_PASSKEYS_PER_USER + 3 }, (_, index) => `passkey ${index}`);
      await Promise.all(ids.map((id) => add({ id })));
      expect(await ports.passkeys.list(userId)).toHaveLength(MAX_PASSKEYS_PER_USER);
    });

    it('are removed by their user alone, and then sign nobody in', async (opened) => {
      const { ports, userId, add, addUser, signIn } = opened;
      await add({ id: 'mine' });
      expect(await ports.passkeys.remove(await addUser(), 'mine')).toBe(null);
      expect(await ports.passkeys.remove('nobody', 'mine')).toBe(null);
      expect(await ports.passkeys.remove(userId, 'mine')).toMatchObject({ id: 'mine' });
      expect(await signIn('mine', 6)).toEqual({ kind: 'refused' });
    });

    it('are removed when their user leaves the organisation', async ({ ports, userId, add, signIn }) => {
      await add({ id: 'mine' });
      await removeUser(ports, { orgId: ports.shop.orgId, userId }, userId, 'admin');
      expect(await ports.passkeys.list(userId)).toEqual([]);
      expect(await signIn('mine', 6)).toEqual({ kind: 'refused' });
    });
  });

  describe('a sign-in with a passkey', () => {
    it('begins a session, with its entry', async ({ ports, userId, email, add, signIn }) => {
      await add({ id: 'mine' });
      const result = await signIn('mine', 6);
      const token = result.kind === 'signed-in' ? result.sessionToken : '';
      expect(await identifySession(ports, token)).toMatchObject({ userId, session: { client: CLIENT } });
      expect(await ports.passkeys.find('mine')).toMatchObject({ counter: 6, lastUsedAt: ports.clock.now() });
      const [entry] = await ports.activity.list(ports.shop.orgId, {
        subjectId: userId,
        before: null,
        limit: 1,
      });
      expect(entry).toMatchObject({ kind: 'signed-in', actor: email, viaDetail: CLIENT });
    });

    it('confirms the session of the same user', async ({ ports, userId, add, signIn }) => {
      await add({ id: 'mine' });
      const first = await signIn('mine', 6);
      const session = first.kind === 'signed-in' ? first.sessionToken : '';
      ports.clock.advance(1000);
      expect(await signIn('mine', 7, { session, device: null })).toMatchObject({ kind: 'confirmed' });
      const [kept, ...others] = await ports.userSessions.list(userId, ports.clock.now());
      expect(others).toEqual([]);
      expect(kept?.confirmedAt).toEqual(ports.clock.now());
    });

    it('is refused with a counter that did not grow, and lets one in of two with the same', async (opened) => {
      const { add, signIn } = opened;
      await add({ id: 'mine' });
      for (const counter of [5, 4, 0]) expect(await signIn('mine', counter)).toEqual({ kind: 'refused' });
      const both = await Promise.all([signIn('mine', 6), signIn('mine', 6)]);
      expect(both.map(({ kind }) => kind).sort()).toEqual(['refused', 'signed-in']);
    });

    it('works if the authenticator does not count', async ({ add, signIn }) => {
      await add({ id: 'synced', counter: 0 });
      expect([(await signIn('synced', 0)).kind, (await signIn('synced', 0)).kind]).toEqual([
        'signed-in',
        'signed-in',
      ]);
    });

    it('works with a counter of 32 bits', async ({ ports, add, signIn }) => {
      await add({ id: 'mine', counter: 0xff_ff_ff_fe });
      expect((await signIn('mine', 0xff_ff_ff_ff)).kind).toBe('signed-in');
      expect(await ports.passkeys.find('mine')).toMatchObject({ counter: 0xff_ff_ff_ff });
    });

    it('on a new device is reported', async ({ ports, add, signIn }) => {
      await add({ id: 'mine' });
      await signIn('mine', 6);
      await signIn('mine', 7);
      expect(await listEmailJobs(ports, 'new-device')).toHaveLength(1);
    });
  });

  describe('a challenge', () => {
    it('works once, for its user, for five minutes', async ({ ports, userId, addUser }) => {
      const keep = (challenge: string, owner: string | null) =>
        keepPasskeyChallenge(ports, { challenge, userId: owner, network: ports.ids.next() });
      const take = (challenge: string, owner: string | null) =>
        ports.passkeys.takeChallenge(challenge, owner, ports.clock.now());
      const [once, other, signingIn, late] = ['once', 'other', 'signing-in', 'late'].map(
        (word) => `${word} ${ports.ids.next()}`,
      ) as [string, string, string, string];
      await keep(once, userId);
      expect((await Promise.all([take(once, userId), take(once, userId)])).sort()).toEqual([false, true]);
      await keep(other, userId);
      expect([await take(other, await addUser()), await take(other, null)]).toEqual([false, false]);
      expect(await take(other, userId)).toBe(true);
      await keep(signingIn, null);
      expect([await take(signingIn, userId), await take(signingIn, null)]).toEqual([false, true]);
      await keep(late, null);
      ports.clock.advance(CHALLENGE_LIFETIME_MS);
      expect(await take(late, null)).toBe(false);
      expect(await take('unknown', 'nobody')).toBe(false);
    });

    it('is not issued any more when a network asks too often', async ({ ports }) => {
      const network = ports.ids.next();
      const ask = () => keepPasskeyChallenge(ports, { challenge: ports.ids.next(), userId: null, network });
      for (let count = 0; count < 60; count += 1) expect(await ask()).toBe('kept');
      expect(await ask()).toBe('too-often');
    });
  });
}

async function open(ports: OpenedShop) {
  const { email, userId } = await openUser(ports);
  const add = ({ name = 'Passkey', ...changes }: Partial<Passkey> & { readonly id: string }) =>
    addPasskey(ports, name, { userId, publicKey: 'key', counter: 5, transports: ['internal'], ...changes });
  const signIn = (id: string, counter: number, presented: Parameters<typeof signInWithPasskey>[3] = NOBODY) =>
    signInWithPasskey(ports, { id, counter, returnTo: null }, CLIENT, presented);
  return { ports, email, userId, add, signIn, addUser: async () => (await openUser(ports)).userId };
}
