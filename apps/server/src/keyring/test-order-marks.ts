import { createHmac } from 'node:crypto';
import type { IsTestOrder } from '@handover/adapters-http';
import { isSameSecret } from '@handover/platform-contract';
import type { Keyring, NumberedKey } from './keyring.ts';
import { KEY_NUMBER_BYTES } from './keyring.ts';

/** Marks orders that we send ourselves to try a connection. */
export interface TestOrderMarks {
  /** The header to send with the body. */
  make(body: Uint8Array): Readonly<Record<string, string>>;
  readonly isTestOrder: IsTestOrder;
}

const HEADER = 'handover-test-order';

/** Key number and a MAC over the body, so that nobody else can make an order count nowhere. */
export function createTestOrderMarks(keyring: Keyring): TestOrderMarks {
  return {
    make: (body) => ({ [HEADER]: markOf(keyring.current('test-order'), body).toString('base64url') }),
    isTestOrder: ({ headers, body }) => {
      const text = headers[HEADER];
      if (typeof text !== 'string') return false;
      const given = Buffer.from(text, 'base64url');
      const key = keyring.byNumber('test-order', given.subarray(0, KEY_NUMBER_BYTES));
      return key !== null && isSameSecret(given, markOf(key, body));
    },
  };
}

function markOf({ number, key }: NumberedKey, body: Uint8Array): Buffer {
  return Buffer.concat([number, createHmac('sha256', key).update(body).digest()]);
}
