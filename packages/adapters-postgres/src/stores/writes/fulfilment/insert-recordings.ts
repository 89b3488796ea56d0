import type { DeliveryRecording } from '@handover/domain';
import { joinNotes } from '@handover/domain';
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../../../database/schema.ts';
import { insertJobs } from '../../../jobs/enqueue-jobs.ts';
import { columnsOf } from '../../../statements/columns-of.ts';

/** What is stored of a request. */
export type WrittenRecording = Pick<DeliveryRecording, 'body' | 'deliveries' | 'jobs'> & {
  /** What the store finds for its proof. */
  readonly proofNote?: string | null;
};

/**
 * Inserts bodies, entries and their jobs in one statement: every webhook waits for this. The bytes of all bodies are
 * one binary parameter: an array would be sent as text, twice as long.
 */
export async function insertRecordings(
  db: Kysely<Schema>,
  orgId: string,
  recordings: readonly WrittenRecording[],
): Promise<void> {
  const bodies = placeBodies(recordings);
  const body = columnsOf(bodies);
  const entries = recordings.flatMap(({ deliveries, proofNote = null }) =>
    deliveries.map((delivery) => ({ ...delivery, note: joinNotes(delivery.note, proofNote) })),
  );
  const entry = columnsOf(entries);
  await sql`
    with body as (
      insert into delivery_bodies (org_id, id, bytes, headers, received_at)
      select ${orgId}::uuid, id, substring(${joinBytes(recordings)}::bytea from place for length), headers::jsonb, received_at
      from unnest(
        ${body('id')}::uuid[],
        ${body('place')}::integer[],
        ${body('length')}::integer[],
        ${body('headers')}::text[],
        ${body('receivedAt')}::timestamptz[]
      ) as kept (id, place, length, headers, received_at)
    ),
    queued as (${insertJobs(recordings.flatMap(({ jobs }) => jobs))})
    insert into deliveries
      (org_id, id, platform, connection_id, body_id, order_id, order_number, email_normalized, received_at, status,
        reason, received_note, trace_context)
    select ${orgId}::uuid, entry.*
    from unnest(
      ${entry('id')}::uuid[],
      ${entry('platform')}::text[],
      ${entry('connectionId')}::uuid[],
      ${entry('bodyId')}::uuid[],
      ${entry('orderId')}::text[],
      ${entry('orderNumber')}::text[],
      ${entry('normalizedEmail')}::text[],
      ${entry('receivedAt')}::timestamptz[],
      ${entry('status')}::text[],
      ${entry('reason')}::text[],
      ${entry('note')}::text[],
      ${entry('traceContext')}::text[]
    ) as entry
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
