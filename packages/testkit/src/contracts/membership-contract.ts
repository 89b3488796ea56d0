import {
  addApiKey,
  changeRole,
  createUser,
  identifyCaller,
  identifySession,
  type Role,
  removeUser,
} from '@handover/domain';
import { openShop } from '../samples.ts';
import type { OpenedShop, StoresRunner } from './harness.ts';
import { openUser } from './open-user.ts';

/** The effect of joining and leaving an organisation on a user's access: the API key, sessions, open sign-ins. */
export function membershipContract({ describe, it, expect }: StoresRunner): void {
  describe('a user who leaves', () => {
    it('has another API key, no session and no sign-in that works', async (fresh) => {
      const { opened, editor, held, userId } = await openMember(fresh);
      expect(await removeUser(opened, editor, userId, 'admin')).toEqual({ kind: 'removed' });
      expect(await held.stillWorks()).toEqual([]);
      expect((await opened.users.findKey(userId)) === null).toBe(false);
    });

    it('keeps everything when the removal is refused', async (fresh) => {
      const { opened, editor, held, userId } = await openMember(fresh, 'owner');
      await removeUser(opened, editor, editor.userId, 'owner');
      const self = { ...editor, userId };
      expect(await removeUser(opened, self, userId, 'owner')).toEqual({ kind: 'last-owner' });
      expect(await held.stillWorks()).toEqual(['key', 'other key', 'session', 'sign-in']);
    });
  });

  describe('a user who joins', () => {
    it('from no organisation keeps the id and the name, and nothing that opened anything before', async (fresh) => {
      const { opened, held, userId, editor } = await openMember(fresh);
      await removeUser(opened, editor, userId, 'admin');
      const alone = await held.again();
      const other = await openShop(opened, 'Other');
      const membership = { orgId: other.orgId, role: 'admin' } as const;
      const joined = await createUser(opened, { email: held.email.toUpperCase(), name: 'X', membership });
      expect(joined).toMatchObject({
        kind: 'created',
        user: { id: userId, name: 'Jana Vogel', email: held.email, membership },
      });
      expect(await alone.stillWorks()).toEqual([]);
      const key = joined.kind === 'created' ? joined.apiKey : '';
      expect(await identifyCaller(opened, key)).toMatchObject({ caller: { userId, membership } });
    });

    it('is refused, with nothing changed, while a member of any organisation', async (fresh) => {
      const { opened, held, editor } = await openMember(fresh);
      const other = await openShop(opened, 'Other');
      for (const orgId of [editor.orgId, other.orgId]) {
        const membership = { orgId, role: 'owner' } as const;
        const answer = await createUser(opened, { email: held.email, name: null, membership });
        expect(answer).toEqual({ kind: 'email-taken' });
      }
      expect(await createUser(opened, { email: held.email, name: null, membership: null })).toEqual({
        kind: 'email-taken',
      });
      expect(await held.stillWorks()).toEqual(['key', 'other key', 'session', 'sign-in']);
    });

    it('joins one of two organisations that add the same user at once', async (fresh) => {
      const { opened, held, userId, editor } = await openMember(fresh);
      await removeUser(opened, editor, userId, 'admin');
      const other = await openShop(opened, 'Other');
      const answers = await Promise.all(
        [editor.orgId, other.orgId].map((orgId) =>
          createUser(opened, { email: held.email, name: null, membership: { orgId, role: 'member' } }),
        ),
      );
      expect(answers.map(({ kind }) => kind).sort()).toEqual(['created', 'email-taken']);
    });
  });

  describe('a user whose role changes', () => {
    it('keeps the session and the key, which have the new role at once', async (fresh) => {
      const { opened, editor, held, userId } = await openMember(fresh);
      expect(await changeRole(opened, editor, userId, { from: 'admin', to: 'member' })).toMatchObject({
        kind: 'changed',
      });
      expect((await identifySession(opened, held.session))?.membership?.role).toBe('member');
      expect(await identifyCaller(opened, held.key)).toMatchObject({
        caller: { membership: { role: 'member' } },
      });
    });
  });
}

async function openMember(opened: OpenedShop, role: Role = 'admin') {
  const user = await openUser(opened, role);
  const { email, userId } = user;
  /** Records the present access of the user, and tells later which of it still works. */
  const hold = async () => {
    const stored = await opened.users.findKey(userId);
    const key = stored ? opened.apiKeys.reveal(stored) : '';
    const name = opened.ids.next();
    const added = await addApiKey(opened, userId, { name, lifetimeDays: '', scopes: null });
    const otherKey = added.kind === 'added' ? added.apiKey : '';
    const session = await user.signIn();
    const signIn = await user.issueToken();
    return {
      email,
      key,
      session,
      again: hold,
      stillWorks: async () => [
        ...((await identifyCaller(opened, key)).kind === 'identified' ? ['key'] : []),
        ...((await identifyCaller(opened, otherKey)).kind === 'identified' ? ['other key'] : []),
        ...((await identifySession(opened, session)) ? ['session'] : []),
        ...((await user.redeem(signIn)) ? ['sign-in'] : []),
      ],
    };
  };
  const editor = { orgId: opened.shop.orgId, userId: opened.shop.ownerId };
  return { opened, editor, userId, held: await hold() };
}
