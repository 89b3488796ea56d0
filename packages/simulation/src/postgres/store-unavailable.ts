/** Whether the database could not be reached, so that the outcome of the call is unknown. */
export function isStoreUnavailable(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'store-unavailable';
}
