import {
  identifySession,
  MAX_OPEN_SIGN_INS,
  MAX_SESSIONS_PER_LINK,
  MAX_SESSIONS_PER_USER,
  SESSION_PAUSE_MS,
} from '@handover/domain';
import { collect, type OpenedShop, type StoresRunner } from './harness.ts';
import { openUser } from './open-user.ts';
import { beginDownload, completeDownload, sell } from './shop-actions.ts';

/** The maximum number of download sessions of a link, and of sessions and sign-ins of a user. */
export function sessionBoundsContract({ describe, it, expect }: StoresRunner): void {
  describe('the sessions of one link', () => {
    it('are never more than the limit; beyond it the latest is joined, though it is completed', async (opened) => {
      const link = await openLink(opened);
      for (let count = 1; count < MAX_SESSIONS_PER_LINK; count += 1) {
        await link.begin();
        link.clock.advance(SESSION_PAUSE_MS + 1);
      }
      // Each request has the id of a new session, and all of them arrive at the same moment.
      const [last, ...others] = new Set(await Promise.all(Array.from({ length: 8 }, () => link.begin())));
      expect(others).toEqual([]);
      await link.complete();
      const latecomers = await Promise.all(Array.from({ length: 8 }, () => link.begin()));
      link.clock.advance(2 * SESSION_PAUSE_MS);
      latecomers.push(await link.begin());
      expect([...new Set(latecomers)]).toEqual([last]);
      expect(await link.count()).toBe(MAX_SESSIONS_PER_LINK);
    });

    it('are begun for any other link all the same', async (opened) => {
      const link = await openLink(opened);
      for (let count = 0; count < MAX_SESSIONS_PER_LINK; count += 1) {
        await link.begin();
        await link.complete();
      }
      const other = await sell(link, { newCustomer: { name: 'Bea', email: 'bea@example.com' } });
      await link.begin(other.linkId);
      expect(await link.count()).toBe(MAX_SESSIONS_PER_LINK + 1);
    });
  });

  describe('the sessions of one user', () => {
    it('are never more than the limit; one more ends the oldest', async (opened) => {
      const user = await openUserAlone(opened);
      const first = await user.signIn();
      user.clock.advance(1000);
      const second = await user.signIn();
      for (let count = 2; count < MAX_SESSIONS_PER_USER; count += 1) {
        user.clock.advance(1000);
        await user.signIn();
      }
      expect(await user.isSignedIn(first)).toBe(true);
      user.clock.advance(1000);
      const newest = await user.signIn();
      expect(await user.isSignedIn(first)).toBe(false);
      expect(await user.isSignedIn(second)).toBe(true);
      expect(await user.isSignedIn(newest)).toBe(true);
    });

    it('stay within the limit when many begin at once', async (opened) => {
      const user = await openUserAlone(opened);
      const tokens: string[] = [];
      while (tokens.length < MAX_SESSIONS_PER_USER) tokens.push(await user.signIn());
      user.clock.advance(1000);
      const links = await Promise.all(Array.from({ length: 8 }, () => user.issueToken()));
      tokens.push(...(await Promise.all(links.map((link) => user.redeem(link)))));
      const open = await Promise.all(tokens.map((token) => user.isSignedIn(token)));
      expect(open.filter(Boolean)).toHaveLength(MAX_SESSIONS_PER_USER);
      expect(open.slice(-8)).toEqual(Array.from({ length: 8 }, () => true));
    });
  });

  describe('the open sign-ins of one user', () => {
    it('are never more than the limit; the newest work', async (opened) => {
      const user = await openUserAlone(opened);
      const links: string[] = [];
      for (let count = 0; count <= MAX_OPEN_SIGN_INS; count += 1) {
        links.push(await user.issueToken());
        user.clock.advance(1000);
      }
      const [first = '', second = ''] = links;
      expect(await user.redeem(first)).toBe('');
      expect(await user.isSignedIn(await user.redeem(second))).toBe(true);
    });
  });
}

async function openLink(opened: OpenedShop) {
  const { sessions, shop, clock, ids } = opened;
  const { linkId: ownLinkId } = await sell(opened);
  const since = clock.now();
  return {
    ...opened,
    begin: (linkId = ownLinkId) => beginDownload(opened, linkId, ids.next()),
    complete: () => completeDownload(opened, ownLinkId, null),
    count: async () => {
      const until = new Date(clock.now().getTime() + 1);
      return (await collect(sessions.list(shop.orgId, { from: since, until }))).length;
    },
  };
}

async function openUserAlone(opened: OpenedShop) {
  const user = await openUser(opened);
  return {
    ...user,
    isSignedIn: async (token: string) => (await identifySession(user, token)) !== null,
  };
}
