import type { Clock, Ids } from '../ports/clock.ts';
import { toHex, webCrypto } from './web-crypto.ts';

const COUNTS = 0x1000;

/**
 * UUIDv7 (RFC 9562): the time in milliseconds, then a count within the millisecond, then randomness. The ids of one
 * process are in the order in which they were made, also while its clock stands still or goes back.
 */
export function createUuids(clock: Clock): Ids {
  let last = 0;
  let count = 0;
  return {
    next: () => {
      const now = Math.max(clock.now().getTime(), last);
      count = now === last ? count + 1 : 0;
      last = count < COUNTS ? now : now + 1;
      count %= COUNTS;
      const time = last.toString(16).padStart(12, '0');
      const random = webCrypto.getRandomValues(new Uint8Array(8));
      random[0] = 0x80 | ((random[0] ?? 0) & 0x3f);
      const tail = toHex(random);
      const counted = `7${count.toString(16).padStart(3, '0')}`;
      return `${time.slice(0, 8)}-${time.slice(8)}-${counted}-${tail.slice(0, 4)}-${tail.slice(4)}`;
    },
  };
}
