import type { Prunable } from '@handover/domain';

export interface Retention {
  /** How many days the bodies of deliveries are kept. */
  readonly bodyRetentionDays: number;
  /** How many days the content of a removed file is kept. */
  readonly fileRetentionDays: number;
  /** How many days other ended things are kept; null: for ever. */
  readonly retentionDays: Readonly<Record<Exclude<Prunable, 'mailCounts' | 'throttles'>, number | null>>;
}

/** Reads how long everything is kept that gets old: the settings that end with `RETENTION_DAYS`. */
export function readRetention(
  get: (name: string) => string | null,
  complain: (name: string, problem: string) => void,
): Retention {
  const readDays = <Usual extends number | null>(
    name: string,
    usual: Usual,
    least = 1,
    whence = '',
  ): number | Usual => {
    const text = get(name);
    if (text === null) return usual;
    const days = Number(text);
    if (/^\d+$/.test(text) && days >= least && days <= MAX_DAYS) return days;
    complain(name, `must be a number of days from ${least}${whence} to ${MAX_DAYS}, not “${text}”`);
    return usual;
  };
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
