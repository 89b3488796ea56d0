import { randomBytes } from 'node:crypto';
import type { SigningSecrets } from '@handover/domain';

const SECRET_BYTES = 24;

/** 192 random bits, as 32 characters that need no escaping in a URL. */
export function createSigningSecrets(): SigningSecrets {
  return { make: () => randomBytes(SECRET_BYTES).toString('base64url') };
}
