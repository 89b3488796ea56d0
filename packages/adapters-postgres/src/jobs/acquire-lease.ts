import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../database/connect-database.ts';

/** Work that is repeated, by one process at a time. */
export interface Turn {
  readonly name: string;
  /** The pause between the end of one turn and the next. */
  readonly everyMs: number;
  /** How long a process that died or froze keeps the lease from the others. */
  readonly leaseMs: number;
  /** A process that works for longer than this counts as stuck: its lease is not renewed any more. */
  readonly withinMs: number;
}

const BEATS_PER_LEASE = 3;

/**
 * Does the work if it is due and no other process does it; returns whether it did. The row is a short lease by the
 * database's clock, renewed while the process works. If a process freezes for longer than the lease, two processes
 * work at once: the work must be idempotent.
 */
export async function acquireLease(
  { db }: Pick<Database, 'db'>,
  { name, everyMs, leaseMs, withinMs }: Turn,
  work: () => Promise<void>,
): Promise<boolean> {
  const holder = randomUUID();
  const { rows } = await sql`
    insert into leases (name, due_at, holder) values (${name}, ${later(leaseMs)}, ${holder})
    on conflict (name) do update set due_at = excluded.due_at, holder = excluded.holder
      where leases.due_at <= now()
    returning name
  `.execute(db);
  if (rows.length === 0) return false;
  const setDue = (set: RawBuilder<unknown>) =>
    sql`update leases set ${set} where name = ${name} and holder = ${holder}`.execute(db);
  const stuckAt = performance.now() + withinMs;
  const timer = setInterval(() => {
    if (performance.now() > stuckAt) clearInterval(timer);
    // A failed renewal is repeated at the next beat; by then another process may hold the lease.
    else setDue(sql`due_at = ${later(leaseMs)}`).catch(() => undefined);
  }, leaseMs / BEATS_PER_LEASE);
  timer.unref();
  try {
    await work();
  } finally {
    clearInterval(timer);
    // From here on, a renewal that is still in flight finds the lease released.
    await setDue(sql`due_at = ${later(everyMs)}, holder = null`);
  }
  return true;
}

function later(milliseconds: number) {
  return sql`now() + make_interval(secs => ${milliseconds / 1000}::double precision)`;
}
