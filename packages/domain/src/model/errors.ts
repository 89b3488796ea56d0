/**
 * What the domain throws when it cannot go on. Recognised by `code`, never by `instanceof`, so that two copies of
 * this package in one program still understand each other. Expected outcomes are return values, not errors.
 */
export class DomainError extends Error {
  readonly code: DomainErrorCode;

  constructor(code: DomainErrorCode, message: string) {
    super(message);
    this.name = 'DomainError';
    this.code = code;
  }
}

/**
 * `contended`: others kept changing what a decision rested on; trying again later is right.
 * `decided-meanwhile`: another run of the same entry decided it first; what it became is in the log.
 * `store-unavailable`: what an adapter throws when its database cannot be reached; nothing was applied, or it is not
 * known whether it was.
 * `short-secret`: what links are sealed with could be guessed.
 * `wrong-mailer`: a `ReceiptMailer` answered something else than a `MailAnswer`; it counts as a failed try.
 * `wrong-store`: a `FulfilmentStore` broke one of its promises; the contracts of @handover/testkit say which.
 */
export type DomainErrorCode =
  | 'contended'
  | 'decided-meanwhile'
  | 'store-unavailable'
  | 'short-secret'
  | 'wrong-mailer'
  | 'wrong-store';

/** By code, so that another copy of this package is understood too. */
export function isDecidedMeanwhile(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'decided-meanwhile';
}
