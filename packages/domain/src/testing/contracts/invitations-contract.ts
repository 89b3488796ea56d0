import { acceptInvitation, lookAtInvitation } from '../../access/accept-invitation.ts';
import { createUser } from '../../access/create-organisation.ts';
import { identifyCaller } from '../../access/identify-caller.ts';
import { identifySession } from '../../access/identify-session.ts';
import { resendInvitation, withdrawInvitation } from '../../access/invite-user.ts';
import { setSubscription } from '../../access/set-subscription.ts';
import { changeRole, removeUser } from '../../access/team.ts';
import { claimEmail } from '../complete-emails.ts';
import type { TestRunner } from '../runner.ts';
import { openShop } from '../samples.ts';
import type { CreateStores } from './harness.ts';
import { openFreshShop } from './harness.ts';
import { DAY, HOUR, invitationJobs, openInviter } from './invite.ts';

/** Asking somebody to join an organisation, and that person's answer. */
export function invitationsContract({ describe, it, expect }: TestRunner, createStores: CreateStores): void {
  const open = async () => openInviter(await openFreshShop(createStores));

  describe('an invitation', () => {
    it('makes nobody a member before it is accepted, and answers alike for any address', async () => {
      const it = await open();
      const other = await openShop(it.opened, 'Other');
      const membership = { orgId: other.orgId, role: 'owner' } as const;
      await createUser(it.ports, { email: 'elsewhere@example.com', name: null, membership });
      await createUser(it.ports, { email: 'nowhere@example.com', name: null, membership: null });
      for (const email of ['elsewhere@example.com', 'nowhere@example.com', 'unknown@example.com']) {
        expect(await it.invite(email)).toMatchObject({ kind: 'invited', invitation: { email } });
      }
      expect(await it.ports.team.list(it.orgId)).toHaveLength(1);
      const listed = await it.ports.invitations.list(it.orgId);
      const { length } = listed.filter(
        ({ mail, inviter }) => mail.status === 'pending' && inviter === it.inviterName,
      );
      expect(length).toBe(3);
      expect(await invitationJobs(it)).toHaveLength(3);
    });

    it('is one of an organisation and address, however it is spelt and however many come at once', async () => {
      const it = await open();
      const answers = await Promise.all(
        ['jo@example.com', 'JO@Example.com'].map((email) => it.invite(email)),
      );
      expect(answers.map(({ kind }) => kind).sort()).toEqual(['already-invited', 'invited']);
      expect(await it.ports.invitations.list(it.orgId)).toHaveLength(1);
      expect(await invitationJobs(it)).toHaveLength(1);
      const other = await openInviter(it.opened, await openShop(it.opened, 'Other'));
      expect((await other.invite('jo@example.com')).kind).toBe('invited');
    });

    it('is not for a member of the organisation', async () => {
      const it = await open();
      expect(await it.invite(it.inviterEmail.toUpperCase())).toEqual({ kind: 'already-member' });
    });

    it('of another organisation is nobody to see, send or withdraw', async () => {
      const it = await open();
      const id = await it.invited('jo@example.com');
      const other = await openShop(it.opened, 'Other');
      const stranger = { orgId: other.orgId, userId: it.inviter.userId, role: 'owner' } as const;
      for (const invitationId of [id, 'nonsense', it.opened.ids.next()]) {
        expect(await it.ports.invitations.find(other.orgId, invitationId)).toBe(null);
        expect(await resendInvitation(it.ports, stranger, invitationId)).toEqual({ kind: 'unknown' });
        expect(await withdrawInvitation(it.ports, stranger, invitationId)).toEqual({ kind: 'unknown' });
        expect((await claimEmail(it.ports, other.orgId, invitationId, it.opened.clock.now())).kind).toBe(
          'completed',
        );
      }
      expect(await it.ports.invitations.list(other.orgId)).toEqual([]);
      expect(await it.look(id)).toMatchObject({ kind: 'open' });
    });

    it('is sent three times an hour at most, and lasts seven days from the last time', async () => {
      const it = await open();
      const id = await it.invited('jo@example.com');
      it.opened.clock.advance(6 * DAY);
      expect(await resendInvitation(it.ports, it.inviter, id)).toEqual({ kind: 'resent' });
      it.opened.clock.advance(7 * DAY - 1);
      expect(await it.look(id)).toMatchObject({ kind: 'open' });
      it.opened.clock.advance(1);
      expect(await it.look(id)).toMatchObject({ kind: 'expired' });
      expect(await it.accept(id)).toMatchObject({ kind: 'expired' });
      for (let sent = 0; sent < 3; sent += 1) {
        expect(await resendInvitation(it.ports, it.inviter, id)).toEqual({ kind: 'resent' });
      }
      expect((await resendInvitation(it.ports, it.inviter, id)).kind).toBe('too-often');
      it.opened.clock.advance(HOUR);
      expect(await resendInvitation(it.ports, it.inviter, id)).toEqual({ kind: 'resent' });
      expect(await it.look(id)).toMatchObject({ kind: 'open' });
    });

    it('that has expired gives way to another', async () => {
      const it = await open();
      const id = await it.invited('jo@example.com');
      it.opened.clock.advance(7 * DAY);
      const next = await it.invited('jo@example.com', 'admin');
      expect(await it.look(id)).toEqual({ kind: 'gone' });
      expect(await it.look(next)).toMatchObject({ kind: 'open', record: { role: 'admin' } });
    });

    it('that is withdrawn is gone, and may be made anew', async () => {
      const it = await open();
      const id = await it.invited('jo@example.com');
      expect(await withdrawInvitation(it.ports, it.inviter, id)).toEqual({ kind: 'withdrawn' });
      expect(await withdrawInvitation(it.ports, it.inviter, id)).toEqual({ kind: 'unknown' });
      expect(await it.accept(id)).toEqual({ kind: 'gone' });
      expect((await it.invite('jo@example.com')).kind).toBe('invited');
    });

    it('to an owner is an owner’s to make, send and withdraw', async () => {
      const it = await open();
      const id = await it.invited('jo@example.com', 'owner');
      const admin = { ...it.inviter, role: 'admin' } as const;
      expect(await it.invite('a@example.com', 'owner', admin)).toEqual({ kind: 'not-allowed' });
      expect(await resendInvitation(it.ports, admin, id)).toEqual({ kind: 'not-allowed' });
      expect(await withdrawInvitation(it.ports, admin, id)).toEqual({ kind: 'not-allowed' });
      expect(await it.invite('a@example.com', 'member', { ...admin, role: 'member' })).toEqual({
        kind: 'not-allowed',
      });
    });

    it('is withdrawn when its inviter may no longer give its role, and not made by one who may not', async () => {
      const it = await open();
      const second = await it.addMember('b@example.com', 'owner');
      const toOwner = await it.invited('o@example.com', 'owner', second);
      const toAdmin = await it.invited('a@example.com', 'admin', second);
      expect((await changeRole(it.ports, it.inviter, second.userId, 'admin')).kind).toBe('changed');
      expect(await it.look(toOwner)).toEqual({ kind: 'gone' });
      expect(await it.look(toAdmin)).toMatchObject({ kind: 'open' });
      // A page from before says owner still.
      expect(await it.invite('x@example.com', 'owner', second)).toEqual({ kind: 'not-allowed' });
      expect((await removeUser(it.ports, it.inviter, second.userId)).kind).toBe('removed');
      expect(await it.look(toAdmin)).toEqual({ kind: 'gone' });
      expect(await it.invite('x@example.com', 'member', second)).toEqual({ kind: 'not-allowed' });
    });
  });

  describe('accepting an invitation', () => {
    it('makes a new user a member, signed in, and is written down', async () => {
      const it = await open();
      const id = await it.invited('Jo@example.com', 'admin');
      const accepted = await it.accept(id);
      const token = accepted.kind === 'accepted' ? accepted.sessionToken : '';
      const membership = { orgId: it.orgId, role: 'admin' };
      expect(await identifySession(it.ports, token)).toMatchObject({
        email: 'Jo@example.com',
        name: 'Jo',
        membership,
      });
      expect(await it.ports.invitations.list(it.orgId)).toEqual([]);
      const [entry] = await it.ports.activity.list(it.orgId, { subjectId: null, before: null, limit: 1 });
      expect(entry).toMatchObject({
        kind: 'team-changed',
        actor: 'Jo@example.com',
        via: 'dashboard',
        viaDetail: 'Firefox on Linux, 203.0.113.0/24',
        summary: 'Jo (Jo@example.com) accepted the invitation and joined as admin.',
      });
      expect(await it.look(id)).toMatchObject({ kind: 'already-member' });
    });

    it('gives a user of no organisation another API key', async () => {
      const it = await open();
      const before = await createUser(it.ports, {
        email: 'jo@example.com',
        name: 'Johanna',
        membership: null,
      });
      const [userId, key] = before.kind === 'created' ? [before.user.id, before.apiKey] : ['', ''];
      const accepted = await it.accept(await it.invited('jo@example.com'));
      const token = accepted.kind === 'accepted' ? accepted.sessionToken : '';
      expect(await identifyCaller(it.ports, key)).toBe(null);
      expect(await identifySession(it.ports, token)).toMatchObject({ userId, name: 'Johanna' });
    });

    it('happens once when two buttons are pressed at once', async () => {
      const it = await open();
      const id = await it.invited('jo@example.com');
      const answers = await Promise.all([it.accept(id), it.accept(id), it.accept(id)]);
      expect(answers.map(({ kind }) => kind).sort()).toEqual([
        'accepted',
        'already-member',
        'already-member',
      ]);
      expect(await it.ports.team.list(it.orgId)).toHaveLength(2);
    });

    it('either happens or not when it is withdrawn at the same moment', async () => {
      const it = await open();
      const id = await it.invited('jo@example.com');
      const [accepted, withdrawn] = await Promise.all([
        it.accept(id),
        withdrawInvitation(it.ports, it.inviter, id),
      ]);
      const isAccepted = accepted.kind === 'accepted';
      expect([accepted.kind, withdrawn.kind]).toEqual(
        isAccepted ? ['accepted', 'unknown'] : ['gone', 'withdrawn'],
      );
      expect(await it.ports.team.list(it.orgId)).toHaveLength(isAccepted ? 2 : 1);
    });

    it('of two organisations at once joins one, and tells the person of the other', async () => {
      const it = await open();
      const other = await openInviter(it.opened, await openShop(it.opened, 'Other'));
      await createUser(it.ports, { email: 'jo@example.com', name: null, membership: null });
      const [here, there] = [await it.invited('jo@example.com'), await other.invited('jo@example.com')];
      const answers = await Promise.all([it.accept(here), other.accept(there)]);
      expect(answers.map(({ kind }) => kind).sort()).toEqual(['accepted', 'member-elsewhere']);
    });

    it('waits while the person is a member elsewhere, and until then changes nothing', async () => {
      const it = await open();
      const other = await openInviter(it.opened, await openShop(it.opened, 'Other'));
      const jo = await other.addMember('jo@example.com', 'member');
      const id = await it.invited('jo@example.com');
      expect(await it.accept(id)).toMatchObject({ kind: 'member-elsewhere', elsewhere: 'Other' });
      expect(await it.ports.team.find(other.orgId, jo.userId)).toMatchObject({ role: 'member' });
      await removeUser(it.ports, other.inviter, jo.userId);
      expect((await it.accept(id)).kind).toBe('accepted');
    });

    it('waits while the subscription has expired', async () => {
      const it = await open();
      const id = await it.invited('jo@example.com');
      await setSubscription(it.ports, it.orgId, it.opened.clock.now());
      expect(await it.accept(id)).toMatchObject({ kind: 'subscription-expired' });
      await setSubscription(it.ports, it.orgId, null);
      expect((await it.accept(id)).kind).toBe('accepted');
    });

    it('is done by being added in another way', async () => {
      const it = await open();
      const id = await it.invited('jo@example.com');
      await it.addMember('jo@example.com', 'admin');
      expect(await it.ports.invitations.list(it.orgId)).toEqual([]);
      expect(await it.accept(id)).toMatchObject({ kind: 'already-member' });
    });

    it('cannot be done twice: anyone who was removed since is not let in again', async () => {
      const it = await open();
      const id = await it.invited('jo@example.com');
      await it.accept(id);
      const [jo] = (await it.ports.team.list(it.orgId)).filter(({ email }) => email === 'jo@example.com');
      await removeUser(it.ports, it.inviter, jo?.id ?? '');
      expect(await it.look(id)).toEqual({ kind: 'gone' });
      expect(await it.accept(id)).toEqual({ kind: 'gone' });
      expect(await lookAtInvitation(it.ports, 'nonsense')).toEqual({ kind: 'gone' });
      expect(await acceptInvitation(it.ports, 'nonsense', 'another program')).toEqual({ kind: 'gone' });
    });
  });
}
