/** Why an export or import ended. The message says what to do. */
export class TransferError extends Error {
  override readonly name = 'TransferError';
  readonly code:
    | 'folder-closed'
    | 'folder-not-empty'
    | 'no-export'
    | 'wrong-passphrase'
    | 'passphrase-needed'
    | 'not-encrypted'
    | 'damaged'
    | 'other-schema'
    | 'other-secret'
    | 'other-organisation'
    | 'in-use'
    | 'file-missing';

  constructor(code: TransferError['code'], message: string) {
    super(message);
    this.code = code;
  }
}
