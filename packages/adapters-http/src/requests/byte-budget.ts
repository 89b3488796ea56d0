/** The bytes of request bodies that this process holds in memory. */
export interface ByteBudget {
  /** A share of the budget for one request; empty at first. */
  open(): ByteShare;
}

export interface ByteShare {
  /** Adds bytes to the share. False: there is no room for them, and nothing was added. */
  grow(bytes: number): boolean;
  /** Gives back everything. It may be called more than once. */
  release(): void;
}

/** Almost every order and form is smaller. */
const MAX_SMALL_BODY = 64 * 1024;
/** Large bodies may fill so much of the budget: a flood of them leaves room for orders, which are small. */
const SHARE_OF_LARGE = 0.75;

export function createByteBudget(maxBytes: number): ByteBudget {
  let inUse = 0;
  return {
    open() {
      let held = 0;
      return {
        grow(bytes) {
          const limit = held + bytes > MAX_SMALL_BODY ? maxBytes * SHARE_OF_LARGE : maxBytes;
          if (inUse + bytes > limit) return false;
          inUse += bytes;
          held += bytes;
          return true;
        },
        release() {
          inUse -= held;
          held = 0;
        },
      };
    },
  };
}
