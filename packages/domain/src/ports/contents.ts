/** A content of the file store. */
export interface ContentAddress {
  readonly orgId: string;
  readonly sha256: string;
}

/**
 * Contents of the file store that may have no file any more. Each content is added when it is stored, and again when a file of
 * it is removed or replaced.
 */
export interface StoredContents {
  /**
   * Keeps a content for a file that is about to refer to it, for as long as the content of a removed file is kept. It
   * must be called before the content is in place. `removing`: the content was claimed after `expiredBefore`, and is being
   * removed now.
   */
  keep(content: ContentAddress, expiredBefore: Date): Promise<'kept' | 'removing'>;
  /**
   * Claims due contents, and returns those that no file refers to; the rows of the others are deleted. Contents that were
   * added since the last call become due at `dueAt`. A claimed content that is not forgotten is due again at `retryAt`.
   */
  claim(turn: ContentsTurn): Promise<ClaimedContents>;
  /** Deletes the row of a content that was claimed at that time, after its removal. */
  forget(content: ContentAddress, claimedAt: Date): Promise<void>;
}

/** Which contents are due, when the claimed ones are due again, and how many are taken at most. */
export interface ContentsTurn {
  readonly now: Date;
  readonly dueAt: Date;
  readonly retryAt: Date;
  readonly limit: number;
}

/** Contents that were claimed for removal, and those of them that no file refers to. */
export interface ClaimedContents {
  /** How many were claimed: less than the limit when no more are due. */
  readonly count: number;
  readonly unreferenced: readonly ContentAddress[];
}
