import { hash } from 'node:crypto';
import { isSameSecret } from '@handover/platform-contract';

export const UUID_BYTES = 16;

/**
 * HMAC-SHA256 (RFC 2104) as two hashes. Node's own makes several objects for each, which for a content this short takes four
 * times as long, and a list may hold a million links.
 */
export function macOf(content: Uint8Array, key: Uint8Array, length: number): Buffer {
  const { inner, outer } = padsOf(key);
  outer.write(hash('sha256', Buffer.concat([inner, content]), 'binary'), BLOCK_BYTES, 'binary');
  return Buffer.from(hash('sha256', outer, 'binary'), 'binary').subarray(0, length);
}

const BLOCK_BYTES = 64;
const HASH_BYTES = 32;

interface Pads {
  readonly inner: Buffer;
  /** With room for the hash behind it. */
  readonly outer: Buffer;
}

const knownPads = new WeakMap<Uint8Array, Pads>();

/** For keys that are no longer than a block. */
function padsOf(key: Uint8Array): Pads {
  const known = knownPads.get(key);
  if (known) return known;
  const pads = {
    inner: Buffer.alloc(BLOCK_BYTES, 0x36),
    outer: Buffer.alloc(BLOCK_BYTES + HASH_BYTES, 0x5c),
  };
  key.forEach((byte, at) => {
    pads.inner[at] = byte ^ 0x36;
    pads.outer[at] = byte ^ 0x5c;
  });
  knownPads.set(key, pads);
  return pads;
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
