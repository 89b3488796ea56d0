import {
  identifySession,
  isFresh,
  MAX_DEVICES_PER_USER,
  redeemSignIn,
  requestSignIn,
} from '@handover/domain';
import { sendsEmail } from '../complete-emails.ts';
import { prepare } from '../runner.ts';
import { openShop } from '../samples.ts';
import type { OpenedShop, StoresRunner } from './harness.ts';
import { CLIENT, openUser } from './open-user.ts';
import { listEmailJobs } from './shop-actions.ts';

const MINUTE = 60_000;

/** The list of a user's sessions, their confirmation, and the devices that a user signs in with. */
export function sessionsContract(runner: StoresRunner): void {
  const { describe, it, expect } = prepare(runner, (opened) => openSessions(opened));

  describe('the list of sessions', () => {
    it('shows device, beginning and last use of each, the latest first', async (opened) => {
      const { ports, userId, signIn } = opened;
      const began = ports.clock.now();
      const first = await signIn('Safari on iPhone');
      ports.clock.advance(MINUTE);
      await signIn(CLIENT);
      ports.clock.advance(10 * MINUTE);
      await identifySession(ports, first.sessionToken);
      const seen = ports.clock.now();
      expect(await ports.userSessions.list(userId, seen)).toMatchObject([
        { client: 'Safari on iPhone', createdAt: began, lastSeenAt: seen },
        { client: CLIENT, lastSeenAt: new Date(began.getTime() + MINUTE) },
      ]);
      expect(await ports.userSessions.list(ports.ids.next(), seen)).toEqual([]);
      expect(await ports.userSessions.list('nobody', seen)).toEqual([]);
    });

    it('has no session that has ended', async ({ ports, userId, signIn }) => {
      await signIn();
      ports.clock.advance(14 * 24 * 60 * MINUTE);
      expect(await ports.userSessions.list(userId, ports.clock.now())).toEqual([]);
    });

    it('records a use once in five minutes, and never sets it back', async ({ ports, userId, signIn }) => {
      const { sessionToken } = await signIn();
      const began = ports.clock.now();
      const seen = async () => (await ports.userSessions.list(userId, ports.clock.now()))[0]?.lastSeenAt;
      ports.clock.advance(5 * MINUTE - 1);
      await identifySession(ports, sessionToken);
      expect(await seen()).toEqual(began);
      ports.clock.advance(1);
      await identifySession(ports, sessionToken);
      expect(await seen()).toEqual(ports.clock.now());
      const hash = ports.sessionTokens.hash(sessionToken) ?? '';
      await ports.userSessions.prolong(hash, { lastSeenAt: began, expiresAt: ports.clock.now() });
      expect(await seen()).toEqual(ports.clock.now());
    });

    it('can end a single one, by its own user', async ({ ports, userId, signIn }) => {
      const [here, there] = [await signIn(), await signIn()];
      const hash = ports.sessionTokens.hash(there.sessionToken) ?? '';
      expect(await ports.userSessions.endOne(ports.ids.next(), hash)).toBe(false);
      expect(await ports.userSessions.endOne('nobody', hash)).toBe(false);
      expect(await ports.userSessions.endOne(userId, hash)).toBe(true);
      expect(await ports.userSessions.endOne(userId, hash)).toBe(false);
      expect(await identifySession(ports, there.sessionToken)).toBe(null);
      expect((await identifySession(ports, here.sessionToken)) === null).toBe(false);
    });

    it('can end all others, with the links that are still open', async ({ ports, userId, signIn, issue }) => {
      const [here, there, link] = [await signIn(), await signIn(), await issue()];
      const hash = ports.sessionTokens.hash(here.sessionToken) ?? '';
      expect(await ports.userSessions.endAll(userId, hash)).toBe(1);
      expect(await identifySession(ports, there.sessionToken)).toBe(null);
      expect((await identifySession(ports, here.sessionToken)) === null).toBe(false);
      expect(await redeemSignIn(ports, link, CLIENT)).toMatchObject({ kind: 'spent' });
      expect(await ports.userSessions.endAll(userId, hash)).toBe(0);
    });
  });

  describe('a session', () => {
    it('is fresh for half an hour after its beginning, and again once it is confirmed', async (opened) => {
      const { ports, userId, signIn, issue } = opened;
      const { sessionToken, deviceToken } = await signIn();
      const isStillFresh = async () => {
        const signedIn = await identifySession(ports, sessionToken);
        return signedIn !== null && isFresh(signedIn.session, ports.clock.now());
      };
      ports.clock.advance(30 * MINUTE - 1);
      expect(await isStillFresh()).toBe(true);
      ports.clock.advance(1);
      expect(await isStillFresh()).toBe(false);
      const presented = { session: sessionToken, device: deviceToken };
      const confirmed = await redeemSignIn(ports, await issue(), CLIENT, presented);
      expect(confirmed).toMatchObject({ kind: 'confirmed', deviceToken });
      expect(await isStillFresh()).toBe(true);
      expect(await ports.userSessions.list(userId, ports.clock.now())).toHaveLength(1);
    });

    it('of another user, or one that is over, is not confirmed: another one begins', async (opened) => {
      const { ports, issue } = opened;
      const other = await openSessions(ports, await openShop(ports, 'Other'));
      const theirs = await other.signIn();
      ports.clock.advance(MINUTE);
      const presented = { session: theirs.sessionToken, device: null };
      expect(await redeemSignIn(ports, await issue(), CLIENT, presented)).toMatchObject({
        kind: 'signed-in',
      });
      const signedIn = await identifySession(ports, theirs.sessionToken);
      expect(signedIn?.session.confirmedAt).toEqual(new Date(ports.clock.now().getTime() - MINUTE));
      const gone = { session: 'session-ffff', device: null };
      expect(await redeemSignIn(ports, await issue(), CLIENT, gone)).toMatchObject({ kind: 'signed-in' });
    });

    it('leads back to the page on which its link was asked for', async ({ ports, email }) => {
      const returnTo = '/dashboard/settings/api-key?show=default';
      await requestSignIn(ports, { email, network: ports.ids.next(), client: CLIENT, returnTo });
      const job = (await ports.queuedJobs()).find(sendsEmail('sign-in'));
      const redeemed = await redeemSignIn(ports, `sign-in-${job?.emailId}`, CLIENT);
      expect(redeemed).toMatchObject({ kind: 'signed-in', returnTo });
    });
  });

  describe('a device', () => {
    it('is new when the user had another before, and is mailed about once', async (opened) => {
      const { ports, signIn, noticesOf } = opened;
      const first = await signIn();
      expect(await noticesOf()).toEqual([]);
      const second = await signIn('Edge on Windows');
      expect(second.deviceToken === first.deviceToken).toBe(false);
      const [notice, ...others] = await noticesOf();
      expect(others).toEqual([]);
      for (const device of [first.deviceToken, second.deviceToken]) {
        expect((await signIn(CLIENT, device)).deviceToken).toBe(device);
      }
      expect(await noticesOf()).toHaveLength(1);
      const { orgId = '', emailId = '' } = notice ?? {};
      const claim = await ports.outgoingEmails.claim(orgId, emailId, ports.clock.now(), () => '');
      expect(claim).toMatchObject({
        kind: 'claimed',
        email: { kind: 'new-device', orgId: ports.shop.orgId, client: 'Edge on Windows' },
      });
    });

    it('of another user is new to this one', async ({ ports, signIn, noticesOf }) => {
      const other = await openSessions(ports, await openShop(ports, 'Other'));
      await signIn();
      const theirs = await other.signIn();
      await signIn(CLIENT, theirs.deviceToken);
      expect(await noticesOf()).toHaveLength(1);
    });

    it('is deleted when many others were seen since', async ({ ports, userId }) => {
      const see = (hash: string) => {
        ports.clock.advance(1);
        return ports.devices.see(userId, {
          id: ports.ids.next(),
          hash,
          client: CLIENT,
          at: ports.clock.now(),
        });
      };
      expect(await see('first')).toBe('first');
      for (let count = 1; count < MAX_DEVICES_PER_USER; count += 1) await see(`device ${count}`);
      expect(await see('first')).toBe('known');
      expect(await see('one more')).toBe('new');
      expect(await see('first')).toBe('known');
      expect(await see('device 1')).toBe('new');
    });

    it('is seen of no unknown user', async ({ ports }) => {
      const device = { id: ports.ids.next(), hash: 'x', client: CLIENT, at: ports.clock.now() };
      expect(await ports.devices.see(ports.ids.next(), device)).toBe('unknown-user');
      expect(await ports.devices.see('nobody', device)).toBe('unknown-user');
    });
  });
}

/** A user of a shop. */
async function openSessions(opened: OpenedShop, { orgId } = opened.shop) {
  const user = await openUser(opened, 'admin', orgId);
  return {
    ports: opened,
    ...{ email: user.email, userId: user.userId, issue: user.issueToken },
    signIn: async (client = CLIENT, device: string | null = null) => {
      const token = await user.issueToken();
      const redeemed = await redeemSignIn(opened, token, client, { session: null, device });
      if (redeemed.kind !== 'signed-in') throw new Error(redeemed.kind);
      return redeemed;
    },
    noticesOf: () => listEmailJobs(opened, 'new-device'),
  };
}
