import { type Platform, type Platforms, SHARED_PLATFORM } from '../model/platform.ts';
import { type InvalidInput, readName } from '../model/validation.ts';
import type { Clock, Ids } from '../ports/clock.ts';
import type { Connections, SecretChange } from '../ports/connections.ts';
import { readSecret } from './read-secret.ts';

interface SecretPorts {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly connections: Connections;
  /** Default: the built-in ones. */
  readonly platforms?: Platforms;
}

interface SecretInput {
  readonly orgId: string;
  readonly platform: Platform;
  readonly name: string;
  readonly secret: string;
}

type AddIntegrationSecretResult =
  /** `created`: the connection was created, too. `known`: it has this secret already; nothing was changed. */
  { readonly kind: 'created' | 'added' | 'known' } | InvalidInput | { readonly kind: 'unknown-organisation' };

/** Adds a secret without an expiry to a connection: one account may sign with several. */
export async function addIntegrationSecret(
  ports: SecretPorts,
  input: SecretInput,
): Promise<AddIntegrationSecretResult> {
  const named = nameSecret(ports, input);
  if (named.kind === 'invalid') return named;
  return { kind: await ports.connections.addSecret(named.value) };
}

/** How long a replaced secret still verifies, so that no delivery is lost while the vendor's setting is changed. */
export const FORMER_SECRET_LIFETIME_MS = 24 * 60 * 60 * 1000;

/** `formerUntil`: until when a replaced secret still verifies. */
type SetIntegrationSecretResult =
  | { readonly kind: 'created' | 'replaced'; readonly formerUntil: Date }
  | InvalidInput
  | { readonly kind: 'unknown-organisation' };

/** Makes a secret the only one of a connection. Former secrets still verify until `formerUntil`. */
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

/** The validated secret for the store, with an id in case its connection must be created. */
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
