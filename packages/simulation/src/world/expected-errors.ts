/** Errors that a process may get while the database fails, or when others are faster. */
export function isExpected(error: unknown): boolean {
  return error instanceof Error && 'code' in error && EXPECTED.includes(error.code);
}

const EXPECTED: readonly unknown[] = ['contended', 'decided-meanwhile', 'store-unavailable'];
