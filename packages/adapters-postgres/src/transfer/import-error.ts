/** Why nothing was imported. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
  readonly code: 'not-empty' | 'conflict' | 'damaged';

  constructor(code: ImportError['code'], message: string) {
    super(message);
    this.code = code;
  }
}
