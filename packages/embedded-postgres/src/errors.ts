/** Why an embedded database does not start, or is not stopped. */
export type EmbeddedPostgresErrorCode =
  | 'DATABASE_PLATFORM_UNSUPPORTED'
  | 'DATABASE_PROGRAMS_DO_NOT_RUN'
  | 'DATABASE_REFUSES_ROOT'
  | 'DATABASE_OF_ANOTHER_USER'
  | 'DATABASE_DIRECTORY_UNKNOWN'
  | 'DATABASE_VERSION_MISMATCH'
  | 'DATABASE_PASSWORD_MISSING'
  | 'DATABASE_PASSWORD_REFUSED'
  | 'DATABASE_INIT_FAILED'
  | 'DATABASE_DID_NOT_START'
  | 'DATABASE_DID_NOT_STOP'
  | 'DATABASE_BUSY';

/** Every message says what to do about it. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
  readonly code: EmbeddedPostgresErrorCode;

  constructor(code: EmbeddedPostgresErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}

/** For `catch`: the value if a file is missing. Any other error is thrown. */
export function whenMissing<T>(value: T): (error: unknown) => T {
  return (error) => {
    if (hasCode(error, 'ENOENT')) return value;
    throw error;
  };
}
