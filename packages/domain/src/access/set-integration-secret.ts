import { type Platform, type Platforms, SHARED_PLATFORM } from '../model/platform.ts';
import { type InvalidInput, readName } from '../model/validation.ts';
import type { Clock, Ids } from '../ports/clock.ts';
import type { Connections } from '../ports/connections.ts';
import { readSecret } from './read-secret.ts';

interface SecretPorts {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly connections: Connections;
  /** Left out: the six. */
  readonly platforms?: Platforms;
}

export type AddIntegrationSecretResult =
  /** `created`: there was no connection of that name. `known`: it has that secret already, and nothing changed. */
  { readonly kind: 'created' | 'added' | 'known' } | InvalidInput | { readonly kind: 'unknown-organisation' };

/** Gives a named connection one more lasting secret: one account may sign with several. */
export async function addIntegrationSecret(
  ports: SecretPorts,
  input: {
    readonly orgId: string;
    readonly platform: Platform;
    readonly name: string;
    readonly secret: string;
  },
): Promise<AddIntegrationSecretResult> {
  const name = readName('name', input.name);
  if (name.kind === 'invalid') return name;
  const secret = readSecret(input.platform, input.secret, ports.platforms);
  if (secret.kind === 'invalid') return secret;
  const outcome = await ports.connections.addSecret({
    orgId: input.orgId,
    platform: input.platform,
    name: name.value,
    connectionId: ports.ids.next(),
    secretId: ports.ids.next(),
    secret: secret.value,
    now: ports.clock.now(),
  });
  return { kind: outcome };
}

/** How long a replaced secret goes on verifying, so that deliveries signed on the way are not lost. */
export const FORMER_SECRET_LIFETIME_MS = 24 * 60 * 60 * 1000;

/** `formerUntil`: until then a secret that was replaced goes on verifying. */
export type SetIntegrationSecretResult =
  | { readonly kind: 'created' | 'replaced'; readonly formerUntil: Date }
  | InvalidInput
  | { readonly kind: 'unknown-organisation' };

/** Sets the one secret of a named connection. */
export async function setIntegrationSecret(
  ports: SecretPorts,
  input: {
    readonly orgId: string;
    readonly platform: Platform;
    readonly name: string;
    readonly secret: string;
  },
): Promise<SetIntegrationSecretResult> {
  if (input.platform === SHARED_PLATFORM) {
    return {
      kind: 'invalid',
      field: 'platform',
      problem: `must not be ${SHARED_PLATFORM}: all organisations share its secret`,
    };
  }
  const name = readName('name', input.name);
  if (name.kind === 'invalid') return name;
  const secret = readSecret(input.platform, input.secret, ports.platforms);
  if (secret.kind === 'invalid') return secret;

  const now = ports.clock.now();
  const formerUntil = new Date(now.getTime() + FORMER_SECRET_LIFETIME_MS);
  const outcome = await ports.connections.replaceSecret({
    orgId: input.orgId,
    platform: input.platform,
    name: name.value,
    connectionId: ports.ids.next(),
    secretId: ports.ids.next(),
    secret: secret.value,
    now,
    formerUntil,
  });
  return outcome === 'unknown-organisation' ? { kind: outcome } : { kind: outcome, formerUntil };
}
