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
import { doTogether } from '../../../statements/batches.ts';
import { areIds } from '../../../statements/ids.ts';
import { unnestRows } from '../../../statements/rows.ts';
import { readDeliveryLog } from '../../reads/fulfilment/delivery-log.ts';
import { raiseAlerts } from '../email/raise-alert.ts';
import { insertRefunds } from './insert-refunds.ts';
import { takeRejected } from './rejected-deliveries.ts';

export function createPostgresDeliveryLog(db: Db, jobs: JobOutbox): DeliveryLog {
  const recordTogether = createTogetherRecorder(db, jobs);
  return {
    ...readDeliveryLog(db),

    record: (recording) =>
      isAlone(recording) ? recordAlone(db, jobs, recording) : recordTogether(recording),

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

/** Whether the request needs more than its own rows, which is rare: then it gets its own transaction. */
function isAlone({ rejectedId, alerts = [], refunds = [] }: DeliveryRecording): boolean {
  return rejectedId !== null || alerts.length > 0 || refunds.length > 0;
}

async function recordAlone(db: Db, jobs: JobOutbox, recording: DeliveryRecording): Promise<RecordOutcome> {
  const outcome = await transact<RecordOutcome>(db, async (trx, giveUp) => {
    const { rejectedId, proof } = recording;
    if (rejectedId !== null && !(await takeRejected(trx, recording.orgId, rejectedId))) giveUp('gone');
    const [recorded = 'recorded'] = await recordAll(trx, [recording]);
    if (recorded === 'reused' && proof?.whenReused.kind === 'refuse') giveUp('reused');
    await raiseAlerts(trx, jobs, recording.orgId, recording.alerts ?? []);
    await insertRefunds(trx, recording.orgId, recording.refunds ?? []);
    return recorded;
  });
  jobs.wake(recording.jobs);
  return outcome;
}

export type RecordOutcome = Awaited<ReturnType<DeliveryLog['record']>>;

type Recording = Pick<DeliveryRecording, 'orgId' | 'body' | 'deliveries' | 'jobs' | 'proof'>;

/** Limits the bytes of a statement, which are in memory in this process and in PostgreSQL. */
const MAX_BYTES = 4 * 1024 * 1024;

/** Concurrent requests of an organisation share one commit. Each is answered after it. */
export function createTogetherRecorder(
  db: Db,
  jobs: JobOutbox,
): (recording: Recording) => Promise<RecordOutcome> {
  return doTogether<Recording, RecordOutcome>(db, {
    keyOf: ({ orgId }) => orgId,
    subjectsOf: ({ proof, deliveries }) => (proof ? [nameProof(proof, deliveries[0]?.connectionId)] : []),
    weigh: ({ body }) => body.bytes.length,
    maxWeight: MAX_BYTES,
    run: async (recordings) => {
      const due = recordings.flatMap((recording) => recording.jobs);
      const reservation = jobs.reserve(due);
      let recorded: readonly Job[] = [];
      try {
        const outcomes = await writeAll(db, recordings, reservation).catch((error) => {
          if (db.isTransaction || !isPartitionMade(error)) throw error;
          return writeAll(db, recordings, reservation);
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

function writeAll(
  db: Db,
  recordings: readonly Recording[],
  reservation: Reservation,
): Promise<readonly RecordOutcome[]> {
  return recordings.some(({ proof }) => proof)
    ? runTransaction(db, (trx) => recordAll(trx, recordings, reservation))
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
 * All are of one organisation, and no two have the same proof. A refused request leaves nothing; the others are
 * recorded.
 */
export async function recordAll(
  trx: Trx,
  recordings: readonly Recording[],
  reservation = NOTHING_RESERVED,
): Promise<readonly RecordOutcome[]> {
  const orgId = recordings[0]?.orgId ?? '';
  const reused = await useProofs(trx, orgId, recordings);
  const kept = recordings.filter(
    (recording) => !(reused.has(recording) && recording.proof?.whenReused.kind === 'refuse'),
  );
  if (kept.length > 0) {
    const written = kept.map((recording) => ({
      ...recording,
      proofNote: reused.has(recording) ? noteOf(recording.proof) : null,
    }));
    await insertRecordings(trx, orgId, written, reservation);
  }
  return recordings.map((recording) => (reused.has(recording) ? 'reused' : 'recorded'));
}

/**
 * Finds the requests whose proof was used before with another body. Of two concurrent ones the second waits here for the first to
 * commit; the update that changes nothing lets it read the row that it conflicts with. Every transaction locks the
 * rows in the same order.
 */
async function useProofs(
  trx: Trx,
  orgId: string,
  recordings: readonly Recording[],
): Promise<ReadonlySet<Recording>> {
  const used = recordings.flatMap((recording) => {
    const { proof, deliveries } = recording;
    const [first] = deliveries;
    return proof && first ? [{ recording, proof, ...first }] : [];
  });
  if (used.length === 0) return new Set();
  const proofs = used.map(({ proof, connectionId, receivedAt }) => ({ ...proof, connectionId, receivedAt }));
  const { rows } = await sql<UsedProof>`
    insert into used_proofs (org_id, connection_id, fingerprint, body_sha256, first_seen_at)
    select ${orgId}::uuid, proof.*
    from ${unnestRows(proofs).as(`proof (
      connection_id uuid, fingerprint text, body_sha256 text, received_at timestamptz
    )`)}
    order by connection_id, fingerprint
    on conflict (org_id, connection_id, fingerprint) do update set fingerprint = excluded.fingerprint
    returning connection_id as "connectionId", fingerprint, body_sha256 as "bodySha256"
  `.execute(trx);
  const firstBodies = new Map(rows.map((row) => [nameProof(row, row.connectionId), row.bodySha256]));
  const isReused = ({ proof, connectionId }: (typeof used)[number]) =>
    firstBodies.get(nameProof(proof, connectionId)) !== proof.bodySha256;
  return new Set(used.filter(isReused).map(({ recording }) => recording));
}

interface UsedProof {
  readonly connectionId: string;
  readonly fingerprint: string;
  readonly bodySha256: string;
}

function nameProof({ fingerprint }: Pick<Proof, 'fingerprint'>, connectionId: string | undefined): string {
  return `${connectionId?.toLowerCase()} ${fingerprint}`;
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
