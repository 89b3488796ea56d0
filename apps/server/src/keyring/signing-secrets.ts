import { createHmac } from 'node:crypto';
import type { SigningSecrets } from '@handover/domain';
import { SHARED_PLATFORM } from '@handover/domain';
import type { Keyring } from './keyring.ts';
import { createKeyring } from './keyring.ts';

const SECRET_BYTES = 24;

/** 192 bits of a MAC under a key for this purpose, as 32 characters that need no escaping in a URL. */
export function createSigningSecrets(keyring: Keyring): SigningSecrets {
  return {
    make: (orgId, use) =>
      createHmac('sha256', keyring.current('offered-secret').key)
        .update(JSON.stringify([orgId.toLowerCase(), ...use]))
        .digest()
        .subarray(0, SECRET_BYTES)
        .toString('base64url'),
  };
}

/**
 * The signing secret of payments-a in a local trial without a configured one. It is derived from HANDOVER_SECRET, so
 * that `simulate` and the server derive the same one, and no file contains it.
 */
export function deriveTrialSecret(secrets: readonly string[]): string {
  return createSigningSecrets(createKeyring(secrets)).make(SHARED_PLATFORM, ['local-trial']);
}
