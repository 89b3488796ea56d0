import type { EvaluatedConnection, PlatformState, Platforms, SigningSecrets } from '@handover/domain';

/**
 * Where the secret is part of the URL, a new secret to be copied with the URL before it is saved; null
 * elsewhere. Each request returns the same one until a secret is saved; the next use then gets a new one.
 */
export function offerSecret(
  { signingSecrets, platforms }: { readonly signingSecrets: SigningSecrets; readonly platforms: Platforms },
  orgId: string,
  { platform, connections }: PlatformState,
  /** Null: a new shop. */
  connection: EvaluatedConnection | null,
): string | null {
  if (!platforms.hasSecretInUrl(platform)) return null;
  const use = connection
    ? [connection.id, connection.secretSetAt?.toISOString() ?? '', `${connection.secretCount}`]
    : ['a new shop beside', ...connections.map(({ id }) => id)];
  return signingSecrets.make(orgId, [platform, ...use]);
}
