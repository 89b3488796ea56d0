import { type AuditedAction, logAction } from '../audit/run-audited-action.ts';
import type { ActivityOrigin } from '../model/activity.ts';
import { hasExpired } from '../model/organisation.ts';
import type { SignInRecord } from '../model/sign-in.ts';
import type { Clock, Ids } from '../ports/clock.ts';
import type { Stores } from '../ports/stores.ts';

/** Why somebody is not let in. */
export type SignInRefusal = 'used' | 'withdrawn' | 'expired' | 'too-often';

const HOUR_MS = 60 * 60 * 1000;
/** So many refusals of one user have an entry each within an hour; one more entry counts the rest. */
const REFUSALS_TOLD = 5;

export interface SignInLogPorts {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly inTransaction: Stores['inTransaction'];
}

/** Where a request to sign in comes from. Nobody is identified yet, so an entry names no actor until a link is used. */
export function originOf(client: string): ActivityOrigin {
  return { via: 'dashboard', viaDetail: client };
}

/** Writes down that somebody signed in, in the transaction in which the session begins. */
export async function logSignIn(
  ports: Omit<SignInLogPorts, 'inTransaction'> & Stores,
  { id, email, orgId, subscriptionExpiresAt }: SignInRecord['user'],
  client: string,
  what: 'signed in' | 'confirmed the sign-in' = 'signed in',
): Promise<void> {
  const summary = hasExpired(subscriptionExpiresAt, ports.clock.now())
    ? `${email} ${what}. The subscription has expired, so the dashboard stays closed.`
    : `${email} ${what}.`;
  const by = { actor: email, ...originOf(client) };
  await logAction(ports, { orgId, by }, { kind: 'signed-in', subjectId: id, summary });
}

/**
 * Writes down that somebody was not let in. Strangers can cause this, so that beyond a few entries in an hour one more
 * entry counts. The count locks its row until the transaction ends: the refusals of one user come one after the other.
 */
export async function logRefusedSignIn(
  ports: Omit<SignInLogPorts, 'inTransaction'> & Stores,
  { id, email, orgId }: Pick<SignInRecord['user'], 'id' | 'email' | 'orgId'>,
  refusal: SignInRefusal,
  client: string,
): Promise<void> {
  if (orgId === null) return;
  const { tries } = await ports.throttles.count(`refused sign-ins of ${id}`, HOUR_MS, ports.clock.now());
  const beyond = tries - REFUSALS_TOLD;
  const summary =
    beyond <= 0
      ? `A sign-in of ${email} was refused: ${REASONS[refusal]}.`
      : `More sign-ins of ${email} were refused within an hour: ${beyond}.`;
  const action: AuditedAction = { kind: 'sign-in-refused', subjectId: id, summary };
  if (beyond > 1) await ports.activity.rewriteNewest(orgId, action);
  else await logAction(ports, { orgId, by: beyond <= 0 ? originOf(client) : { via: 'dashboard' } }, action);
}

const REASONS: Readonly<Record<SignInRefusal, string>> = {
  used: 'the link had been used before',
  withdrawn: 'the link had been withdrawn',
  expired: 'the link had expired',
  'too-often': 'too many links were asked for',
};
