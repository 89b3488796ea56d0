import { SHARED_PLATFORM } from '../model/platform.ts';
import type { InvalidInput } from '../model/validation.ts';
import type { Clock, Ids } from '../ports/clock.ts';
import type { SharedSecrets } from '../ports/connections.ts';
import { readSecret } from './read-secret.ts';
import { FORMER_SECRET_LIFETIME_MS } from './set-integration-secret.ts';

/** The secrets of the shared platform that nobody sets at the dashboard. */
export interface SharedSecretSettings {
  /** Of the environment. If there are any, they alone count. */
  readonly secrets: readonly string[];
  /** That of a local trial, for as long as there is no other. */
  readonly trialSecret?: string | null | undefined;
}

/**
 * The secrets that verify events of the shared platform, newest first: those of the environment, else those that were
 * set at the dashboard, else that of a local trial. Empty: the platform is not connected.
 */
export async function listSharedSecrets(
  { sharedSecrets }: { readonly sharedSecrets: Pick<SharedSecrets, 'list'> },
  { secrets, trialSecret }: SharedSecretSettings,
  now: Date,
  seen?: 'newest' | 'recent',
): Promise<readonly string[]> {
  if (secrets.length > 0) return secrets;
  const set = await sharedSecrets.list(now, seen);
  if (set.length > 0) return set.map(({ secret }) => secret);
  return trialSecret ? [trialSecret] : [];
}

/** `formerUntil`: until then the secret that was replaced goes on verifying. */
type SetSharedSecretResult =
  | { readonly kind: 'set' | 'replaced'; readonly formerUntil: Date }
  | { readonly kind: 'known' }
  | InvalidInput;

/** Sets the signing secret of the shared platform. For the service's operator alone: it verifies orders of everybody. */
export async function setSharedSecret(
  ports: { readonly clock: Clock; readonly ids: Ids; readonly sharedSecrets: SharedSecrets },
  text: string,
): Promise<SetSharedSecretResult> {
  const secret = readSecret(SHARED_PLATFORM, text);
  if (secret.kind === 'invalid') return secret;
  if (!SIGNING_SECRET.test(secret.value)) {
    return {
      kind: 'invalid',
      field: 'secret',
      problem: 'must begin with whsec_: copy the signing secret of the webhook endpoint, not an API key',
    };
  }
  if (!PRINTABLE.test(secret.value)) {
    return {
      kind: 'invalid',
      field: 'secret',
      problem: 'must hold only letters, digits and signs that can be printed: copy it again',
    };
  }
  const now = ports.clock.now();
  const formerUntil = new Date(now.getTime() + FORMER_SECRET_LIFETIME_MS);
  const change = { id: ports.ids.next(), secret: secret.value, now, formerUntil };
  const outcome = await ports.sharedSecrets.replace(change);
  return outcome === 'known' ? { kind: outcome } : { kind: outcome, formerUntil };
}

const SIGNING_SECRET = /^whsec_\S+$/;
const PRINTABLE = /^[!-~]+$/;
