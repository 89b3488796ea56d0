import type { CheckResult } from '@handover/adapters-http';
import type { ExaminedDatabase } from '@handover/adapters-postgres';
import { formatsOf } from '@handover/domain';
import { bad, type Failed, good, warn } from './findings.ts';

const OLDEST_POSTGRES = 15;
const UNTIL_THEN = 'Orders are refused until then, and not every shop sends them again.';

/** Whether the database answers, takes writes, has our tables, and a worker that takes its jobs. */
export function evaluateDatabase(database: ExaminedDatabase | Failed): readonly CheckResult[] {
  if ('error' in database) {
    return [
      bad(
        'database',
        `The database does not answer: ${database.error}`,
        `${adviseOnDatabase(database.error)} ${UNTIL_THEN}`,
      ),
    ];
  }
  const major = Math.floor(database.versionNumber / 10_000);
  const version =
    major < OLDEST_POSTGRES
      ? bad(
          'database',
          `PostgreSQL ${major} is too old.`,
          `Upgrade to PostgreSQL ${OLDEST_POSTGRES} or newer.`,
        )
      : good('database', `PostgreSQL ${major} answers.`);
  const { writes, schema, oldestDueJobMs } = database;
  return [version, ...evaluateWrites(writes), evaluateSchema(schema), ...evaluateQueue(oldestDueJobMs)];
}

function evaluateWrites(writes: ExaminedDatabase['writes']): readonly CheckResult[] {
  if (writes === 'taken') return [];
  const [why, fix] = REFUSED_WRITES[writes];
  return [bad('database', `It answers, but takes no writes: ${why}.`, `${fix} ${UNTIL_THEN}`)];
}

const REFUSED_WRITES = {
  'disk-full': ['its disk is full', 'Free space on the disk of PostgreSQL.'],
  'read-only': [
    'it is read-only',
    'If it is a standby, let DATABASE_URL name the primary, or promote it. If not, set default_transaction_read_only to off.',
  ],
} as const;

function adviseOnDatabase(error: string): string {
  return /ENOSPC|no space left/i.test(error)
    ? 'Free space on the disk of DATA_DIR and of PostgreSQL.'
    : 'Start PostgreSQL, or correct DATABASE_URL.';
}

/** A worker takes a job within seconds, unless there are very many. */
const LATE_MS = 2 * 60_000;

function evaluateQueue(oldestDueJobMs: number): readonly CheckResult[] {
  if (oldestDueJobMs < LATE_MS) return [];
  const minutes = formatsOf('en').duration(Math.floor(oldestDueJobMs / 60_000) * 60_000);
  return [
    bad(
      'database',
      `A job has been due for ${minutes}, and no process took it: orders or receipts wait.`,
      'Start a worker, which is a process with ROLE=worker or all. If one runs, read its log, or add another.',
    ),
  ];
}

function evaluateSchema(schema: ExaminedDatabase['schema']): CheckResult {
  switch (schema.kind) {
    case 'current':
      return good('database', 'Its tables are those of this version.');
    case 'empty':
      return warn('database', 'It has no tables yet.', 'Start the server, or run: handover migrate');
    case 'older':
      return bad('database', `Its tables lack ${schema.pending.join(', ')}.`, 'Run: handover migrate');
    case 'newer-compatible':
      return warn(
        'database',
        `A newer version has migrated it (${schema.latest}).`,
        'Install that version here, too, once the upgrade is complete.',
      );
    case 'newer':
      return bad(
        'database',
        `A newer version has migrated it (${schema.latest}), and this one cannot use its tables.`,
        'Install that version or a later one.',
      );
    case 'before-release':
      return bad(
        'database',
        'Its tables are from before the first release.',
        'Give DATABASE_URL an empty database.',
      );
  }
}
