import {
  identifySession,
  issueSignInLink,
  lookAtSignIn,
  NO_ORGANISATION,
  redeemSignIn,
  requestSignIn,
  setSubscription,
  signOut,
  signOutEverywhere,
} from '@handover/domain';
import { claimEmail, completeEmail } from '../complete-emails.ts';
import { prepare } from '../runner.ts';
import type { StoresRunner } from './harness.ts';
import { CLIENT, openUser } from './open-user.ts';
import { listEmailJobs } from './shop-actions.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** One-time links, their sessions, and the limit of tries. */
export function signInContract(runner: StoresRunner): void {
  const { describe, it, expect } = prepare(runner, openUser);

  describe('sign-ins', () => {
    it('can be shown without being used, and work once', async (opened) => {
      const token = await opened.issueToken();
      const user = { email: opened.email, name: 'Jana Vogel' };
      expect(await lookAtSignIn(opened, token, CLIENT)).toMatchObject({ kind: 'open', signIn: { user } });
      expect(await lookAtSignIn(opened, token, CLIENT)).toMatchObject({ kind: 'open', signIn: { user } });
      expect((await redeemSignIn(opened, token, CLIENT)).kind).toBe('signed-in');
      expect(await redeemSignIn(opened, token, CLIENT)).toMatchObject({ kind: 'spent' });
      expect((await lookAtSignIn(opened, token, CLIENT)).kind).toBe('spent');
    });

    it('let in one of many concurrent requests', async (opened) => {
      const token = await opened.issueToken();
      const results = await Promise.all(Array.from({ length: 5 }, () => redeemSignIn(opened, token, CLIENT)));
      expect(results.filter(({ kind }) => kind === 'signed-in')).toHaveLength(1);
    });

    it('work for 15 minutes', async (opened) => {
      const token = await opened.issueToken();
      opened.clock.advance(15 * MINUTE - 1);
      expect((await lookAtSignIn(opened, token, CLIENT)).kind).toBe('open');
      opened.clock.advance(1);
      expect((await lookAtSignIn(opened, token, CLIENT)).kind).toBe('spent');
      expect(await redeemSignIn(opened, token, CLIENT)).toMatchObject({ kind: 'spent' });
    });

    it('are unknown by an id that is not a UUID', async (opened) => {
      expect(await redeemSignIn(opened, 'sign-in-nobody', CLIENT)).toMatchObject({ kind: 'spent' });
      expect(await redeemSignIn(opened, `sign-in-${opened.ids.next()}`, CLIENT)).toMatchObject({
        kind: 'spent',
      });
      expect(await opened.stores.signIns.findOpen("'; drop table users", opened.clock.now())).toBe(null);
    });

    it('are mailed by a job that contains only their id', async (opened) => {
      const asked = await requestSignIn(opened, {
        email: opened.email.toLowerCase(),
        network: opened.ids.next(),
        client: CLIENT,
      });
      expect(asked).toEqual({ kind: 'asked', email: opened.email.toLowerCase(), userId: opened.userId });
      const jobs = await listEmailJobs(opened, 'sign-in');
      expect(jobs).toHaveLength(1);
      const [job] = jobs;
      const signInId = job?.emailId ?? '';
      const orgId = NO_ORGANISATION;
      expect(job).toMatchObject({ orgId, emailId: signInId, startAfter: opened.clock.now() });
      expect((await opened.stores.signIns.findOpen(signInId, opened.clock.now()))?.user.email).toBe(
        opened.email,
      );
    });

    it('are added and mailed once, also if the answer to their commit was lost and they are added again', async (opened) => {
      const { signIns } = opened.stores;
      const now = opened.clock.now();
      const id = opened.ids.next();
      const expiresAt = new Date(now.getTime() + 15 * MINUTE);
      const add = () =>
        signIns.add({ id, email: opened.email, createdAt: now, expiresAt, returnTo: null }, 'mail');
      expect(await add()).toBe('added');
      await completeEmail(opened.stores, NO_ORGANISATION, id, now, {
        kind: 'sent',
        at: now,
        answer: '250 OK',
      });
      await opened.dropJobs(await opened.queuedJobs());
      expect((await redeemSignIn(opened, `sign-in-${id}`, CLIENT)).kind).toBe('signed-in');
      expect(await add()).toBe('added');
      expect(await opened.queuedJobs()).toEqual([]);
      expect(await claimEmail(opened.stores, NO_ORGANISATION, id, now)).toEqual({ kind: 'not-pending' });
      expect(await signIns.findOpen(id, now)).toBe(null);
    });

    it('give the same answer, but queue nothing, for an unknown address', async (opened) => {
      const email = `${opened.ids.next()}@example.com`;
      expect(await requestSignIn(opened, { email, network: opened.ids.next(), client: CLIENT })).toEqual({
        kind: 'asked',
        email,
        userId: null,
      });
      expect(await opened.queuedJobs()).toHaveLength(0);
      expect(await issueSignInLink(opened, email)).toEqual({ kind: 'unknown-user' });
    });
  });

  describe('sessions', () => {
    it('tell who is signed in, with organisation, role and subscription as they are now', async (opened) => {
      const token = await opened.signIn();
      const end = new Date(opened.clock.now().getTime() + 1000);
      await setSubscription(opened, opened.shop.orgId, end);
      expect(await identifySession(opened, token)).toMatchObject({
        userId: opened.userId,
        email: opened.email,
        name: 'Jana Vogel',
        membership: {
          orgId: opened.shop.orgId,
          organisationName: 'Lumen Audio',
          role: 'admin',
          subscriptionExpiresAt: end,
        },
      });
    });

    it('are of a user without an organisation, too', async (shop) => {
      const opened = await openUser(shop, null);
      const token = await opened.signIn();
      expect((await identifySession(opened, token))?.membership).toBe(null);
    });

    it('end after 14 days without use, and go on with it', async (opened) => {
      const [used, unused] = [await opened.signIn(), await opened.signIn()];
      opened.clock.advance(13 * DAY);
      expect((await identifySession(opened, used)) === null).toBe(false);
      opened.clock.advance(1 * DAY);
      expect((await identifySession(opened, used)) === null).toBe(false);
      expect(await identifySession(opened, unused)).toBe(null);
    });

    it('end after 90 days, however much they were used', async (opened) => {
      const token = await opened.signIn();
      for (let day = 10; day <= 80; day += 10) {
        opened.clock.advance(10 * DAY);
        expect((await identifySession(opened, token)) === null).toBe(false);
      }
      opened.clock.advance(10 * DAY);
      expect(await identifySession(opened, token)).toBe(null);
    });

    it('end one by one at signing out', async (opened) => {
      const [here, there] = [await opened.signIn(), await opened.signIn()];
      await signOut(opened, here);
      expect(await identifySession(opened, here)).toBe(null);
      expect((await identifySession(opened, there)) === null).toBe(false);
    });

    it('end all at signing out everywhere, with the links that are still open', async (opened) => {
      const [here, there, link] = [await opened.signIn(), await opened.signIn(), await opened.issueToken()];
      await signOutEverywhere(opened, opened.userId);
      expect(await identifySession(opened, here)).toBe(null);
      expect(await identifySession(opened, there)).toBe(null);
      expect(await redeemSignIn(opened, link, CLIENT)).toMatchObject({ kind: 'spent' });
    });
  });

  describe('tries', () => {
    it('are counted in a window that begins with the first', async ({ stores, ids, clock }) => {
      const key = ids.next();
      const count = async () => (await stores.throttles.count(key, 1000, clock.now())).tries;
      expect([await count(), await count(), await count()]).toEqual([1, 2, 3]);
      clock.advance(999);
      expect(await count()).toBe(4);
      clock.advance(1);
      expect(await count()).toBe(1);
    });

    it('may be counted several at once, and found while their window is open', async ({
      stores,
      ids,
      clock,
    }) => {
      const [key, other] = [ids.next(), ids.next()];
      const opened = clock.now();
      await stores.throttles.count(key, 1000, opened, 3);
      await stores.throttles.count(key, 1000, opened, 4);
      clock.advance(999);
      const windowEndsAt = new Date(opened.getTime() + 1000);
      expect(await stores.throttles.find(key, clock.now())).toEqual({ tries: 7, windowEndsAt });
      expect(await stores.throttles.find(other, clock.now())).toBe(null);
      clock.advance(1);
      expect(await stores.throttles.find(key, clock.now())).toBe(null);
      expect((await stores.throttles.count(key, 1000, clock.now(), 2)).tries).toBe(2);
    });

    it('get a number each when they come at once, and each key its own', async ({ stores, ids, clock }) => {
      const [key, other] = [ids.next(), ids.next()];
      const at = clock.now();
      const counted = await Promise.all(
        Array.from({ length: 8 }, () => stores.throttles.count(key, 1000, at)),
      );
      expect(counted.map(({ tries }) => tries).sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
      expect((await stores.throttles.count(other, 1000, at)).tries).toBe(1);
    });
  });
}
