/**
 * What a contract suite needs of a test runner, so that it imports none. Vitest fits as it is; so does anything with
 * the same three functions.
 */
export interface TestRunner {
  describe(name: string, body: () => void): void;
  it(name: string, body: () => Promise<void> | void): void;
  expect(actual: unknown): Expectation;
}

/** What the suites ask of `expect`: that of vitest and jest has it. */
export interface Expectation {
  toBe(expected: unknown): void;
  toEqual(expected: unknown): void;
  toMatchObject(expected: object): void;
  toHaveLength(expected: number): void;
}

/**
 * The same object; asked for a method that it lacks, it says which one and what needs it. `port` stands before the name of
 * the method; '' where the object is the whole store.
 */
export function nameMissing<Whole extends object>(part: string, port: string, given: Partial<Whole>): Whole {
  return new Proxy(given, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (typeof value === 'function') return value.bind(target);
      // What awaits an object looks whether it is a promise.
      if (value !== undefined || typeof name === 'symbol' || name === 'then') return value;
      throw new Error(
        `${part} needs ${port && `${port}.`}${name}, which the store under test does not have.`,
      );
    },
  }) as Whole;
}
