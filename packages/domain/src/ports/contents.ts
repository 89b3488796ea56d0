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
   * Keeps a content for a file that is about to refer to it, for as long as that of a removed file: called before the
   * content is at its place. `removing`: it was claimed after `lapsedBefore`, and is removed right now.
   */
  keep(content: ContentAddress, lapsedBefore: Date): Promise<'kept' | 'removing'>;
  /**
   * Claims contents that are due, and answers with those that no file refers to; the others are forgotten. Those that were
   * added since the last call are due at `dueAt`. A claimed one that is not forgotten is due again at `retryAt`.
   */
  claim(turn: ContentsTurn): Promise<ClaimedContents>;
  /** Forgets contents that were claimed at that time, and are removed now. */
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
