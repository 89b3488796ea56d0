import type { TeamRefusal } from '../model/team-change.ts';
import type { Role, StoredApiKey } from '../model/user.ts';
import type { Team } from '../ports/access.ts';

/** The user who changes the team of an organisation. Whether the user may do so is decided with the change. */
export interface TeamEditor {
  readonly orgId: string;
  readonly userId: string;
}

type ChangeRoleResult = { readonly kind: 'changed' | TeamRefusal };

/**
 * Changes the role of a member whose role is still `from`. Every later check uses the new role, also within a request in
 * progress.
 */
export async function changeRole(
  { team }: { readonly team: Pick<Team, 'setRole'> },
  { orgId, userId: by }: TeamEditor,
  userId: string,
  role: { readonly from: Role; readonly to: Role },
): Promise<ChangeRoleResult> {
  const outcome = await team.setRole(orgId, userId, { by, ...role });
  return { kind: outcome === 'set' ? 'changed' : outcome };
}

type RemoveUserResult = { readonly kind: 'removed' | TeamRefusal };

/**
 * Removes a member whose role is still `from` from the organisation: none of the member's keys, sessions and links gives
 * access to it any more. The member remains a user. Members may remove themselves.
 */
export async function removeUser(
  {
    team,
    apiKeys,
  }: { readonly team: Pick<Team, 'remove'>; readonly apiKeys: { mint(): { readonly stored: StoredApiKey } } },
  { orgId, userId: by }: TeamEditor,
  userId: string,
  from: Role,
): Promise<RemoveUserResult> {
  return { kind: await team.remove(orgId, userId, { by, from, key: apiKeys.mint().stored }) };
}
