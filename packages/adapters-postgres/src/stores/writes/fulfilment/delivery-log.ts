import {
  type DeliveryLog,
  type DeliveryRecording,
  type Job,
  joinNotes,
  normalizeEmail,
  type Proof,
} from '@handover/domain';
import { sql } from 'kysely';
import type { Db, Trx } from '../../../database/schema.ts';
import { isPartitionMade } from '../../../database/store-errors.ts';
import { runTransaction, transact, WITH_NEXT } from '../../../database/transact.ts';
import { insertJobs, type JobOutbox, NOTHING_RESERVED, type Reservation } from '../../../jobs/job-outbox.ts';
import { createTurns, doTogether, type Turns } from '../../../statements/batches.ts';
import { areIds } from '../../../statements/ids.ts';
import { unnestRows } from '../../../statements/rows.ts';
import { readDeliveryLog } from '../../reads/fulfilment/delivery-log.ts';
import { raiseAlerts } from '../email/raise-alert.ts';
import { insertRefunds } from './insert-refunds.ts';
import { takeRejected } from './rejected-deliveries.ts';
import { nameProof, useProofs } from './use-proofs.ts';

export function createPostgresDeliveryLog(db: Db, jobs: JobOutbox): DeliveryLog {
  const recordOwnRows = createTogetherRecorder(db, jobs);
  // Apart from the others, which must not wait with them for a lock.
  const turns = createTurns(MAX_WITH_MORE_AT_ONCE);
  const recordWithMore = createTogetherRecorder(db, jobs, { turns, keepsTurn: true });
  return {
    ...readDeliveryLog(db),

    record: (recording) => {
      if (recording.rejectedId !== null) return recordRejected(db, jobs, recording, recording.rejectedId);
      return hasMore(recording) ? recordWithMore(recording) : recordOwnRows(recording);
    },

    explainPending: async (orgId, deliveryId, reason) => {
      if (!areIds(orgId, deliveryId)) return;
      await db
        .updateTable('deliveries')
        .set({ reason })
        .where('org_id', '=', orgId)
        .where('id', '=', deliveryId)
        .where('status', '=', 'pending')
        .where('decided_at', 'is', null)
        // The entry is retried repeatedly: an unchanged row needs no new version.
        .where(sql<boolean>`reason is distinct from ${reason}`)
        .execute();
    },

    addAddress: async (orgId, deliveryId, email) => {
      if (!areIds(orgId, deliveryId)) return false;
      const { numUpdatedRows } = await db
        .updateTable('deliveries')
        .set({ added_email: email, email_normalized: normalizeEmail(email) })
        .where('org_id', '=', orgId)
        .where('id', '=', deliveryId)
        .where('order_id', 'is not', null)
        .where('email_normalized', 'is', null)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('delivery_lines')
                .select('position')
                .where('org_id', '=', orgId)
                .where('delivery_id', '=', deliveryId),
            ),
          ),
        )
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
  };
}

/**
 * The number of organisations whose requests wait for alerts or refunds at once: all use the connections that accept webhooks.
 */
const MAX_WITH_MORE_AT_ONCE = 2;

/** Whether the request needs more than its own rows, which is rare. */
function hasMore({ alerts = [], refunds = [] }: Recording): boolean {
  return alerts.length > 0 || refunds.length > 0;
}

async function recordRejected(
  db: Db,
  jobs: JobOutbox,
  recording: Recording,
  rejectedId: string,
): Promise<RecordOutcome> {
  const outcome = await transact<RecordOutcome>(db, async (trx, giveUp) => {
    if (!(await takeRejected(trx, recording.orgId, rejectedId))) giveUp('gone');
    const [recorded = 'recorded'] = await recordAll(trx, jobs, [recording]);
    return isRefused(recording, recorded) ? giveUp(recorded) : recorded;
  });
  jobs.wake(recording.jobs);
  return outcome;
}

type RecordOutcome = Awaited<ReturnType<DeliveryLog['record']>>;

type Recording = Omit<DeliveryRecording, 'rejectedId'>;

/** Limits the bytes of a statement, which are in memory in this process and in PostgreSQL. */
const MAX_BYTES = 4 * 1024 * 1024;

/** Concurrent requests of an organisation share one commit. Each is answered after it. */
function createTogetherRecorder(
  db: Db,
  jobs: JobOutbox,
  taking: { readonly turns?: Turns; readonly keepsTurn?: boolean } = {},
): (recording: Recording) => Promise<RecordOutcome> {
  return doTogether<Recording, RecordOutcome>(db, {
    ...taking,
    keyOf: ({ orgId }) => orgId,
    subjectsOf,
    weigh: ({ body }) => body.bytes.length,
    maxWeight: MAX_BYTES,
    run: async (recordings) => {
      const due = recordings.flatMap((recording) => recording.jobs);
      const reservation = jobs.reserve(due);
      let recorded: readonly Job[] = [];
      try {
        const outcomes = await writeAll(db, jobs, recordings, reservation).catch((error) => {
          if (db.isTransaction || !isPartitionMade(error)) throw error;
          return writeAll(db, jobs, recordings, reservation);
        });
        // Also of refused requests: their jobs find no entry and end.
        recorded = due;
        return outcomes;
      } finally {
        reservation.start(recorded);
        jobs.wake(recorded.filter((job) => !reservation.jobs.includes(job)));
      }
    },
  });
}

/** What two recordings of one statement must not share. */
function subjectsOf({ proof, deliveries, refunds = [] }: Recording): readonly string[] {
  return [
    ...(proof ? [nameProof(proof, deliveries[0]?.connectionId)] : []),
    ...refunds.map(({ connectionId, namedBy, order }) => `refund ${connectionId} ${namedBy} ${order}`),
  ];
}

function writeAll(
  db: Db,
  jobs: JobOutbox,
  recordings: readonly Recording[],
  reservation: Reservation,
): Promise<readonly RecordOutcome[]> {
  return recordings.some((recording) => recording.proof || hasMore(recording))
    ? runTransaction(db, (trx) => recordAll(trx, jobs, recordings, reservation))
    : insertAll(db, recordings, reservation);
}

/** Inserts everything in one statement. */
async function insertAll(
  db: Db,
  recordings: readonly Recording[],
  reservation: Reservation,
): Promise<readonly RecordOutcome[]> {
  await insertRecordings(db, recordings[0]?.orgId ?? '', recordings, reservation);
  return recordings.map(() => 'recorded');
}

/**
 * All are of one organisation, and no two share a subject. A refused request leaves nothing; the others are
 * recorded.
 */
async function recordAll(
  trx: Trx,
  jobs: JobOutbox,
  recordings: readonly Recording[],
  reservation = NOTHING_RESERVED,
): Promise<readonly RecordOutcome[]> {
  const orgId = recordings[0]?.orgId ?? '';
  const reused = await useProofs(trx, orgId, recordings);
  const outcomeOf = (recording: Recording) => (reused.has(recording) ? 'reused' : 'recorded');
  const kept = recordings.filter((recording) => !isRefused(recording, outcomeOf(recording)));
  if (kept.length > 0) {
    const written = kept.map((recording) => ({
      ...recording,
      proofNote: reused.has(recording) ? noteOf(recording.proof) : null,
    }));
    await insertRecordings(trx, orgId, written, reservation);
    await raiseAlerts(
      trx,
      jobs,
      orgId,
      kept.flatMap(({ alerts = [] }) => alerts),
    );
    await insertRefunds(
      trx,
      orgId,
      kept.flatMap(({ refunds = [] }) => refunds),
    );
  }
  return recordings.map(outcomeOf);
}

function isRefused({ proof }: Recording, outcome: RecordOutcome): boolean {
  return outcome === 'reused' && proof?.whenReused.kind === 'refuse';
}

function noteOf(proof: Proof | null): string | null {
  return proof?.whenReused.kind === 'note' ? proof.whenReused.note : null;
}

/** The parts of a recording that are stored. */
type WrittenRecording = Pick<DeliveryRecording, 'body' | 'deliveries' | 'jobs'> & {
  /** The note that the entries get if their proof was used before. */
  readonly proofNote?: string | null;
};

/**
 * Inserts bodies, entries and their jobs in one statement: every webhook waits for this. The bytes of all bodies are
 * one binary parameter: an array would be sent as text, twice as long.
 */
export async function insertRecordings(
  db: Db,
  orgId: string,
  recordings: readonly WrittenRecording[],
  reservation = NOTHING_RESERVED,
): Promise<void> {
  const entries = recordings.flatMap(({ deliveries, proofNote = null }) =>
    deliveries.map(({ isTest = false, ...delivery }) => ({
      ...delivery,
      isTest,
      note: joinNotes(delivery.note, proofNote),
    })),
  );
  await sql`${sql.raw(WITH_NEXT)}
    with body as (
      insert into delivery_bodies (org_id, id, bytes, headers, received_at)
      select ${orgId}::uuid, id, substring(${joinBytes(recordings)}::bytea from place for length), headers::jsonb, received_at
      from ${unnestRows(placeBodies(recordings)).as(`kept (
        id uuid, place integer, length integer, headers text, received_at timestamptz
      )`)}
    ),
    queued as (${insertJobs(
      recordings.flatMap(({ jobs }) => jobs),
      reservation,
    )})
    insert into deliveries
      (org_id, id, platform, connection_id, body_id, order_id, order_number, email_normalized, received_at, status,
        reason, received_note, trace_context, is_test)
    select ${orgId}::uuid, entry.*
    from ${unnestRows(entries).as(`entry (
      id uuid, platform text, connection_id uuid, body_id uuid, order_id text, order_number text, normalized_email text,
      received_at timestamptz, status text, reason text, note text, trace_context text, is_test boolean
    )`)}
  `.execute(db);
}

/** PostgreSQL counts positions from 1. */
function placeBodies(recordings: readonly WrittenRecording[]) {
  let place = 1;
  return recordings.map(({ body: { id, bytes, headers }, deliveries }) => {
    const placed = { id, place, length: bytes.length, headers: JSON.stringify(headers) };
    place += bytes.length;
    return { ...placed, receivedAt: deliveries[0]?.receivedAt };
  });
}

function joinBytes(recordings: readonly WrittenRecording[]): Uint8Array {
  const [first, ...others] = recordings;
  return first && others.length === 0
    ? first.body.bytes
    : Buffer.concat(recordings.map(({ body }) => body.bytes));
}
