import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { SecretBox } from '@handover/adapters-postgres';
import { isSameSecret } from '@handover/platform-contract';
import type { KeyPurpose, Keyring } from './keyring.ts';
import { KEY_NUMBER_BYTES } from './keyring.ts';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts short secrets with AES-256-GCM. The context (the owner of the secret) is authenticated, so that a row
 * copied to another owner cannot be opened.
 */
export function createSecretBox(keyring: Keyring, purpose: KeyPurpose): SecretBox {
  const unseal = (text: string, context: string): string => {
    const bytes = Buffer.from(text, 'base64url');
    const found = keyring.byNumber(purpose, bytes.subarray(0, KEY_NUMBER_BYTES));
    if (!found) throw new UnknownKeyError(1);
    const nonceEnd = KEY_NUMBER_BYTES + NONCE_BYTES;
    const decipher = createDecipheriv('aes-256-gcm', found.key, bytes.subarray(KEY_NUMBER_BYTES, nonceEnd))
      .setAAD(Buffer.from(context))
      .setAuthTag(bytes.subarray(nonceEnd, nonceEnd + TAG_BYTES));
    return Buffer.concat([
      decipher.update(bytes.subarray(nonceEnd + TAG_BYTES)),
      decipher.final(),
    ]).toString();
  };
  return {
    seal: (plain, context) => {
      const { number, key } = keyring.current(purpose);
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
      const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return Buffer.concat([number, nonce, cipher.getAuthTag(), sealed]).toString('base64url');
    },
    unseal,
    holds: (text, context, plain) => isSameSecret(unseal(text, context), plain),
  };
}

/** A value was sealed with a secret that HANDOVER_SECRET no longer lists. */
export class UnknownKeyError extends Error {
  readonly code = 'unknown-key';

  constructor(count: number) {
    const what = count === 1 ? 'One webhook secret was' : `${count} webhook secrets were`;
    super(
      `${what} encrypted with a secret that HANDOVER_SECRET does not list any more. ` +
        'Add the former secret at the end of the list, separated by a comma, and start again.',
    );
  }
}
