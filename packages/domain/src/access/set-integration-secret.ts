import { type Platform, type Platforms, SHARED_PLATFORM } from '../model/platform.ts';
import { type InvalidInput, readName } from '../model/validation.ts';
import type { Clock, Ids } from '../ports/clock.ts';
import type { Connections, SecretChange } from '../ports/connections.ts';
import { readSecret } from './read-secret.ts';

interface SecretPorts {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly connections: Connections;
  /** Left out: the six. */
  readonly platforms?: Platforms;
}

interface SecretInput {
  readonly orgId: string;
  readonly platform: Platform;
  readonly name: string;
  readonly secret: string;
}

type AddIntegrationSecretResult =
  /** `created`: there was no connection of that name. `known`: it has that secret already, and nothing changed. */
  { readonly kind: 'created' | 'added' | 'known' } | InvalidInput | { readonly kind: 'unknown-organisation' };

/** Gives a named connection one more lasting secret: one account may sign with several. */
export async function addIntegrationSecret(
  ports: SecretPorts,
  input: SecretInput,
): Promise<AddIntegrationSecretResult> {
  const named = nameSecret(ports, input);
  if (named.kind === 'invalid') return named;
  return { kind: await ports.connections.addSecret(named.value) };
}

/** How long a replaced secret goes on verifying, so that deliveries signed on the way are not lost. */
export const FORMER_SECRET_LIFETIME_MS = 24 * 60 * 60 * 1000;

/** `formerUntil`: until then a secret that was replaced goes on verifying. */
type SetIntegrationSecretResult =
  | { readonly kind: 'created' | 'replaced'; readonly formerUntil: Date }
  | InvalidInput
  | { readonly kind: 'unknown-organisation' };

/** Sets the one secret of a named connection. */
export async function setIntegrationSecret(
  ports: SecretPorts,
  input: SecretInput,
): Promise<SetIntegrationSecretResult> {
  if (input.platform === SHARED_PLATFORM) {
    return {
      kind: 'invalid',
      field: 'platform',
      problem: `must not be ${SHARED_PLATFORM}: all organisations share its secret`,
    };
  }
  const named = nameSecret(ports, input);
  if (named.kind === 'invalid') return named;
  const formerUntil = new Date(named.value.now.getTime() + FORMER_SECRET_LIFETIME_MS);
  const outcome = await ports.connections.replaceSecret({ ...named.value, formerUntil });
  return outcome === 'unknown-organisation' ? { kind: outcome } : { kind: outcome, formerUntil };
}

/** The secret as the store takes it, with an id for its connection if there is none yet. */
function nameSecret(
  { clock, ids, platforms }: SecretPorts,
  { orgId, platform, ...input }: SecretInput,
): { readonly kind: 'valid'; readonly value: SecretChange } | InvalidInput {
  const name = readName('name', input.name);
  if (name.kind === 'invalid') return name;
  const secret = readSecret(platform, input.secret, platforms);
  if (secret.kind === 'invalid') return secret;
  const created = { connectionId: ids.next(), secretId: ids.next(), now: clock.now() };
  return { kind: 'valid', value: { orgId, platform, name: name.value, secret: secret.value, ...created } };
}
