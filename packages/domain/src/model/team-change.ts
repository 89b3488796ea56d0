import { mayGiveRoles } from './invitation.ts';
import type { Role, TeamMember } from './user.ts';

/** A change of a member's role, or the removal of the member (`to` is null). */
export interface TeamChange {
  /** The id of the user who makes the change. */
  readonly by: string;
  readonly userId: string;
  /** The member's role when the change was requested. */
  readonly from: Role;
  readonly to: Role | null;
}

/** Why a change is refused. */
export type TeamRefusal =
  /** Only owners may change, add or remove owners; only owners and admins may change other members. */
  | 'not-allowed'
  /** An organisation keeps at least one owner. */
  | 'last-owner'
  /** The team has no member with that id and role now. */
  | 'unknown-user';

/**
 * Why the change is refused; null if it is allowed. `team` must contain all owners, the editor and the member. The stores
 * call this under their locks, so that of two owners who remove each other concurrently, the second is refused. Members may
 * remove themselves.
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
