import { type AuditedAction, logAction } from '../audit/run-audited-action.ts';
import type { ActivityOrigin } from '../model/activity.ts';
import { hasExpired } from '../model/organisation.ts';
import type { SignInRecord } from '../model/sign-in.ts';
import type { Clock, Ids } from '../ports/clock.ts';
import type { Stores } from '../ports/stores.ts';

/** Why a sign-in is refused. */
export type SignInRefusal = 'used' | 'withdrawn' | 'expired' | 'too-often';

const HOUR_MS = 60 * 60 * 1000;
/** The number of refusals of a user within an hour that have an entry each. One more entry counts the rest. */
const LOGGED_REFUSALS = 5;

export interface SignInLogPorts {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly inTransaction: Stores['inTransaction'];
}

/** The origin of a request to sign in. It has no actor: nobody is identified before the link is used. */
export function originOf(client: string): ActivityOrigin {
  return { via: 'dashboard', viaDetail: client };
}

/** Logs a sign-in, or its confirmation, in the transaction of the session. */
export async function logSignIn(
  ports: Omit<SignInLogPorts, 'inTransaction'> & Stores,
  { id, email, orgId, subscriptionExpiresAt }: SignInRecord['user'],
  client: string,
  isConfirmed: boolean,
): Promise<void> {
  const what = isConfirmed ? 'confirmed the sign-in' : 'signed in';
  const summary = hasExpired(subscriptionExpiresAt, ports.clock.now())
    ? `${email} ${what}. The subscription has expired, so the dashboard stays closed.`
    : `${email} ${what}.`;
  const by = { actor: email, ...originOf(client) };
  await logAction(ports, { orgId, by }, { kind: 'signed-in', subjectId: id, summary });
}

/**
 * Logs a refused sign-in. Strangers can cause refusals, so after `LOGGED_REFUSALS` entries within an hour one entry counts
 * the rest. The throttle locks its row until the transaction ends, so that concurrent refusals of one user are counted one
 * after the other.
 */
export async function logRefusedSignIn(
  ports: Omit<SignInLogPorts, 'inTransaction'> & Stores,
  { id, email, orgId }: Pick<SignInRecord['user'], 'id' | 'email' | 'orgId'>,
  refusal: SignInRefusal,
  client: string,
): Promise<void> {
  if (orgId === null) return;
  const { tries } = await ports.throttles.count(`refused sign-ins of ${id}`, HOUR_MS, ports.clock.now());
  const beyond = tries - LOGGED_REFUSALS;
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
