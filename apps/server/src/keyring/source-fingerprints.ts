import { createHmac } from 'node:crypto';
import type { SourceFingerprints } from '@handover/domain';
import type { Keyring } from './keyring.ts';

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
