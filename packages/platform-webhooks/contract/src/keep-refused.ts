import type { RejectedReader, SecretFingerprints } from '@handover/domain';
import { type InboundHeaders, type KeptHeaders, keepHeaders } from './headers.ts';
import type { Credential, InboundDelivery, PlatformWebhook, PlatformWebhooks } from './platform-webhook.ts';
import { receive } from './receive.ts';

/** The parts of a refused request that are needed to verify it later. */
export interface KeptCredential {
  readonly headers: KeptHeaders;
  /** The fingerprint of a secret in the URL; the secret itself is never stored. */
  readonly secretFingerprint: string | null;
}

/** Null when no secret could ever verify the request, because it carries no credential. */
export function keepCredential(
  platform: Pick<PlatformWebhook, 'credential' | 'keptHeaders'>,
  orgId: string,
  { headers, query, body }: Pick<InboundDelivery, 'headers' | 'query' | 'body'>,
  fingerprints: Pick<SecretFingerprints, 'make'>,
): KeptCredential | null {
  const { credential } = platform;
  const read = keepHeaders(platform, headers);
  if (credential.kind === 'signature') {
    if (credential.expires) return null;
    const signed = keepSignatures(headers, credential.headers);
    const isGiven = Object.keys(signed).length > 0 || credential.inBody?.(body) === true;
    return isGiven ? { headers: { ...read, ...signed }, secretFingerprint: null } : null;
  }
  const secret = query[credential.parameter];
  if (typeof secret !== 'string' || secret.trim() === '') return null;
  return { headers: read, secretFingerprint: fingerprints.make(orgId, secret) };
}

/** Reads rejected requests of these platforms again. */
export function createRejectedReader(
  platforms: PlatformWebhooks,
  fingerprints: Pick<SecretFingerprints, 'matches'>,
): RejectedReader {
  return {
    read(rejected, connections) {
      const { orgId, platform: label, receivedAt, bytes, headers, secretFingerprint } = rejected;
      const platform = platforms[label];
      if (!platform) return null;
      const secrets = connections.flatMap((connection) => connection.secrets);
      const isMeant = (secret: string) =>
        secretFingerprint !== null && fingerprints.matches(orgId, secret, secretFingerprint);
      const query = restoreQuery(platform.credential, secrets.find(isMeant));
      const inbound = { platform: label, body: bytes, headers, query, receivedAt };
      const reception = receive(platform, inbound, connections);
      if (reception.kind === 'refused') return null;
      const { connectionId, proof = null } = reception;
      const kept = keepHeaders(platform, headers);
      return {
        orgId,
        platform: label,
        connectionId,
        receivedAt,
        bytes,
        headers: kept,
        content: reception,
        proof,
      };
    },
  };
}

/** Restores the query with the given secret. */
function restoreQuery(credential: Credential, secret: string | undefined): InboundDelivery['query'] {
  return credential.kind === 'secret-in-url' && secret !== undefined
    ? { [credential.parameter]: secret }
    : {};
}

/**
 * PostgreSQL cannot store NUL. A header with several values is left out, because every platform refuses it.
 */
function keepSignatures(headers: InboundHeaders, names: readonly string[]): KeptHeaders {
  const entries = names.flatMap((name) => {
    const value = headers[name];
    return typeof value === 'string' && value.isWellFormed() && !value.includes('\0') ? [[name, value]] : [];
  });
  return Object.fromEntries(entries);
}
