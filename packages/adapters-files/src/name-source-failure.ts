import { FileStoreError } from './file-store-error.ts';

/** The content as it is. Why it broke off is told apart from what goes wrong with the store; errors with a code keep it. */
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
