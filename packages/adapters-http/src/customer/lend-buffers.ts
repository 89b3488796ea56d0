const SMALL_BYTES = 64 * 1024;
/** Each chunk costs a turn through the disk and the socket, so large ones are several times as fast. */
const LARGE_BYTES = 512 * 1024;
/** Of one process: 16 MB. */
const MAX_LARGE = 32;
/** The system takes this much for a reader that takes nothing, so less says nothing about the reader. */
const FAST_BYTES = 16 * 1024 * 1024;
/** A fast reader takes each chunk within this time. */
const FAST_WITHIN_MS = 50;

/** The buffer of one response: each chunk lies in it until the next one is lent. */
export interface LentBuffer {
  /** Asked for each chunk, once the one before has left the process. */
  lend(): Uint8Array;
  /** Nothing more is read. */
  end(): void;
}

/**
 * Lends each response a small buffer, and a large one while its reader takes everything at once. Large ones are few, so
 * that thousands of slow readers need little memory. `now` is a monotonic clock in milliseconds.
 */
export function createBufferLending(now: () => number = () => performance.now()) {
  let large = 0;
  return (fileBytes: number): LentBuffer => {
    const small = Buffer.allocUnsafeSlow(Math.min(SMALL_BYTES, fileBytes));
    let buffer = small;
    let fastBytes = 0;
    let lentAt = Number.NEGATIVE_INFINITY;

    return {
      lend: () => {
        const at = now();
        fastBytes = at - lentAt <= FAST_WITHIN_MS ? fastBytes + buffer.length : 0;
        lentAt = at;
        if (fastBytes === 0) shrink();
        else if (fastBytes >= FAST_BYTES) grow();
        return buffer;
      },
      end: shrink,
    };

    function grow(): void {
      if (buffer !== small || large >= MAX_LARGE) return;
      large += 1;
      buffer = Buffer.allocUnsafeSlow(LARGE_BYTES);
    }

    /** The large buffer is not given to another response: a write of a broken one may still read it. */
    function shrink(): void {
      if (buffer === small) return;
      large -= 1;
      buffer = small;
      fastBytes = 0;
    }
  };
}
