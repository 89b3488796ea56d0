import type { Delivery, DeliveryRecording } from '@handover/domain';
import { joinNotes } from '@handover/domain';
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../schema.ts';

/** Body and entries in one statement: this is what every webhook waits for. */
export async function insertRecording(
  db: Kysely<Schema>,
  { orgId, body, deliveries }: Pick<DeliveryRecording, 'orgId' | 'body' | 'deliveries'>,
  proofNote: string | null = null,
): Promise<void> {
  const column = <Key extends keyof Delivery>(key: Key) => deliveries.map((delivery) => delivery[key]);
  await sql`
    with body as (
      insert into delivery_bodies (org_id, id, bytes, headers, received_at)
      values (${orgId}, ${body.id}, ${body.bytes}, ${JSON.stringify(body.headers)}, ${deliveries[0]?.receivedAt})
    )
    insert into deliveries
      (org_id, id, platform, connection_id, body_id, order_id, order_number, email_folded, received_at, status,
        reason, received_note)
    select ${orgId}::uuid, entry.*
    from unnest(
      ${column('id')}::uuid[],
      ${column('platform')}::text[],
      ${column('connectionId')}::uuid[],
      ${column('bodyId')}::uuid[],
      ${column('orderId')}::text[],
      ${column('orderNumber')}::text[],
      ${column('emailFolded')}::text[],
      ${column('receivedAt')}::timestamptz[],
      ${column('status')}::text[],
      ${column('reason')}::text[],
      ${deliveries.map(({ note }) => joinNotes(note, proofNote))}::text[]
    ) as entry
  `.execute(db);
}
