import { CLAIM_LASTS_MS, type Stores } from '@handover/domain';
import { type Memory, rememberMemory } from '@handover/domain/memory';
import { findDifference } from './compare-states.ts';
import type { TwinIds } from './twin-ids.ts';

/** Hooks around the calls of a pair of stores. */
export interface Surroundings {
  readonly ids: TwinIds;
  /** Runs one work after the other. */
  exclusively<Answer>(work: () => Promise<Answer>): Promise<Answer>;
  /** Called before each call: sets the clock of PostgreSQL, and may prepare a fault. */
  before(call: string): Promise<void>;
  /** Called after each call outside a transaction. At its end no broken connection is left. */
  after(): Promise<void>;
  /** Whether this call had a connection fault. */
  isBroken(): boolean;
  /** How the two differ by now; null if they are equal. */
  compareStates(): Promise<string | null>;
  /** Called for each difference between PostgreSQL and the memory that nothing excuses. */
  diverge(what: string): void;
  note(call: string, what: 'lost before it was applied' | 'lost after it was applied'): void;
}

/**
 * Stores that do everything twice: on PostgreSQL, then in memory, one call after the other, and compare the answers.
 * If PostgreSQL could not be reached, its state decides whether the call was applied; the memory follows, and the
 * caller gets the error. `inMemory`: the stores on this memory, possibly watched.
 */
export function pairStores(pair: Pair, memory: Memory, surroundings: Surroundings): Stores {
  const { inTransaction: _inTransaction, ...ports } = pair.inMemory;
  const { exclusively } = surroundings;
  const alone = <Answer>(name: string, work: () => Promise<Attempt<Answer>>): Promise<Answer> =>
    exclusively(() => outsideOfTransaction(name, memory, surroundings, work));
  return {
    ...connectPorts(pair, ports, (name, onPostgres, onMemory) =>
      doTwice(name, onPostgres, onMemory, surroundings, (work) => alone(name, work)),
    ),
    inTransaction: (work) => alone('inTransaction', () => runInTransaction(pair, work, surroundings)),
  };
}

interface Pair {
  readonly postgres: Stores;
  readonly inMemory: Stores;
}

type Method = (...given: readonly unknown[]) => unknown;
type Port = Readonly<Record<string, Method>>;

/** The whole call runs on both sides: the memory's transaction ends before PostgreSQL's does. */
async function runInTransaction<Result>(
  pair: Pair,
  work: (stores: Stores) => Promise<Result>,
  surroundings: Surroundings,
): Promise<Attempt<Result>> {
  await surroundings.before('inTransaction');
  try {
    const value = await pair.postgres.inTransaction((postgres) =>
      pair.inMemory.inTransaction((inMemory) => work(connectWithin({ postgres, inMemory }, surroundings))),
    );
    return { value, applied: true };
  } catch (error) {
    // What was applied in memory stays for a moment: its caller checks whether PostgreSQL applied it.
    return { error, applied: true };
  }
}

/** Calls within a transaction are lost with it, so they need no check of what was applied. */
function connectWithin(pair: Pair, surroundings: Surroundings): Stores {
  const { inTransaction: _inTransaction, ...ports } = pair.inMemory;
  const call = (name: string, onPostgres: Method, onMemory: Method): Method =>
    doTwice(`${name} within a transaction`, onPostgres, onMemory, surroundings, async (work) => {
      const attempt = await work();
      if ('error' in attempt) throw attempt.error;
      return attempt.value;
    });
  return {
    ...connectPorts(pair, ports, call),
    inTransaction: (work) =>
      pair.postgres.inTransaction((postgres) =>
        pair.inMemory.inTransaction((inMemory) => work(connectWithin({ postgres, inMemory }, surroundings))),
      ),
  };
}

function connectPorts<Ports extends object>(
  pair: Pair,
  ports: Ports,
  call: (name: string, onPostgres: Method, onMemory: Method) => Method,
): Ports {
  const connected = Object.entries(ports).map(([name, port]) => {
    const onPostgres = pair.postgres[name as keyof Stores] as unknown as Port;
    const methods = Object.entries(port as Port).map(([method, onMemory]) => {
      const twin = onPostgres[method];
      if (!twin) throw new Error(`PostgreSQL's ${name} has no ${method}.`);
      return [method, call(`${name}.${method}`, twin, onMemory)];
    });
    return [name, Object.fromEntries(methods)];
  });
  return Object.fromEntries(connected) as Ports;
}

/** The result of a call: `applied` says whether the memory has applied it. */
type Attempt<Answer = unknown> =
  | { readonly value: Answer; readonly applied: boolean }
  | {
      readonly error: unknown;
      readonly applied: boolean;
      readonly applyInMemory?: () => Promise<void>;
      /** What the memory's store would be given. */
      readonly given?: readonly unknown[];
    };

function doTwice(
  name: string,
  onPostgres: Method,
  onMemory: Method,
  surroundings: Surroundings,
  run: (work: () => Promise<Attempt>) => Promise<unknown>,
): Method {
  const { ids } = surroundings;
  if (onMemory instanceof AsyncGeneratorFunction) {
    const all = doTwice(name, collect(onPostgres), collect(onMemory), surroundings, run);
    return async function* (...given) {
      yield* (await all(...given)) as readonly unknown[];
    };
  }
  return (...given) =>
    run(async () => {
      const drawn = recordDraws(given);
      await surroundings.before(name);
      const found = await complete(
        onPostgres,
        drawn.recording.map((value) => ids.toPostgres(name, value)),
      );
      const applyInMemory = () =>
        complete(
          onMemory,
          drawn.replaying().map((value) => ids.toMemory(name, value)),
        );
      if ('error' in found && isStoreUnavailable(found.error)) {
        return {
          error: found.error,
          applied: false,
          applyInMemory: async () => void (await applyInMemory()),
          given: given.map((value) => ids.toMemory(name, value)),
        };
      }
      const expected = await applyInMemory();
      if (surroundings.isBroken() && isCompletedBefore(found, expected)) return { ...found, applied: true };
      const difference = findDifference(describe(found, name), describe(expected, name), ids.accept);
      if (difference !== null) surroundings.diverge(`${name} answers differently: ${difference}.`);
      return { ...found, applied: true };
    });
}

/**
 * Runs a call, or a whole transaction, with faults. If the connection was lost, it checks whether PostgreSQL applied
 * it, and brings the memory to the same state.
 */
async function outsideOfTransaction<Answer>(
  name: string,
  memory: Memory,
  surroundings: Surroundings,
  work: () => Promise<Attempt<Answer>>,
): Promise<Answer> {
  const restoreBefore = rememberMemory(memory);
  const attempt = await work();
  await surroundings.after();
  if (!('error' in attempt)) return attempt.value;
  if (!isStoreUnavailable(attempt.error)) throw attempt.error;
  const { applyInMemory } = attempt;
  const restoreAfter = applyInMemory ? null : rememberMemory(memory);
  restoreBefore();
  const ifNotApplied = await surroundings.compareStates();
  if (ifNotApplied === null) {
    surroundings.note(name, 'lost before it was applied');
    throw attempt.error;
  }
  await applyInMemory?.();
  restoreAfter?.();
  const ifApplied = await surroundings.compareStates();
  const isClaimedAlone = async () => {
    if (name !== 'outgoingEmails.claim') return false;
    restoreBefore();
    claimAlone(memory, attempt.given ?? []);
    return (await surroundings.compareStates()) === null;
  };
  if (ifApplied === null || (await isClaimedAlone())) surroundings.note(name, 'lost after it was applied');
  else
    surroundings.diverge(
      `${name} was applied in part: if it was not applied, ${ifNotApplied}; if it was, ${ifApplied}.`,
    );
  throw attempt.error;
}

/**
 * PostgreSQL claims an e-mail, and prepares it afterwards in another transaction. If that one fails, and the release of the claim
 * as well, the claim stays until it expires.
 */
function claimAlone({ emails }: Memory, [, emailId, now]: readonly unknown[]): void {
  const row = emails.get(String(emailId));
  if (!row || !(now instanceof Date)) return;
  const claimedUntil = new Date(now.getTime() + CLAIM_LASTS_MS);
  emails.set(row.id, { ...row, claims: row.claims + 1, claimedUntil });
}

type Completed = { readonly value: unknown } | { readonly error: unknown };

async function complete(method: Method, given: readonly unknown[]): Promise<Completed> {
  try {
    return { value: await method(...given) };
  } catch (error) {
    return { error };
  }
}

/** PostgreSQL's store completes again if it got no answer, and finds what the first try has ended. */
function isCompletedBefore(found: Completed, expected: Completed): boolean {
  return (
    'value' in found &&
    'value' in expected &&
    found.value === 'perhaps-completed' &&
    expected.value === 'completed'
  );
}

function describe(completed: Completed, name = ''): unknown {
  if ('value' in completed) return UNORDERED.has(name) ? sortLists(completed.value) : completed.value;
  const { error } = completed;
  if (error instanceof Error && 'code' in error) return `Throws ${String(error.code)}`;
  return `Throws ${String(error)}`;
}

/** Calls whose answers contain lists in any order: an order is decided by lookups, not by position. */
const UNORDERED: ReadonlySet<string> = new Set(['fulfilment.loadSnapshot']);

/** Sorts lists at any depth, because the aliases of a purchase are in any order as well. */
function sortLists(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.map((item) => JSON.stringify(sortLists(item))).sort();
  if (typeof answer !== 'object' || answer === null || answer instanceof Date) return answer;
  return Object.fromEntries(Object.entries(answer).map(([key, value]) => [key, sortLists(value)]));
}

function collect(method: Method): Method {
  return async (...given) => {
    const rows: unknown[] = [];
    for await (const row of method(...given) as AsyncIterable<unknown>) rows.push(row);
    return rows;
  };
}

/**
 * Values that a store gets from its caller, such as ids of new links, are drawn once: the memory gets those that
 * PostgreSQL got.
 */
function recordDraws(given: readonly unknown[]) {
  const drawn: unknown[] = [];
  const wrap = (draw: (original: Method) => unknown) =>
    given.map((value) => (typeof value === 'function' ? () => draw(value as Method) : value));
  return {
    recording: wrap((original) => {
      const value = original();
      drawn.push(value);
      return value;
    }),
    replaying: () => {
      let at = 0;
      return wrap((original) => {
        at += 1;
        return at <= drawn.length ? drawn[at - 1] : original();
      });
    },
  };
}

const AsyncGeneratorFunction = async function* () {}.constructor as new () => unknown;

/** Whether the database could not be reached, so that the outcome of the call is unknown. */
export function isStoreUnavailable(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'store-unavailable';
}
