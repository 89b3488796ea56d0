import { createHmac } from 'node:crypto';
import { isSameSecret } from '@handover/platform-contract';

export const UUID_BYTES = 16;

export function macOf(content: Uint8Array, key: Uint8Array, length: number): Buffer {
  return createHmac('sha256', key).update(content).digest().subarray(0, length);
}

/** In constant time. */
export function isMac(mac: Uint8Array, content: Uint8Array, key: Uint8Array): boolean {
  return isSameSecret(mac, macOf(content, key, mac.length));
}

export function uuidToBytes(uuid: string): Buffer {
  return Buffer.from(
    uuid.slice(0, 8) + uuid.slice(9, 13) + uuid.slice(14, 18) + uuid.slice(19, 23) + uuid.slice(24),
    'hex',
  );
}

export function bytesToUuid(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes).toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
