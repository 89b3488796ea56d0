import {
  acceptInvitation,
  changeRole,
  createUser,
  identifyCaller,
  identifySession,
  lookAtInvitation,
  removeUser,
  resendInvitation,
  setSubscription,
  withdrawInvitation,
} from '@handover/domain';
import { claimEmail } from '../complete-emails.ts';
import { prepare } from '../runner.ts';
import { openShop } from '../samples.ts';
import type { StoresRunner } from './harness.ts';
import { DAY, HOUR, invitationJobs, openInviter } from './invite.ts';

/** Invitations to join an organisation, and their acceptance. */
export function invitationsContract(runner: StoresRunner): void {
  const { describe, it, expect } = prepare(runner, openInviter);

  describe('an invitation', () => {
    it('makes nobody a member before it is accepted, and gives the same answer for any address', async (opened) => {
      const other = await openShop(opened, 'Other');
      const membership = { orgId: other.orgId, role: 'owner' } as const;
      await createUser(opened, { email: 'elsewhere@example.com', name: null, membership });
      await createUser(opened, { email: 'nowhere@example.com', name: null, membership: null });
      for (const email of ['elsewhere@example.com', 'nowhere@example.com', 'unknown@example.com']) {
        expect(await opened.invite(email)).toMatchObject({ kind: 'invited', invitation: { email } });
      }
      expect(await opened.team.list(opened.orgId)).toHaveLength(1);
      const listed = await opened.invitations.list(opened.orgId);
      const { length } = listed.filter(
        ({ mail, inviter }) => mail.status === 'pending' && inviter === opened.inviterName,
      );
      expect(length).toBe(3);
      expect(await invitationJobs(opened)).toHaveLength(3);
    });

    it('is one of an organisation and address, however it is spelt and however many come at once', async (opened) => {
      const answers = await Promise.all(
        ['jo@example.com', 'JO@Example.com'].map((email) => opened.invite(email)),
      );
      expect(answers.map(({ kind }) => kind).sort()).toEqual(['already-invited', 'invited']);
      expect(await opened.invitations.list(opened.orgId)).toHaveLength(1);
      expect(await invitationJobs(opened)).toHaveLength(1);
      const other = await openInviter(opened, await openShop(opened, 'Other'));
      expect((await other.invite('jo@example.com')).kind).toBe('invited');
    });

    it('is not for a member of the organisation', async (opened) => {
      expect(await opened.invite(opened.inviterEmail.toUpperCase())).toEqual({ kind: 'already-member' });
    });

    it('of another organisation cannot be seen, sent or withdrawn', async (opened) => {
      const id = await opened.invited('jo@example.com');
      const other = await openShop(opened, 'Other');
      const stranger = { orgId: other.orgId, userId: opened.inviter.userId, role: 'owner' } as const;
      for (const invitationId of [id, 'nonsense', opened.ids.next()]) {
        expect(await opened.invitations.find(other.orgId, invitationId)).toBe(null);
        expect(await resendInvitation(opened, stranger, invitationId)).toEqual({ kind: 'unknown' });
        expect(await withdrawInvitation(opened, stranger, invitationId)).toEqual({ kind: 'unknown' });
        expect((await claimEmail(opened, other.orgId, invitationId, opened.clock.now())).kind).toBe(
          'not-pending',
        );
      }
      expect(await opened.invitations.list(other.orgId)).toEqual([]);
      expect(await opened.look(id)).toMatchObject({ kind: 'open' });
    });

    it('is sent three times an hour at most, and lasts seven days from the last time', async (opened) => {
      const id = await opened.invited('jo@example.com');
      opened.clock.advance(6 * DAY);
      expect(await resendInvitation(opened, opened.inviter, id)).toEqual({ kind: 'resent' });
      opened.clock.advance(7 * DAY - 1);
      expect(await opened.look(id)).toMatchObject({ kind: 'open' });
      opened.clock.advance(1);
      expect(await opened.look(id)).toMatchObject({ kind: 'expired' });
      expect(await opened.accept(id)).toMatchObject({ kind: 'expired' });
      for (let sent = 0; sent < 3; sent += 1) {
        expect(await resendInvitation(opened, opened.inviter, id)).toEqual({ kind: 'resent' });
      }
      expect((await resendInvitation(opened, opened.inviter, id)).kind).toBe('too-often');
      opened.clock.advance(HOUR);
      expect(await resendInvitation(opened, opened.inviter, id)).toEqual({ kind: 'resent' });
      expect(await opened.look(id)).toMatchObject({ kind: 'open' });
    });

    it('that has expired is replaced by another', async (opened) => {
      const id = await opened.invited('jo@example.com');
      opened.clock.advance(7 * DAY);
      const next = await opened.invited('jo@example.com', 'admin');
      expect(await opened.look(id)).toEqual({ kind: 'gone' });
      expect(await opened.look(next)).toMatchObject({ kind: 'open', record: { role: 'admin' } });
    });

    it('that is withdrawn does not exist any more, and can be made again', async (opened) => {
      const id = await opened.invited('jo@example.com');
      expect(await withdrawInvitation(opened, opened.inviter, id)).toEqual({ kind: 'withdrawn' });
      expect(await withdrawInvitation(opened, opened.inviter, id)).toEqual({ kind: 'unknown' });
      expect(await opened.accept(id)).toEqual({ kind: 'gone' });
      expect((await opened.invite('jo@example.com')).kind).toBe('invited');
    });

    it('to become an owner can be made, sent and withdrawn by owners only', async (opened) => {
      const id = await opened.invited('jo@example.com', 'owner');
      const admin = { ...opened.inviter, role: 'admin' } as const;
      expect(await opened.invite('a@example.com', 'owner', admin)).toEqual({ kind: 'not-allowed' });
      expect(await resendInvitation(opened, admin, id)).toEqual({ kind: 'not-allowed' });
      expect(await withdrawInvitation(opened, admin, id)).toEqual({ kind: 'not-allowed' });
      expect(await opened.invite('a@example.com', 'member', { ...admin, role: 'member' })).toEqual({
        kind: 'not-allowed',
      });
    });

    it('is withdrawn when its inviter may no longer give its role, and not made by one who may not', async (opened) => {
      const second = await opened.addMember('b@example.com', 'owner');
      const toOwner = await opened.invited('o@example.com', 'owner', second);
      const toAdmin = await opened.invited('a@example.com', 'admin', second);
      expect(
        (await changeRole(opened, opened.inviter, second.userId, { from: 'owner', to: 'admin' })).kind,
      ).toBe('changed');
      expect(await opened.look(toOwner)).toEqual({ kind: 'gone' });
      expect(await opened.look(toAdmin)).toMatchObject({ kind: 'open' });
      // A page from before the change still offers the role.
      expect(await opened.invite('x@example.com', 'owner', second)).toEqual({ kind: 'not-allowed' });
      expect((await removeUser(opened, opened.inviter, second.userId, 'admin')).kind).toBe('removed');
      expect(await opened.look(toAdmin)).toEqual({ kind: 'gone' });
      expect(await opened.invite('x@example.com', 'member', second)).toEqual({ kind: 'not-allowed' });
    });
  });

  describe('accepting an invitation', () => {
    it('makes a new user a member, signed in, and is written down', async (opened) => {
      const id = await opened.invited('Jo@example.com', 'admin');
      const accepted = await opened.accept(id);
      const token = accepted.kind === 'accepted' ? accepted.sessionToken : '';
      const membership = { orgId: opened.orgId, role: 'admin' };
      expect(await identifySession(opened, token)).toMatchObject({
        email: 'Jo@example.com',
        name: 'Jo',
        membership,
      });
      expect(await opened.invitations.list(opened.orgId)).toEqual([]);
      const [entry] = await opened.activity.list(opened.orgId, {
        subjectId: null,
        before: null,
        limit: 1,
      });
      expect(entry).toMatchObject({
        kind: 'team-changed',
        actor: 'Jo@example.com',
        via: 'dashboard',
        viaDetail: 'Firefox on Linux, 203.0.113.0/24',
        summary: 'Jo (Jo@example.com) accepted the invitation and joined as admin.',
      });
      expect(await opened.look(id)).toMatchObject({ kind: 'already-member' });
    });

    it('gives a user of no organisation another API key', async (opened) => {
      const before = await createUser(opened, {
        email: 'jo@example.com',
        name: 'Johanna',
        membership: null,
      });
      const [userId, key] = before.kind === 'created' ? [before.user.id, before.apiKey] : ['', ''];
      const accepted = await opened.accept(await opened.invited('jo@example.com'));
      const token = accepted.kind === 'accepted' ? accepted.sessionToken : '';
      expect(await identifyCaller(opened, key)).toEqual({ kind: 'unknown' });
      expect(await identifySession(opened, token)).toMatchObject({ userId, name: 'Johanna' });
    });

    it('happens once when two buttons are pressed at once', async (opened) => {
      const id = await opened.invited('jo@example.com');
      const answers = await Promise.all([opened.accept(id), opened.accept(id), opened.accept(id)]);
      expect(answers.map(({ kind }) => kind).sort()).toEqual([
        'accepted',
        'already-member',
        'already-member',
      ]);
      expect(await opened.team.list(opened.orgId)).toHaveLength(2);
    });

    it('either happens or not when it is withdrawn at the same moment', async (opened) => {
      const id = await opened.invited('jo@example.com');
      const [accepted, withdrawn] = await Promise.all([
        opened.accept(id),
        withdrawInvitation(opened, opened.inviter, id),
      ]);
      const isAccepted = accepted.kind === 'accepted';
      expect([accepted.kind, withdrawn.kind]).toEqual(
        isAccepted ? ['accepted', 'unknown'] : ['gone', 'withdrawn'],
      );
      expect(await opened.team.list(opened.orgId)).toHaveLength(isAccepted ? 2 : 1);
    });

    it('of two organisations at once lets the user join one, and names it when the other is refused', async (opened) => {
      const other = await openInviter(opened, await openShop(opened, 'Other'));
      await createUser(opened, { email: 'jo@example.com', name: null, membership: null });
      const [here, there] = [await opened.invited('jo@example.com'), await other.invited('jo@example.com')];
      const answers = await Promise.all([opened.accept(here), other.accept(there)]);
      expect(answers.map(({ kind }) => kind).sort()).toEqual(['accepted', 'member-elsewhere']);
    });

    it('waits while the person is a member elsewhere, and until then changes nothing', async (opened) => {
      const other = await openInviter(opened, await openShop(opened, 'Other'));
      const jo = await other.addMember('jo@example.com', 'member');
      const id = await opened.invited('jo@example.com');
      expect(await opened.accept(id)).toMatchObject({ kind: 'member-elsewhere', elsewhere: 'Other' });
      expect(await opened.team.find(other.orgId, jo.userId)).toMatchObject({ role: 'member' });
      await removeUser(opened, other.inviter, jo.userId, 'member');
      expect((await opened.accept(id)).kind).toBe('accepted');
    });

    it('waits while the subscription has expired', async (opened) => {
      const id = await opened.invited('jo@example.com');
      await setSubscription(opened, opened.orgId, opened.clock.now());
      expect(await opened.accept(id)).toMatchObject({ kind: 'subscription-expired' });
      await setSubscription(opened, opened.orgId, null);
      expect((await opened.accept(id)).kind).toBe('accepted');
    });

    it('happens when the user is added in another way', async (opened) => {
      const id = await opened.invited('jo@example.com');
      await opened.addMember('jo@example.com', 'admin');
      expect(await opened.invitations.list(opened.orgId)).toEqual([]);
      expect(await opened.accept(id)).toMatchObject({ kind: 'already-member' });
    });

    it('cannot be done twice: anyone who was removed since is not let in again', async (opened) => {
      const id = await opened.invited('jo@example.com');
      await opened.accept(id);
      const [jo] = (await opened.team.list(opened.orgId)).filter(({ email }) => email === 'jo@example.com');
      await removeUser(opened, opened.inviter, jo?.id ?? '', 'member');
      expect(await opened.look(id)).toEqual({ kind: 'gone' });
      expect(await opened.accept(id)).toEqual({ kind: 'gone' });
      expect(await lookAtInvitation(opened, 'nonsense')).toEqual({ kind: 'gone' });
      expect(await acceptInvitation(opened, 'nonsense', 'another program')).toEqual({ kind: 'gone' });
    });
  });
}
