import type { Clock, Ids, Team } from '../ports.ts';
import { readEmail } from '../purchases/email.ts';
import type { InvalidInput } from '../validation.ts';
import { readName } from '../validation.ts';
import type { Role, StoredApiKey, User } from './organisation.ts';

/** Somebody of an organisation, as the team page lists him. */
export interface TeamMember {
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
  readonly role: Role;
  readonly createdAt: Date;
}

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

export type InviteUserResult =
  | { readonly kind: 'invited'; readonly member: TeamMember }
  | InvalidInput
  | { readonly kind: 'not-allowed' }
  /** Somebody of this or of another organisation has that address. */
  | { readonly kind: 'email-taken' };

/** Adds somebody to an organisation: a new user, or one who belongs to none. He signs in with a mailed link. */
export async function inviteUser(
  ports: {
    readonly clock: Clock;
    readonly ids: Ids;
    readonly team: Team;
    readonly apiKeys: { mint(): { readonly stored: StoredApiKey } };
  },
  editor: TeamEditor,
  input: { readonly email: string; readonly name: string; readonly role: Role },
): Promise<InviteUserResult> {
  const email = readEmail(input.email);
  if (email === null) return { kind: 'invalid', field: 'email', problem: 'must be an e-mail address' };
  const name = input.name.trim() === '' ? null : readName('name', input.name);
  if (name?.kind === 'invalid') return name;
  if (!mayEdit(editor.role, [input.role])) return { kind: 'not-allowed' };
  const user: User = {
    id: ports.ids.next(),
    email,
    name: name?.value ?? null,
    membership: { orgId: editor.orgId, role: input.role },
    createdAt: ports.clock.now(),
  };
  const member = await ports.team.join(user, ports.apiKeys.mint().stored);
  return member === 'email-taken' ? { kind: member } : { kind: 'invited', member };
}

export type ChangeRoleResult = { readonly kind: 'changed'; readonly member: TeamMember } | TeamRefusal;

/** Gives a member another role. */
export async function changeRole(
  { team }: { readonly team: Team },
  editor: TeamEditor,
  userId: string,
  role: Role,
): Promise<ChangeRoleResult> {
  return edit(team, editor, userId, role);
}

export type RemoveUserResult = { readonly kind: 'removed' } | TeamRefusal;

/** Takes somebody out of the organisation. He remains a user, and what he did stays. */
export async function removeUser(
  { team }: { readonly team: Team },
  editor: TeamEditor,
  userId: string,
): Promise<RemoveUserResult> {
  const edited = await edit(team, editor, userId, null);
  return edited.kind === 'changed' ? { kind: 'removed' } : edited;
}

async function edit(
  team: Team,
  editor: TeamEditor,
  userId: string,
  role: Role | null,
): Promise<ChangeRoleResult> {
  const member = await team.find(editor.orgId, userId);
  if (!member) return { kind: 'unknown-user' };
  if (!mayEdit(editor.role, role === null ? [member.role] : [member.role, role])) {
    return { kind: 'not-allowed' };
  }
  const outcome = await team.setRole(editor.orgId, userId, { from: member.role, to: role });
  return outcome === 'set'
    ? { kind: 'changed', member: { ...member, role: role ?? member.role } }
    : { kind: outcome };
}

/** Whether somebody of that role may give, change or take away the others. */
function mayEdit(editor: Role, roles: readonly Role[]): boolean {
  return editor === 'owner' || (editor === 'admin' && !roles.includes('owner'));
}
