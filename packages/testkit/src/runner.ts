/**
 * The functions of a test runner that contract suites use, so that they import none. Vitest has them, and anything with
 * the same three functions can be passed.
 */
export interface TestRunner {
  describe(name: string, body: () => void): void;
  it(name: string, body: () => Promise<void> | void): void;
  expect(actual: unknown): Expectation;
}

/** A runner whose tests begin with what `open` opens, new for each. */
export interface OpeningRunner<Opened> extends Omit<TestRunner, 'it'> {
  it(name: string, body: (opened: Opened) => Promise<void>): void;
  open(): Promise<Opened>;
}

export function opening<Opened>(
  { it, ...runner }: TestRunner,
  open: () => Promise<Opened>,
): OpeningRunner<Opened> {
  return { ...runner, open, it: (name, body) => it(name, async () => body(await open())) };
}

/** The same runner, whose tests begin with what `work` makes of what they open. */
export function prepare<Opened, Prepared>(
  { it, open, ...runner }: OpeningRunner<Opened>,
  work: (opened: Opened) => Prepared | Promise<Prepared>,
): OpeningRunner<Prepared> {
  return {
    ...runner,
    open: async () => work(await open()),
    it: (name, body) => it(name, async (opened) => body(await work(opened))),
  };
}

/** The matchers that the suites use. Those of vitest and jest have them. */
export interface Expectation {
  toBe(expected: unknown): void;
  toEqual(expected: unknown): void;
  toMatchObject(expected: object): void;
  toHaveLength(expected: number): void;
}

/**
 * The same object. Using a missing method throws an error that names the method and the part that needs it. `port`: the name of
 * the port in that message; '' if the object is the whole store.
 */
export function nameMissing<Whole extends object>(part: string, port: string, given: Partial<Whole>): Whole {
  return new Proxy(given, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (typeof value === 'function') return value.bind(target);
      // `await` reads `then` of any object.
      if (value !== undefined || typeof name === 'symbol' || name === 'then') return value;
      throw new Error(
        `${part} needs ${port && `${port}.`}${name}, which the store under test does not have.`,
      );
    },
  }) as Whole;
}
