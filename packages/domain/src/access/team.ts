import { mayGiveRoles } from '../model/invitation.ts';
import type { Role, StoredApiKey, TeamMember } from '../model/user.ts';
import type { Team } from '../ports/access.ts';

/** Who changes the team, and for which organisation. */
export interface TeamEditor {
  readonly orgId: string;
  readonly role: Role;
}

/** Why somebody’s role or membership stays as it is. */
export type TeamRefusal =
  /** Only an owner may add an owner, or change or remove one. */
  | { readonly kind: 'not-allowed' }
  /** Somebody must be left who may do everything. */
  | { readonly kind: 'last-owner' }
  | { readonly kind: 'unknown-user' };

type ChangeRoleResult = { readonly kind: 'changed'; readonly member: TeamMember } | TeamRefusal;

/** Gives a member another role. What the member is doing at this moment is checked by the new one. */
export async function changeRole(
  { team }: { readonly team: Team },
  editor: TeamEditor,
  userId: string,
  role: Role,
): Promise<ChangeRoleResult> {
  const found = await findEditable(team, editor, userId, [role]);
  if (found.kind !== 'editable') return found;
  const { member } = found;
  const outcome = await team.setRole(editor.orgId, userId, { from: member.role, to: role });
  return outcome === 'set' ? { kind: 'changed', member: { ...member, role } } : { kind: outcome };
}

type RemoveUserResult = { readonly kind: 'removed' } | TeamRefusal;

/**
 * Takes somebody out of the organisation: nothing that they hold opens anything of it from then on. They remain a user,
 * and what they did stays.
 */
export async function removeUser(
  { team, apiKeys }: { readonly team: Team; readonly apiKeys: { mint(): { readonly stored: StoredApiKey } } },
  editor: TeamEditor,
  userId: string,
): Promise<RemoveUserResult> {
  const found = await findEditable(team, editor, userId, []);
  if (found.kind !== 'editable') return found;
  const leaving = { from: found.member.role, key: apiKeys.mint().stored };
  return { kind: await team.remove(editor.orgId, userId, leaving) };
}

/** Takes oneself out of the organisation, as `removeUser` does, in any role. */
export async function leaveOrganisation(
  { team, apiKeys }: { readonly team: Team; readonly apiKeys: { mint(): { readonly stored: StoredApiKey } } },
  { orgId, role, userId }: TeamEditor & { readonly userId: string },
): Promise<RemoveUserResult> {
  return { kind: await team.remove(orgId, userId, { from: role, key: apiKeys.mint().stored }) };
}

async function findEditable(
  team: Team,
  editor: TeamEditor,
  userId: string,
  given: readonly Role[],
): Promise<{ readonly kind: 'editable'; readonly member: TeamMember } | TeamRefusal> {
  const member = await team.find(editor.orgId, userId);
  if (!member) return { kind: 'unknown-user' };
  return mayGiveRoles(editor.role, [member.role, ...given])
    ? { kind: 'editable', member }
    : { kind: 'not-allowed' };
}
