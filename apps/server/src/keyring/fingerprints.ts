import { createHmac } from 'node:crypto';
import type { SecretFingerprints, SourceFingerprints } from '@handover/domain';
import { isSameSecret } from '@handover/platform-contract';
import type { Keyring, NumberedKey } from './keyring.ts';
import { KEY_NUMBER_BYTES } from './keyring.ts';

/**
 * Fingerprints of secrets in the URLs of refused requests: key number and a MAC, so that even a short secret cannot
 * be guessed from its fingerprint without our key.
 */
export function createSecretFingerprints(keyring: Keyring): SecretFingerprints {
  return {
    make: (orgId, secret) =>
      fingerprint(keyring.current('rejected-secret'), orgId, secret).toString('base64url'),
    matches: (orgId, secret, text) => {
      const given = Buffer.from(text, 'base64url');
      const key = keyring.byNumber('rejected-secret', given.subarray(0, KEY_NUMBER_BYTES));
      return key !== null && isSameSecret(given, fingerprint(key, orgId, secret));
    },
  };
}

function fingerprint({ number, key }: NumberedKey, orgId: string, secret: string): Buffer {
  const mac = createHmac('sha256', key).update(`${orgId.toLowerCase()}\n${secret}`).digest();
  return Buffer.concat([number, mac]);
}

const BYTES = 16;

/** MACs of network addresses, which are personal data: without our key an address cannot be found by trying. */
export function createSourceFingerprints(keyring: Keyring): SourceFingerprints {
  return {
    make: (orgId, network) =>
      createHmac('sha256', keyring.current('refused-source').key)
        .update(`${orgId.toLowerCase()}\n${network}`)
        .digest()
        .subarray(0, BYTES)
        .toString('base64url'),
  };
}
