import {
  acceptInvitation,
  changeRole,
  createOrganisation,
  createUser,
  type Inviter,
  identifySession,
  inviteUser,
  lookAtInvitation,
  normalizeEmail,
  ROLES,
  removeUser,
  resendInvitation,
  runAuditedAction,
  withdrawInvitation,
} from '@handover/domain';
import { endAll, listCredentials } from '../world/ledger.ts';
import type { World } from '../world/open-world.ts';
import { type Action, onPicked, operate, pickRow, pickShop } from './action.ts';

const EMAILS = [
  'noor@example.com',
  'Pia@example.com',
  'pia@example.com',
  'sam@example.com',
  'zoe@example.com',
] as const;

/** Membership of an organisation: invitations, roles, and removals. */
export const TEAM_ACTIONS: readonly Action[] = [
  {
    name: 'somebody is invited',
    weight: 4,
    begin: onPicked(pickInviter, (world, inviter) => {
      const input = { email: world.random.pick(EMAILS), name: 'Noor', role: world.random.pick(ROLES) };
      return operate(world, `${input.email} is invited as ${input.role}`, (service) =>
        inviteUser(service, inviter, input),
      );
    }),
  },
  {
    name: 'an invitation is sent again',
    weight: 2,
    begin: (world) => {
      const [inviter, invitation] = [pickInviter(world), pickRow(world, world.memory.invitations.keys())];
      if (!inviter || !invitation) return null;
      return operate(world, `The invitation ${invitation} is sent again`, (service) =>
        resendInvitation(service, inviter, invitation),
      );
    },
  },
  {
    name: 'an invitation is withdrawn',
    weight: 2,
    begin: (world) => {
      const [inviter, invitation] = [pickInviter(world), pickRow(world, world.memory.invitations.keys())];
      if (!inviter || !invitation) return null;
      return operate(world, `The invitation ${invitation} is withdrawn`, (service) =>
        withdrawInvitation(service, inviter, invitation),
      );
    },
  },
  {
    name: 'an invitation is looked at',
    weight: 1,
    begin: onPicked(pickInvitation, (world, token) =>
      operate(world, `${token} is looked at`, (service) => lookAtInvitation(service, token)),
    ),
  },
  {
    name: 'an invitation is accepted',
    weight: 6,
    begin: onPicked(pickInvitation, (world, token) =>
      operate(world, `${token} is accepted`, async (service) => {
        const [, orgId = '', id = ''] = token.split('.');
        const before = world.memory.invitations.get(id);
        const { accepted, sessionTokens } = world.ledger;
        const wasOver = !before || accepted.has(id) || before.expiresAt <= service.clock.now();
        const result = await acceptInvitation(service, token, 'Firefox');
        const hash = result.kind === 'accepted' ? service.sessionTokens.hash(result.sessionToken) : null;
        const userId = world.memory.userSessions.get(hash ?? '')?.userId;
        if (result.kind === 'accepted' && userId !== undefined)
          sessionTokens.set(result.sessionToken, { userId, isOver: false });
        if (wasOver || result.kind === 'accepted') {
          const isRight =
            !wasOver && isMailedTo(world, id, result.kind === 'accepted' && result.record.email);
          const problem = result.kind === 'accepted' && !isRight ? `${id} of ${orgId}` : null;
          world.check('an invitation is accepted once, by whom it is for', problem);
        }
        if (result.kind === 'accepted') accepted.add(id);
        return result;
      }),
    ),
  },
  {
    name: 'a role changes',
    weight: 2,
    begin: (world) => {
      const [editor, user] = [pickInviter(world), pickRow(world, world.memory.users.keys())];
      if (!editor || !user) return null;
      const role = world.random.pick(ROLES);
      // As the page showed it, and for a user whom the page does not show, anything.
      const from = world.memory.users.get(user)?.membership?.role ?? 'member';
      return operate(world, `${user} becomes ${role}`, (service) =>
        changeRole(service, editor, user, { from, to: role }),
      );
    },
  },
  {
    name: 'a member is removed',
    weight: 5,
    begin: (world) => {
      const editor = pickInviter(world);
      const users = [...world.memory.users.values()];
      // Mostly a colleague, sometimes a user whom the page does not show.
      const colleagues = users.filter(({ membership }) => membership?.orgId === editor?.orgId);
      const user = pickRow(world, world.random.below(4) > 0 ? colleagues : users);
      if (!editor || !user) return null;
      return operate(world, `${user.email} is removed`, async (service) => {
        const from = user.membership?.role ?? 'member';
        const { apiKeys, sessionTokens } = world.ledger;
        const known = [apiKeys, sessionTokens].flatMap((of) => listCredentials(of, user.id));
        const result = await runAuditedAction(
          service,
          { orgId: editor.orgId, by: { actor: 'mira@example.com', via: 'dashboard' } },
          (within) => removeUser(within, editor, user.id, from),
          ({ kind }) =>
            kind === 'removed'
              ? { kind: 'team-changed', subjectId: user.id, summary: `${user.email} was removed.` }
              : null,
        );
        if (result.kind !== 'removed') return result;
        endAll(known);
        for (const [token, { userId }] of sessionTokens) {
          if (userId !== user.id || !sessionTokens.get(token)?.isOver) continue;
          const signedIn = await identifySession(service, token);
          world.check('a session that has ended serves nothing', signedIn ? token : null);
        }
        return result;
      });
    },
  },
  {
    name: 'a user is created by command line',
    weight: 1,
    begin: (world) => {
      const { orgId } = pickShop(world);
      const email = world.random.pick(EMAILS);
      const role = world.random.pick(ROLES);
      return operate(world, `${email} is created as ${role}`, async (service) => {
        const created = await createUser(service, { email, name: null, membership: { orgId, role } });
        if (created.kind === 'created')
          world.ledger.apiKeys.set(created.apiKey, { userId: created.user.id, isOver: false });
        return created;
      });
    },
  },
  {
    name: 'an organisation is created',
    weight: 1,
    begin: (world) => {
      const ownerEmail = world.random.pick(EMAILS);
      return operate(world, `An organisation of ${ownerEmail} is created`, async (service) => {
        const created = await createOrganisation(service, {
          name: 'Third Shop',
          ownerEmail,
          currency: 'eur',
        });
        if (created.kind === 'created')
          world.ledger.apiKeys.set(created.apiKey, { userId: created.owner.id, isOver: false });
        return created;
      });
    },
  },
];

/** A current member with their role: what a page knows about its user. */
function pickInviter(world: World): Inviter | undefined {
  const users = [...world.memory.users.values()];
  return pickRow(
    world,
    users.flatMap(({ id, membership }) => (membership ? [{ userId: id, ...membership }] : [])),
  );
}

function pickInvitation(world: World): string | undefined {
  const links = world.mailServer.accepted.flatMap(({ kind, links }) => (kind === 'invitation' ? links : []));
  return pickRow(world, links)?.split('/invitations/')[1];
}

/** Whether the invitation was mailed to that address, and to no other. */
function isMailedTo({ mailServer }: World, id: string, email: string | false): boolean {
  const mails = mailServer.accepted.filter(
    (mail) => mail.kind === 'invitation' && mail.links.some((link) => link.endsWith(id)),
  );
  return email !== false && mails.every(({ to }) => normalizeEmail(to) === normalizeEmail(email));
}
