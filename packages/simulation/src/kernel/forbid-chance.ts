/**
 * Runs the work so that only a seed decides: reading the machine's time or random numbers throws. This applies to the whole
 * process until all concurrent calls have ended.
 */
export async function forbidChance<Result>(work: () => Promise<Result>): Promise<Result> {
  if (running === 0) replace();
  running += 1;
  try {
    return await work();
  } finally {
    running -= 1;
    if (running === 0) restore();
  }
}

let running = 0;
let restore = () => {};

function replace(): void {
  const machine = {
    Date,
    random: Math.random,
    now: performance.now,
    randomUUID: crypto.randomUUID,
    getRandomValues: crypto.getRandomValues,
  };
  globalThis.Date = createGivenDate(machine.Date);
  Math.random = refuse('Math.random()');
  performance.now = refuse('performance.now()');
  crypto.randomUUID = refuse('crypto.randomUUID()');
  crypto.getRandomValues = refuse('crypto.getRandomValues()');
  restore = () => {
    globalThis.Date = machine.Date;
    Math.random = machine.random;
    performance.now = machine.now;
    crypto.randomUUID = machine.randomUUID;
    crypto.getRandomValues = machine.getRandomValues;
  };
}

/** Dates of given times. */
function createGivenDate(original: DateConstructor): DateConstructor {
  const construct = (...given: readonly unknown[]): unknown =>
    given.length === 0 ? refuse('new Date()')() : Reflect.construct(original, given);
  // An arrow cannot be called with `new`.
  function GivenDate(...given: readonly unknown[]): unknown {
    return construct(...given);
  }
  GivenDate.prototype = original.prototype;
  return Object.assign(GivenDate, {
    parse: original.parse,
    UTC: original.UTC,
    now: refuse('Date.now()'),
  }) as unknown as DateConstructor;
}

function refuse(what: string): () => never {
  return () => {
    throw new Error(
      `${what} was asked for while a history plays: what it answers is not decided by the seed.`,
    );
  };
}
