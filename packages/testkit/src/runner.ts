/**
 * What a contract suite needs of a test runner, so that it imports none. Vitest fits as it is; so does anything with
 * the same three functions.
 */
export interface TestRunner {
  describe(name: string, body: () => void): void;
  it(name: string, body: () => Promise<void> | void): void;
  expect(actual: unknown): Expectation;
}

export interface Expectation {
  toBe(expected: unknown): void;
  toEqual(expected: unknown): void;
  toMatchObject(expected: object): void;
  toHaveLength(expected: number): void;
}
