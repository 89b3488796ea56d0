import {
  addPasskey,
  keepPasskeyChallenge,
  runAuditedAction,
  type SignedIn,
  signInWithPasskey,
} from '@handover/domain';
import {
  challengeOf,
  registrationOptions,
  signInOptions,
  verifyRegistration,
  verifySignature,
  type WebAuthnSite,
  webAuthnSite,
} from '../../auth/web-authn.ts';
import type { HttpOptions, HttpPorts } from '../../http-ports.ts';
import {
  type Answer,
  action,
  type DashboardRoute,
  type PublicRequest,
  type UserRequest,
} from '../dashboard-route.ts';
import { readReturn } from './return-address.ts';

type Ports = Pick<HttpPorts, 'clock' | 'ids' | 'inTransaction' | 'passkeys' | 'sessionTokens' | 'throttles'>;

const SECURITY = '/dashboard/settings/security';
const FRESH = { needsFreshSignIn: true } as const;

/** Passkeys beside the mailed link. The script of the pages sends these requests, and shows their errors. */
export function passkeyRoutes(
  ports: Ports,
  { siteUrl }: Pick<HttpOptions, 'siteUrl'>,
): readonly DashboardRoute[] {
  const site = webAuthnSite(siteUrl);
  return [
    action('/passkeys/options', 'signed-in', (context) => offerRegistration(ports, site, context), FRESH),
    action('/passkeys', 'signed-in', (context, form) => add(ports, site, context, form), FRESH),
    action('/passkeys/remove', 'signed-in', (context, form) => remove(ports, context, form)),
    action('/passkeys/sign-in/options', 'anyone', (context) => offerSignIn(ports, site, context)),
    action('/passkeys/sign-in', 'anyone', (context, form) => signIn(ports, site, context, form)),
  ];
}

async function offerRegistration(
  ports: Ports,
  site: WebAuthnSite,
  { user, network }: UserRequest,
): Promise<Answer> {
  const options = await registrationOptions(site, user, await ports.passkeys.list(user.userId));
  const { challenge } = options;
  const kept = await keepPasskeyChallenge(ports, { challenge, userId: user.userId, network });
  return kept === 'kept' ? { kind: 'json', value: options } : refuse(429, TOO_OFTEN);
}

async function add(
  ports: Ports,
  site: WebAuthnSite,
  context: UserRequest,
  form: URLSearchParams,
): Promise<Answer> {
  const { user, now } = context;
  const answer = readJson(form.get('response'));
  const challenge = challengeOf(answer);
  if (challenge === null || !(await ports.passkeys.takeChallenge(challenge, user.userId, now))) {
    return refuse(400, SPENT);
  }
  const verified = await verifyRegistration(site, answer, challenge);
  if (!verified) return refuse(400, NOT_GENUINE);
  const name = form.get('name') ?? '';
  const added = await runAuditedAction(
    ports,
    context,
    (within) => addPasskey(within, name, { ...verified, userId: user.userId }),
    ({ kind }) =>
      kind === 'added' ? describe('passkey-added', user, `added the passkey “${name.trim()}”`) : null,
  );
  if (added.kind === 'invalid') return refuse(400, `The ${added.field} ${added.problem}.`);
  return { kind: 'json', value: { to: SECURITY } };
}

async function remove(ports: Ports, context: UserRequest, form: URLSearchParams): Promise<Answer> {
  const { user } = context;
  const removed = await runAuditedAction(
    ports,
    context,
    ({ passkeys }) => passkeys.remove(user.userId, form.get('passkey') ?? ''),
    (passkey) => passkey && describe('passkey-removed', user, `removed the passkey “${passkey.name}”`),
  );
  if (!removed) return { kind: 'not-found' };
  const toast = {
    title: `The passkey “${removed.name}” is removed`,
    sentence: 'It signs nobody in any more. Devices that are signed in stay so until you end them.',
  };
  return { kind: 'redirect', to: SECURITY, toast };
}

async function offerSignIn(ports: Ports, site: WebAuthnSite, { network }: PublicRequest): Promise<Answer> {
  const options = await signInOptions(site);
  const kept = await keepPasskeyChallenge(ports, { challenge: options.challenge, userId: null, network });
  return kept === 'kept' ? { kind: 'json', value: options } : refuse(429, TOO_OFTEN);
}

async function signIn(
  ports: Ports,
  site: WebAuthnSite,
  { user, sessionToken, deviceToken, client, now, addLogContext }: PublicRequest,
  form: URLSearchParams,
): Promise<Answer> {
  const answer = readJson(form.get('response'));
  const challenge = challengeOf(answer);
  if (challenge === null || !(await ports.passkeys.takeChallenge(challenge, null, now)))
    return refuse(400, SPENT);
  const passkey = await ports.passkeys.find(readId(answer));
  // A user who is signed in confirms to be that user, and no other.
  const isTheirs = passkey && (!user || user.userId === passkey.userId);
  const counter = isTheirs ? await verifySignature(site, answer, challenge, passkey) : null;
  if (!passkey || counter === null) {
    addLogContext({ reason: 'A passkey was refused.', ...(passkey && { userId: passkey.userId }) });
    return refuse(400, isTheirs === false ? OTHER_USER : NOT_GENUINE);
  }
  const returnTo = readReturn(form.get('to'));
  const presented = { session: sessionToken, device: deviceToken };
  const result = await signInWithPasskey(ports, { id: passkey.id, counter, returnTo }, client, presented);
  if (result.kind === 'refused') return refuse(400, NOT_GENUINE);
  const value = { to: returnTo ?? '/dashboard' };
  const kept = { deviceToken: result.deviceToken };
  if (result.kind === 'confirmed') return { kind: 'json', value, ...kept };
  return { kind: 'json', value, session: { begins: result.sessionToken }, ...kept };
}

const SPENT = 'This took too long, or was answered before. Try again.';
const NOT_GENUINE = 'This passkey is not known here. Use another one, or a mailed link.';
const OTHER_USER = 'This passkey is another user’s. Use one of your own, or a mailed link.';
const TOO_OFTEN = 'Too many tries. Try again in 15 minutes, or use a mailed link.';

function refuse(status: number, error: string): Answer {
  return { kind: 'json', status, value: { error } };
}

function readJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return null;
  }
}

function readId(answer: unknown): string {
  const id = typeof answer === 'object' && answer !== null && 'id' in answer ? answer.id : null;
  return typeof id === 'string' ? id : '';
}

function describe(kind: 'passkey-added' | 'passkey-removed', { userId, email }: SignedIn, what: string) {
  return { kind, subjectId: userId, summary: `${email} ${what}.` } as const;
}
