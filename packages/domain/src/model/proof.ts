/**
 * What a request proved its origin with, where that says nothing of its body: whoever saw one proof could send any
 * body under it. So what came with it first is remembered.
 */
export interface Proof {
  /** SHA-256, 64 hex digits: tells proofs apart, and is no use to whoever would send one again. */
  readonly fingerprint: string;
  /** SHA-256 of the body, 64 hex digits. */
  readonly bodySha256: string;
  /** What becomes of a request whose proof came before with another body. */
  readonly whenReused:
    | { readonly kind: 'note'; readonly note: string }
    | { readonly kind: 'refuse'; readonly reason: string };
}
