import type { KeyObject } from 'node:crypto';

/**
 * HMAC-SHA-256 (RFC 2104, FIPS 180-4) of short contents under one key, whose blocks are hashed once. Node takes four times as
 * long, because each MAC has an object with native memory there. A list of a million purchases has a million links.
 */
export function createHmacSha256(key: KeyObject): (content: Uint8Array) => Buffer {
  const bytes = key.export();
  const inner = hashKey(bytes, 0x36);
  const outer = hashKey(bytes, 0x5c);
  return (content) => {
    hashLastBlock(inner, content);
    hashLastBlock(outer, writeState(innerDigest));
    return writeState(Buffer.allocUnsafe(DIGEST_BYTES));
  };
}

const BLOCK_BYTES = 64;
/** The end of the content is marked by a byte, and the block ends with its length in eight. */
const MAX_CONTENT_BYTES = BLOCK_BYTES - 9;
const DIGEST_BYTES = 32;
const ROUNDS = 64;

/** What is hashed now. Nothing else runs until it is done. */
const block = Buffer.alloc(BLOCK_BYTES);
const words = new Int32Array(ROUNDS);
const state = new Int32Array(DIGEST_BYTES / 4);
const innerDigest = Buffer.alloc(DIGEST_BYTES);

/** The state after the block of the key. */
function hashKey(key: Uint8Array, pad: number): Int32Array {
  if (key.length > BLOCK_BYTES) throw new RangeError('The key is longer than a block.');
  block.fill(0).set(key);
  for (let at = 0; at < BLOCK_BYTES; at += 1) block[at] = (block[at] ?? 0) ^ pad;
  state.set(INITIAL_STATE);
  compress();
  return state.slice();
}

/** Hashes the content, which follows one block, after which the state is this one. */
function hashLastBlock(afterBlock: Int32Array, content: Uint8Array): void {
  if (content.length > MAX_CONTENT_BYTES) throw new RangeError('The content does not fit into a block.');
  block.fill(0).set(content);
  block[content.length] = 0x80;
  block.writeUInt32BE((BLOCK_BYTES + content.length) * 8, BLOCK_BYTES - 4);
  state.set(afterBlock);
  compress();
}

function writeState(digest: Buffer): Buffer {
  for (let at = 0; at < state.length; at += 1) digest.writeInt32BE(state[at] ?? 0, at * 4);
  return digest;
}

/** Changes the state by the block. Single variables and steps: anything shorter takes several times as long. */
function compress(): void {
  expand();
  let a = state[0] ?? 0;
  let b = state[1] ?? 0;
  let c = state[2] ?? 0;
  let d = state[3] ?? 0;
  let e = state[4] ?? 0;
  let f = state[5] ?? 0;
  let g = state[6] ?? 0;
  let h = state[7] ?? 0;
  for (let at = 0; at < ROUNDS; at += 1) {
    const mixed = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const added = (h + mixed + ((e & f) ^ (~e & g)) + (CONSTANTS[at] ?? 0) + (words[at] ?? 0)) | 0;
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const front = (added + (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + majority) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + added) | 0;
    d = c;
    c = b;
    b = a;
    a = front;
  }
  state[0] = (state[0] ?? 0) + a;
  state[1] = (state[1] ?? 0) + b;
  state[2] = (state[2] ?? 0) + c;
  state[3] = (state[3] ?? 0) + d;
  state[4] = (state[4] ?? 0) + e;
  state[5] = (state[5] ?? 0) + f;
  state[6] = (state[6] ?? 0) + g;
  state[7] = (state[7] ?? 0) + h;
}

/** The words of a block, and those that are made of them. */
function expand(): void {
  for (let at = 0; at < 16; at += 1) words[at] = block.readInt32BE(at * 4);
  for (let at = 16; at < ROUNDS; at += 1) {
    const early = words[at - 15] ?? 0;
    const late = words[at - 2] ?? 0;
    const earlyMix = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
    const lateMix = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
    words[at] = (words[at - 16] ?? 0) + earlyMix + (words[at - 7] ?? 0) + lateMix;
  }
}

function rotate(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

const PRIMES = firstPrimes(ROUNDS);
/** The first 32 bits of the fractions of the cube roots of the primes; of the square roots of eight. */
const CONSTANTS = Int32Array.from(PRIMES, (prime) => fractionOf(Math.cbrt(prime)));
const INITIAL_STATE = Int32Array.from(PRIMES.slice(0, 8), (prime) => fractionOf(Math.sqrt(prime)));

function fractionOf(root: number): number {
  return Math.floor((root % 1) * 2 ** 32);
}

function firstPrimes(count: number): readonly number[] {
  const primes: number[] = [];
  for (let number = 2; primes.length < count; number += 1)
    if (primes.every((prime) => number % prime !== 0)) primes.push(number);
  return primes;
}
