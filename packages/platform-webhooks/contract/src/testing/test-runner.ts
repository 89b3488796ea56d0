/** The part of a test runner that the suite needs: vitest, jest and node:test with an expect all have it. */
export interface TestRunner {
  readonly describe: (name: string, define: () => void) => void;
  readonly it: (name: string, run: () => void) => void;
  readonly expect: (actual: unknown) => { toEqual(expected: unknown): void };
}
