import {
  type EvaluatedConnection,
  hasSecretInUrl,
  type PlatformState,
  type SigningSecrets,
} from '@handover/domain';

/**
 * Where the secret is part of the URL, one to be copied within it before it is set; null elsewhere. The same at every
 * request, until a secret is set: then that use is over, and the next one gets another.
 */
export function offerSecret(
  { signingSecrets }: { readonly signingSecrets: SigningSecrets },
  orgId: string,
  { platform, connections }: PlatformState,
  /** Null: a shop that is still to be added. */
  connection: EvaluatedConnection | null,
): string | null {
  if (!hasSecretInUrl(platform)) return null;
  const use = connection
    ? [connection.id, connection.secretSetAt?.toISOString() ?? '', `${connection.secretCount}`]
    : ['a new shop beside', ...connections.map(({ id }) => id)];
  return signingSecrets.make(orgId, [platform, ...use]);
}
