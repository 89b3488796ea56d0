/**
 * An error of the domain. Check its `code`, never `instanceof`, so that two copies of this package work in one program.
 * Expected outcomes are return values, not errors.
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
 * `contended`: concurrent changes prevented the commit; retry later.
 * `decided-meanwhile`: another run decided the same entry first; the log shows the result.
 * `store-unavailable`: an adapter could not reach its database, or lost the connection before it knew whether the change was
 * applied.
 * `short-secret`: the secret that signs links is too short.
 * `wrong-mailer`: a `ReceiptMailer` returned something else than a `MailAnswer`; it counts as a failed try.
 * `wrong-store`: a `FulfilmentStore` broke one of its promises; the contracts of @handover/testkit say which.
 */
export type DomainErrorCode =
  | 'contended'
  | 'decided-meanwhile'
  | 'store-unavailable'
  | 'short-secret'
  | 'wrong-mailer'
  | 'wrong-store';

/** Checks the code, so that it also recognises errors of another copy of this package. */
export function isDecidedMeanwhile(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'decided-meanwhile';
}
