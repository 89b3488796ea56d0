import type { ClientBase } from 'pg';
import { MIGRATIONS } from '../migrations/migrate.ts';
import { evaluateSchema, readSchema, type SchemaState, withClient } from '../migrations/schema-state.ts';
import { readSealedInUse, type SealedCount } from '../secrets/sealed-secrets.ts';
import { isDiskFull, isReadOnly } from './store-errors.ts';

/** What a database says of itself. */
export interface ExaminedDatabase {
  /** Such as 180004 for 18.4. */
  readonly versionNumber: number;
  readonly schema: SchemaState;
  /** What is encrypted with which key; empty unless it has the tables of this version. */
  readonly sealed: readonly SealedCount[];
  /** How far the clock of this machine is ahead of the database's, in milliseconds; negative: behind. */
  readonly clockOffsetMs: number;
  /** How long the oldest job that no worker has taken has been due; 0 if there is none, or no table of ours. */
  readonly oldestDueJobMs: number;
  /** Whether it takes writes. It still answers reads on a full disk, and where it is a standby. */
  readonly writes: 'taken' | 'disk-full' | 'read-only';
}

/**
 * Reads version, schema, clock, the keys in use and the queue, and changes nothing: what it writes is temporary and rolled back.
 * Throws when the database does not answer.
 */
export function examineDatabase(url: string): Promise<ExaminedDatabase> {
  return withClient(url, 'doctor', async (client) => {
    const askedAt = Date.now();
    const { rows } = await client.query<{ readonly versionNumber: number; readonly now: number }>(`
      select
        current_setting('server_version_num')::integer as "versionNumber",
        (extract(epoch from clock_timestamp()) * 1000)::double precision as now
    `);
    const [row] = rows;
    if (!row) throw new Error('A statement without conditions found no row.');
    const here = (askedAt + Date.now()) / 2;
    const schema = evaluateSchema(await readSchema(client), Object.keys(MIGRATIONS));
    const isOurs = schema.kind === 'current' || schema.kind === 'newer-compatible';
    return {
      versionNumber: row.versionNumber,
      schema,
      sealed: schema.kind === 'current' ? await readSealedInUse(client) : [],
      clockOffsetMs: here - row.now,
      oldestDueJobMs: isOurs ? await readOldestDueJob(client) : 0,
      writes: await tryWrites(client),
    };
  });
}

async function readOldestDueJob(client: ClientBase): Promise<number> {
  const { rows } = await client.query<{ readonly milliseconds: number }>(`
    select coalesce(extract(epoch from now() - min(due_at)) * 1000, 0)::double precision as milliseconds
    from jobs
    where due_at < now() and (lease_until is null or lease_until < now())
  `);
  return rows[0]?.milliseconds ?? 0;
}

/** Half a megabyte, which does not fit into what is left of blocks. */
async function tryWrites(client: ClientBase): Promise<ExaminedDatabase['writes']> {
  await client.query('begin');
  try {
    await client.query(`
      create temporary table written_by_doctor on commit drop as
      select repeat('x', 1000) as text from generate_series(1, 500)
    `);
    return 'taken';
  } catch (error) {
    // Any other refusal concerns temporary tables alone: the role may lack that right.
    if (isDiskFull(error)) return 'disk-full';
    return isReadOnly(error) ? 'read-only' : 'taken';
  } finally {
    await client.query('rollback');
  }
}
