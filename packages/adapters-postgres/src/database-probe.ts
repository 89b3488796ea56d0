import pg from 'pg';

const QUESTION = 'select 1';

/** Finds out whether the database is there. */
export interface DatabaseProbe {
  /** Whether it answers a trivial query in time. Who asks while an answer is awaited waits for that one. */
  answers(withinMs: number): Promise<boolean>;
  close(): void;
}

/**
 * Asks over a connection that is none of a pool's, so that a busy pool is not mistaken for a dead database. The
 * connection is kept: on a machine that is short of time a new one alone may take longer than anybody waits. When it
 * says nothing within half of the time, a new one takes its place: an old one may hang though the database is there.
 */
export function createDatabaseProbe(url: string): DatabaseProbe {
  let asking: Promise<boolean> | null = null;
  let kept: pg.Client | null = null;
  let isClosed = false;

  return {
    answers: (withinMs) => {
      asking ??= ask(performance.now() + withinMs).finally(() => {
        asking = null;
      });
      return asking;
    },
    close: () => {
      isClosed = true;
      if (kept) discard(kept);
    },
  };

  async function ask(until: number): Promise<boolean> {
    if (kept && (await answersOver(kept, kept.query(QUESTION), (until - performance.now()) / 2))) return true;
    if (isClosed) return false;
    const client = new pg.Client({ connectionString: url, application_name: 'handover readiness' });
    // Whoever waits on it hears of its loss from its query.
    client.on('error', () => discard(client));
    const answer = client.connect().then(() => client.query(QUESTION));
    kept = client;
    return answersOver(client, answer, until - performance.now());
  }

  /** A client that does not answer is not asked again. */
  async function answersOver(
    client: pg.Client,
    answer: Promise<unknown>,
    withinMs: number,
  ): Promise<boolean> {
    const hasAnswered = await inTime(answer, withinMs);
    if (!hasAnswered) discard(client);
    return hasAnswered;
  }

  function discard(client: pg.Client): void {
    if (client === kept) kept = null;
    // A hung server would never answer a polite goodbye.
    client.connection.stream.destroy();
  }
}

/** Whether it comes to a good end by then. */
function inTime(work: Promise<unknown>, withinMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    // Once more round the loop: it may be we who were busy, and the answer is there to be read.
    const timer = setTimeout(() => setImmediate(resolve, false), withinMs);
    work
      .then(
        () => resolve(true),
        () => resolve(false),
      )
      .finally(() => clearTimeout(timer));
  });
}
