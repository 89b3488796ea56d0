import type { Clock, Ids } from '../ports/clock.ts';
import { webCrypto } from './web-apis.ts';

const COUNTS = 0x1000;

/**
 * UUIDv7 (RFC 9562): the time in milliseconds, then a counter within the millisecond, then random bits. The ids of one process
 * always increase, even if its clock stands still or goes back.
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
      const counted = `7${count.toString(16).padStart(3, '0')}`;
      return `${time.slice(0, 8)}-${time.slice(8)}-${counted}-${nextTail()}`;
    },
  };
}

const TAIL_BYTES = 8;

/** Random bytes for many ids, because requesting the eight bytes of one id takes longer than everything else. */
const pool = new Uint8Array(256 * TAIL_BYTES);
let place = pool.length;

/** The last two groups: the variant of RFC 9562, and 62 random bits. */
function nextTail(): string {
  if (place === pool.length) {
    webCrypto.getRandomValues(pool);
    place = 0;
  }
  const variant = 0x80 | ((pool[place] ?? 0) & 0x3f);
  let tail = `${HEX[variant]}${HEX[pool[place + 1] ?? 0]}-`;
  for (let at = place + 2; at < place + TAIL_BYTES; at += 1) tail += HEX[pool[at] ?? 0];
  place += TAIL_BYTES;
  return tail;
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** The clock of the machine. */
export function createSystemClock(): Clock {
  return { now: () => new Date() };
}
