/** Whether the database could not be reached, so that nobody knows what became of the call. */
export function isStoreUnavailable(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'store-unavailable';
}
