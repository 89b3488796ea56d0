import { FileStoreError } from './file-store-error.ts';

/**
 * Passes the content on. A failure of the source is distinguished from failures of the store; errors with a
 * code are kept.
 */
export async function* nameSourceFailure(
  content: AsyncIterable<Uint8Array>,
  note: (failure: Error) => void = () => {},
): AsyncGenerator<Uint8Array> {
  try {
    yield* content;
  } catch (cause) {
    const failure = name(cause);
    note(failure);
    throw failure;
  }
}

function name(cause: unknown): Error {
  if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string') return cause;
  return new FileStoreError('source-failed', 'The content broke off before its end.', { cause });
}
