import pg from 'pg';

const QUESTION = 'select 1';

/** Checks whether the database is reachable. */
export interface DatabaseProbe {
  /** Whether it answers a trivial query in time. Concurrent callers share one query. */
  answers(withinMs: number): Promise<boolean>;
  close(): void;
}

/**
 * Uses a connection outside the pools, so that a busy pool is not taken for a dead database. The connection is kept:
 * on a busy machine a new one alone can take longer than callers wait, so one that is not open by then is left to the next
 * caller. If it does not answer within half of the time, a new one replaces it, because an old connection can hang while the
 * database is up.
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
    if (kept) {
      const former = kept;
      if (await inTime(former.query(QUESTION), (until - performance.now()) / 2)) return true;
      discard(former);
    }
    if (isClosed) return false;
    const client = new pg.Client({ connectionString: url, application_name: 'handover readiness' });
    // The caller learns of the loss from its query.
    client.on('error', () => discard(client));
    const answer = client.connect().then(() => client.query(QUESTION));
    kept = client;
    return inTime(answer, until - performance.now());
  }

  function discard(client: pg.Client): void {
    if (client === kept) kept = null;
    // A hung server would not answer a graceful close.
    client.connection.stream.destroy();
  }
}

/** Whether the work succeeds within this time. */
function inTime(work: Promise<unknown>, withinMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    // Waits for one more tick: this process may have been busy, and the answer may already be there.
    const timer = setTimeout(() => setImmediate(resolve, false), withinMs);
    work
      .then(
        () => resolve(true),
        () => resolve(false),
      )
      .finally(() => clearTimeout(timer));
  });
}
