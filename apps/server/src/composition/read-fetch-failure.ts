/** Why a request got no response. fetch hides the reason in the cause; several addresses make several reasons. */
export function readFetchFailure(error: unknown): { readonly code: string | null; readonly message: string } {
  if (!(error instanceof Error)) return { code: null, message: String(error) };
  const { cause } = error;
  if (cause instanceof AggregateError) return readFetchFailure(cause.errors[0]);
  if (cause instanceof Error && error.message === 'fetch failed') return readFetchFailure(cause);
  return { code: 'code' in error ? String(error.code) : null, message: error.message };
}
