import {
  addApiKey,
  changeRole,
  createUser,
  identifyCaller,
  identifySession,
  issueSignInLink,
  type Role,
  redeemSignIn,
  removeUser,
} from '@handover/domain';
import type { TestRunner } from '../runner.ts';
import { createFakeSessionTokens, createFakeSignInTokens, openShop } from '../samples.ts';
import { type CreateStores, openFreshShop } from './harness.ts';

/** What joining and leaving an organisation does to what a user holds: the API key, sessions, open sign-ins. */
export function membershipContract({ describe, it, expect }: TestRunner, createStores: CreateStores): void {
  describe('a user who leaves', () => {
    it('holds another API key, no session and no sign-in that works', async () => {
      const { ports, editor, held, userId } = await openMember(createStores);
      expect(await removeUser(ports, editor, userId)).toEqual({ kind: 'removed' });
      expect(await held.stillWorks()).toEqual([]);
      expect((await ports.users.findKey(userId)) === null).toBe(false);
    });

    it('keeps everything when the removal is refused', async () => {
      const { ports, editor, held, userId } = await openMember(createStores, 'owner');
      const [other] = (await ports.team.list(editor.orgId)).filter(({ id }) => id !== userId);
      await removeUser(ports, editor, other?.id ?? '');
      expect(await removeUser(ports, editor, userId)).toEqual({ kind: 'last-owner' });
      expect(await held.stillWorks()).toEqual(['key', 'other key', 'session', 'sign-in']);
    });
  });

  describe('a user who joins', () => {
    it('from no organisation keeps the id and the name, and nothing that opened anything before', async () => {
      const { ports, opened, held, userId, editor } = await openMember(createStores);
      await removeUser(ports, editor, userId);
      const alone = await held.again();
      const other = await openShop(opened, 'Other');
      const membership = { orgId: other.orgId, role: 'admin' } as const;
      const joined = await createUser(ports, { email: held.email.toUpperCase(), name: 'X', membership });
      expect(joined).toMatchObject({
        kind: 'created',
        user: { id: userId, name: 'Jana Vogel', email: held.email, membership },
      });
      expect(await alone.stillWorks()).toEqual([]);
      const key = joined.kind === 'created' ? joined.apiKey : '';
      expect(await identifyCaller(ports, key)).toMatchObject({ caller: { userId, membership } });
    });

    it('is refused, with nothing changed, while a member of any organisation', async () => {
      const { ports, opened, held, editor } = await openMember(createStores);
      const other = await openShop(opened, 'Other');
      for (const orgId of [editor.orgId, other.orgId]) {
        const membership = { orgId, role: 'owner' } as const;
        const answer = await createUser(ports, { email: held.email, name: null, membership });
        expect(answer).toEqual({ kind: 'email-taken' });
      }
      expect(await createUser(ports, { email: held.email, name: null, membership: null })).toEqual({
        kind: 'email-taken',
      });
      expect(await held.stillWorks()).toEqual(['key', 'other key', 'session', 'sign-in']);
    });

    it('joins one of two organisations that add the same user at once', async () => {
      const { ports, opened, held, userId, editor } = await openMember(createStores);
      await removeUser(ports, editor, userId);
      const other = await openShop(opened, 'Other');
      const answers = await Promise.all(
        [editor.orgId, other.orgId].map((orgId) =>
          createUser(ports, { email: held.email, name: null, membership: { orgId, role: 'member' } }),
        ),
      );
      expect(answers.map(({ kind }) => kind).sort()).toEqual(['created', 'email-taken']);
    });
  });

  describe('a user whose role changes', () => {
    it('keeps the session and the key, which have the new role at once', async () => {
      const { ports, editor, held, userId } = await openMember(createStores);
      expect(await changeRole(ports, editor, userId, 'member')).toMatchObject({ kind: 'changed' });
      expect((await identifySession(ports, held.session))?.membership?.role).toBe('member');
      expect(await identifyCaller(ports, held.key)).toMatchObject({
        caller: { membership: { role: 'member' } },
      });
    });
  });
}

async function openMember(createStores: CreateStores, role: Role = 'admin') {
  const opened = await openFreshShop(createStores);
  const ports = {
    ...opened,
    ...opened.stores,
    signInTokens: createFakeSignInTokens(''),
    sessionTokens: createFakeSessionTokens(),
  };
  const email = `${opened.ids.next()}@example.com`;
  const membership = { orgId: opened.shop.orgId, role };
  const created = await createUser(ports, { email, name: 'Jana Vogel', membership });
  if (created.kind !== 'created') throw new Error(created.kind);
  const userId = created.user.id;
  const issue = async () => {
    const issued = await issueSignInLink(ports, email);
    return issued.kind === 'issued' ? issued.url.slice('/dashboard/sign-in/'.length) : '';
  };
  /** What the user holds now, and which of it works later. */
  const hold = async () => {
    const stored = await ports.users.findKey(userId);
    const key = stored ? ports.apiKeys.reveal(stored) : '';
    const name = ports.ids.next();
    const added = await addApiKey(ports, userId, { name, lifetimeDays: '', scopes: null });
    const otherKey = added.kind === 'added' ? added.apiKey : '';
    const redeemed = await redeemSignIn(ports, await issue(), 'another program');
    const session = redeemed.kind === 'signed-in' ? redeemed.sessionToken : '';
    const signIn = await issue();
    return {
      email,
      key,
      session,
      again: hold,
      stillWorks: async () => [
        ...((await identifyCaller(ports, key)).kind === 'identified' ? ['key'] : []),
        ...((await identifyCaller(ports, otherKey)).kind === 'identified' ? ['other key'] : []),
        ...((await identifySession(ports, session)) ? ['session'] : []),
        ...((await redeemSignIn(ports, signIn, 'another program')).kind === 'signed-in' ? ['sign-in'] : []),
      ],
    };
  };
  const editor = { orgId: opened.shop.orgId, role: 'owner' } as const;
  return { opened, ports, editor, userId, held: await hold() };
}
