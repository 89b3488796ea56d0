import { SHARED_PLATFORM } from '../model/platform.ts';
import type { InvalidInput } from '../model/validation.ts';
import type { Clock, Ids } from '../ports/clock.ts';
import type { SharedSecrets } from '../ports/connections.ts';
import { readSecret } from './read-secret.ts';
import { FORMER_SECRET_LIFETIME_MS } from './set-integration-secret.ts';

/** The secrets of the shared platform that are not set in the dashboard. */
export interface SharedSecretSettings {
  /** Those of the environment. If there are any, no others count. */
  readonly secrets: readonly string[];
  /** The secret of a local trial, which counts only if there is no other. */
  readonly trialSecret?: string | null | undefined;
}

/**
 * The secrets that verify events of the shared platform, newest first: those of the environment, else those of the dashboard,
 * else that of a local trial. Empty: the platform is not connected. `seen`: see `SharedSecrets.list`.
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

/** `formerUntil`: until when the replaced secret still verifies. `known`: it is the current secret already. */
type SetSharedSecretResult =
  | { readonly kind: 'set' | 'replaced'; readonly formerUntil: Date }
  | { readonly kind: 'known' }
  | InvalidInput;

/** Sets the signing secret of the shared platform, for the operator of the service: it verifies orders of all organisations. */
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
