import { createHash } from 'node:crypto';
import {
  findSigner,
  type InboundDelivery,
  isSameSecret,
  type SigningConnection,
  type Verification,
} from '@handover/platform-contract';
import { readSecurityPair } from './security-pair.ts';

// https://fastspring.com/docs/classic/Notifications-Overview
// The hash is over the data alone: neither time nor body is protected (see `checkStrictly`).
export function verify(inbound: InboundDelivery, connections: readonly SigningConnection[]): Verification {
  const pair = readSecurityPair(inbound);
  if ('kind' in pair) return pair;
  const spellings = spellData(pair.data);
  return findSigner(connections, (key) =>
    spellings.map((data) => isSameSecret(pair.hash, hashData(data, key))).includes(true),
  );
}

/** Plain concatenation, no separator; the key looks like hex but is used as text. */
function hashData(data: Buffer, key: string): string {
  return createHash('md5').update(data).update(key, 'utf8').digest('hex');
}

/** The data names the buyer's address. Node reads header bytes as Latin-1, so UTF-8 in one is undone. */
function spellData(data: string): readonly Buffer[] {
  const text = Buffer.from(data, 'utf8');
  return /^[\0-\xff]*$/.test(data) ? [text, Buffer.from(data, 'latin1')] : [text];
}
