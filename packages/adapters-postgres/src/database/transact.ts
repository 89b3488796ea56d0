import { sql } from 'kysely';
import type pg from 'pg';
import { silence } from './create-pool.ts';
import type { Db, Trx } from './schema.ts';
import { isTimeLimit } from './store-errors.ts';

/**
 * Runs the work in one transaction and returns its result. `giveUp(answer)` rolls everything back and returns
 * `answer`.
 */
export async function transact<Answer>(
  db: Db,
  work: (trx: Trx, giveUp: (answer: Answer) => never) => Promise<Answer>,
): Promise<Answer> {
  const aborted: { answer?: Answer } = {};
  const giveUp = (answer: Answer): never => {
    aborted.answer = answer;
    throw aborted;
  };
  try {
    return await runTransaction(db, (trx) => work(trx, giveUp));
  } catch (error) {
    if (error === aborted && 'answer' in aborted) return aborted.answer as Answer;
    throw error;
  }
}

/** Runs the work in its own transaction; within an open one, in a savepoint, so that it can fail alone. */
export function runTransaction<Answer>(db: Db, work: (trx: Trx) => Promise<Answer>): Promise<Answer> {
  return isTransaction(db) ? runPart(db, work) : db.transaction().execute(work);
}

function isTransaction(db: Db): db is Trx {
  return db.isTransaction;
}

async function runPart<Answer>(trx: Trx, work: (trx: Trx) => Promise<Answer>): Promise<Answer> {
  // A nested savepoint may have the same name: the newest one is meant.
  await sql`savepoint part`.execute(trx);
  try {
    const answer = await work(trx);
    await sql`release savepoint part`.execute(trx);
    return answer;
  } catch (error) {
    // A lost connection ends the whole transaction, and the first error says so.
    await undoPart(trx).catch(() => undefined);
    throw error;
  }
}

async function undoPart(trx: Trx): Promise<void> {
  await sql`rollback to savepoint part`.execute(trx);
  await sql`release savepoint part`.execute(trx);
}

/**
 * Reads with a time limit of its own (milliseconds). The limit ends with the transaction, so that the connection goes back to
 * its pool without it.
 */
export async function readWithin<Answer>(
  db: Db,
  maxMs: number,
  read: (trx: Trx) => Promise<Answer>,
): Promise<Answer | 'took-too-long'> {
  try {
    return await runTransaction(db, async (trx) => {
      await sql`select set_config('statement_timeout', ${`${maxMs}ms`}, true)`.execute(trx);
      return await read(trx);
    });
  } catch (error) {
    if (isTimeLimit(error)) return 'took-too-long';
    throw error;
  }
}

/**
 * A statement that begins with this text is held back within a transaction, because its result is not needed yet. It is sent in
 * one message with the next statement, at the latest with `commit`: every round trip wakes two processes. It fails with that
 * statement, and its result has its rows once that one is answered.
 */
export const WITH_NEXT = '/* sent together */';

/** Not sent itself: only sends what is held back. */
const SEND_HELD = '/* send what is held back */';

/** Sends what is held back within the transaction, and waits until all of it is answered. */
export async function sendHeld(trx: Trx): Promise<void> {
  await sql.raw(SEND_HELD).execute(trx);
}

/** The statement that Kysely sends to begin a transaction. */
export const BEGIN = 'begin';

const ROLLBACK = 'rollback';
const ENDS: ReadonlySet<string> = new Set(['commit', ROLLBACK]);

/** `place`: the position of the statement among those that are sent together, from 1. They are answered in this order. */
export type Send = (text: string, values: readonly unknown[], place?: number) => Promise<pg.QueryResult>;

interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
  /** Empty until it is answered. */
  readonly result: pg.QueryResult;
}

/**
 * Holds back statements that begin with `WITH_NEXT` until the next other statement. `send` passes a statement to the client at
 * once, which sends it without waiting for earlier answers. A connection that is silent for `maxSilenceMs` is lost.
 */
export function sendTogether(client: pg.PoolClient, send: Send, maxSilenceMs: number): Send {
  let held: readonly Statement[] = [];
  let isInTransaction = false;
  return async (text, values) => {
    if (text === BEGIN || (isInTransaction && text.startsWith(WITH_NEXT))) {
      isInTransaction = true;
      const result = nothing(text);
      held = [...held, { text, values, result }];
      return result;
    }
    if (ENDS.has(text)) isInTransaction = false;
    const before = held;
    held = [];
    // A rollback undoes what was held back, so that need not be sent. Nor the rollback, if nothing of the transaction was sent.
    const isUndone = text.startsWith(ROLLBACK);
    if (before[0]?.text === BEGIN && (isUndone || (ENDS.has(text) && before.length === 1))) {
      return nothing(text);
    }
    const isNone = text === SEND_HELD;
    if (isNone && before.length === 0) return nothing(text);
    if (before.length === 0 || isUndone) return send(text, values);

    const { stream } = client.connection;
    stream.cork();
    const sent = before.map((one, at) => send(one.text, one.values, at + 1));
    if (!isNone) sent.push(send(text, values, before.length + 1));
    stream.uncork();
    const answers = await answerInTurn(sent, maxSilenceMs, () => stream.destroy(silence()));
    // After a failure, PostgreSQL refuses the rest of the transaction: the first one is the cause.
    const failed = answers.find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
    for (const [at, { result }] of before.entries()) result.rows.push(...((await sent[at])?.rows ?? []));
    return sent.at(-1) as Promise<pg.QueryResult>;
  };
}

/**
 * The time limit of a statement begins when the previous one is answered. With one limit for all of them together, a connection
 * that hangs would delay the organisation's next batch for as long as all of them may take.
 */
async function answerInTurn(
  sent: readonly Promise<pg.QueryResult>[],
  maxSilenceMs: number,
  giveUp: () => unknown,
): Promise<readonly PromiseSettledResult<pg.QueryResult>[]> {
  const answers = Promise.allSettled(sent);
  for (const one of sent) {
    const timer = setTimeout(giveUp, maxSilenceMs);
    await one.catch(() => undefined);
    clearTimeout(timer);
  }
  return answers;
}

/** Sends each statement at once: for a connection that must hold nothing back. */
export function sendEach(send: Send): Send {
  return (text, values) => (text === SEND_HELD ? Promise.resolve(nothing(text)) : send(text, values));
}

function nothing(text: string): pg.QueryResult {
  return { command: text.toUpperCase(), rowCount: 0, oid: 0, fields: [], rows: [] };
}
