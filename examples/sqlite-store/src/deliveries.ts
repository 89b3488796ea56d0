import type { Alert, DeliveryRecording, DeliveryStatus, StoredDelivery } from '@handover/domain';
import { type Database, toDate } from './database.ts';
import { queueJob } from './jobs.ts';

export function record(database: Database, recording: DeliveryRecording): 'recorded' {
  const { orgId, body, deliveries, jobs, proof, rejectedId, alerts = [] } = recording;
  if (proof !== null || rejectedId !== null)
    throw new TypeError('This store takes orders alone: it keeps no proofs and no rejected requests.');
  return database.inTransaction(() => {
    database.run('insert into bodies values (:orgId, :id, :bytes, :headers)', {
      orgId,
      id: body.id,
      bytes: body.bytes,
      headers: JSON.stringify(body.headers),
    });
    for (const { receivedAt, note, isTest: _test, ...delivery } of deliveries)
      database.run(
        `insert into deliveries (org_id, id, body_id, platform, connection_id, order_id, order_number, normalized_email,
           received_at, status, reason, arrival_note, note)
         values (:orgId, :id, :bodyId, :platform, :connectionId, :orderId, :orderNumber, :normalizedEmail,
           :receivedAt, :status, :reason, :note, :note)`,
        { ...delivery, receivedAt: receivedAt.getTime(), note },
      );
    for (const job of jobs) queueJob(database, job);
    for (const alert of alerts) addAlert(database, alert);
    return 'recorded';
  });
}

export function find(database: Database, orgId: string, deliveryId: string): StoredDelivery | null {
  const row = database.get<DeliveryRow>(
    `select d.*, b.bytes, b.headers from deliveries d join bodies b on b.org_id = d.org_id and b.id = d.body_id
     where d.org_id = :orgId and d.id = :deliveryId`,
    { orgId, deliveryId },
  );
  if (!row) return null;
  return {
    id: row.id,
    orgId: row.org_id,
    platform: row.platform,
    connectionId: row.connection_id,
    bodyId: row.body_id,
    orderId: row.order_id,
    orderNumber: row.order_number,
    normalizedEmail: row.normalized_email,
    receivedAt: toDate(row.received_at),
    status: row.status,
    reason: row.reason,
    note: row.note,
    attempts: row.attempts,
    body: { id: row.body_id, bytes: row.bytes, headers: JSON.parse(row.headers) },
  };
}

/** Stores an alert, once for each order and cause. */
export function addAlert(database: Database, { orgId, cause, about, subjectId, details }: Alert): void {
  database.run(
    'insert into alerts values (:orgId, :cause, :about, :subjectId, :details) on conflict do nothing',
    { orgId, cause, about, subjectId, details: JSON.stringify(details) },
  );
}

interface DeliveryRow {
  readonly id: string;
  readonly org_id: string;
  readonly body_id: string;
  readonly platform: string;
  readonly connection_id: string;
  readonly order_id: string | null;
  readonly order_number: string | null;
  readonly normalized_email: string | null;
  readonly received_at: number;
  readonly status: DeliveryStatus;
  readonly reason: string | null;
  readonly note: string | null;
  readonly attempts: number;
  readonly bytes: Uint8Array;
  readonly headers: string;
}
