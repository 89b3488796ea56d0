import type { TeamRefusal } from '../model/team-change.ts';
import type { Role, StoredApiKey } from '../model/user.ts';
import type { Team } from '../ports/access.ts';

/** Who changes the team, and of which organisation. Whether they may is decided when it is done. */
export interface TeamEditor {
  readonly orgId: string;
  readonly userId: string;
}

type ChangeRoleResult = { readonly kind: 'changed' | TeamRefusal };

/**
 * Gives a member whose role is still `from` another one. What the member is doing at this moment is checked by the new
 * one.
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
 * Takes somebody whose role is still `from` out of the organisation: nothing that they hold opens anything of it from then on.
 * They remain a user, and what they did stays. Everybody may take themselves out.
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
