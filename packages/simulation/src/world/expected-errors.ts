/** What a process may fail with while the database does, or while others are quicker. */
export function isExpected(error: unknown): boolean {
  return error instanceof Error && 'code' in error && EXPECTED.includes(error.code);
}

const EXPECTED: readonly unknown[] = ['contended', 'decided-meanwhile', 'store-unavailable'];
