import { createHash, randomBytes } from 'node:crypto';
import type { SessionTokens } from '@handover/domain';

/** 33 bytes are 44 base64url characters without spare bits. */
const TOKEN_BYTES = 33;
const TOKEN_SHAPE = /^[A-Za-z0-9_-]{44}$/;

/** Random tokens. The database has only their hashes, which do not open a session. */
export function createSessionTokens(): SessionTokens {
  const hashOf = (token: string) => createHash('sha256').update(token).digest('hex');
  return {
    mint: () => {
      const token = randomBytes(TOKEN_BYTES).toString('base64url');
      return { token, hash: hashOf(token) };
    },
    hash: (token) => (TOKEN_SHAPE.test(token) ? hashOf(token) : null),
  };
}
