import type { Prunable } from '@handover/domain';
import { type Complain, type Get, readWholeNumber } from './read-value.ts';

export interface Retention {
  /** How many days the bodies of deliveries are kept. */
  readonly bodyRetentionDays: number;
  /** How many days the content of a removed file is kept. */
  readonly fileRetentionDays: number;
  /** How many days other ended things are kept; null: for ever. */
  readonly retentionDays: Readonly<Record<Exclude<Prunable, 'mailCounts' | 'throttles'>, number | null>>;
}

/** Reads how long everything is kept that gets old: the settings that end with `RETENTION_DAYS`. */
export function readRetention(get: Get, complain: Complain): Retention {
  const readDays = <Usual extends number | null>(name: string, usual: Usual, least = 1, whence = '') =>
    readWholeNumber(name, get(name), { least, most: MAX_DAYS, usual, unit: ' of days', whence }, complain);
  const bodyRetentionDays = readDays('BODY_RETENTION_DAYS', 180);
  return {
    bodyRetentionDays,
    // A backup of the database that is restored needs the files of its time.
    fileRetentionDays: readDays('FILE_RETENTION_DAYS', 30, 7),
    retentionDays: {
      // A body is found and delivered again through its entry.
      logEntries: readDays('LOG_RETENTION_DAYS', null, bodyRetentionDays, ' (BODY_RETENTION_DAYS)'),
      downloads: readDays('DOWNLOAD_RETENTION_DAYS', null),
      activity: readDays('ACTIVITY_RETENTION_DAYS', null),
      // No client retries for so long.
      idempotencyKeys: readDays('IDEMPOTENCY_RETENTION_DAYS', 30, 7),
      // A strict connection accepts proofs that are a day old.
      proofs: readDays('PROOF_RETENTION_DAYS', 30, 2),
      // A link that is used late is explained for so long.
      signIns: readDays('SIGN_IN_RETENTION_DAYS', 7, 7),
    },
  };
}

const MAX_DAYS = 36_500;
