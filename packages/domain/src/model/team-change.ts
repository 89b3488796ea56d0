import { mayGiveRoles } from './invitation.ts';
import type { Role, TeamMember } from './user.ts';

/** Somebody gives a member another role, or takes the member out of the organisation (`to` is null). */
export interface TeamChange {
  /** The user who does it. */
  readonly by: string;
  readonly userId: string;
  /** The role that the member had when it was asked for. */
  readonly from: Role;
  readonly to: Role | null;
}

/** Why somebody’s role or membership stays as it is. */
export type TeamRefusal =
  /** Only an owner may add an owner, or change or remove one; and only owners and admins may change anybody. */
  | 'not-allowed'
  /** Somebody must be left who may do everything. */
  | 'last-owner'
  /** The team has no member of that id and role now. */
  | 'unknown-user';

/**
 * Why the change may not happen, or null. Of the team, it takes all owners, who does it, and the member. The stores decide
 * under their locks: of two owners who remove each other at once, the second one has lost the role. Anybody may leave alone.
 */
export function refuseTeamChange(
  team: readonly Pick<TeamMember, 'id' | 'role'>[],
  { by, userId, from, to }: TeamChange,
): TeamRefusal | null {
  const member = team.find(({ id }) => id === userId);
  if (member?.role !== from) return 'unknown-user';
  const editor = team.find(({ id }) => id === by);
  const leaves = by === userId && to === null;
  if (!leaves && !(editor && mayGiveRoles(editor.role, to === null ? [from] : [from, to])))
    return 'not-allowed';
  const isLastOwner = from === 'owner' && team.filter(({ role }) => role === 'owner').length === 1;
  return isLastOwner && to !== 'owner' ? 'last-owner' : null;
}
