import type { DeliveryRecording, Proof } from '@handover/domain';
import { sql } from 'kysely';
import type { Trx } from '../../../database/schema.ts';
import { unnestRows } from '../../../statements/rows.ts';

/**
 * Finds the requests whose proof was used before with another body. Of two concurrent ones the second waits here for the first to
 * commit; the update that changes nothing lets it read the row that it conflicts with. Every transaction locks the
 * rows in the same order.
 */
export async function useProofs<Recording extends Pick<DeliveryRecording, 'deliveries' | 'proof'>>(
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

export function nameProof(
  { fingerprint }: Pick<Proof, 'fingerprint'>,
  connectionId: string | undefined,
): string {
  return `${connectionId?.toLowerCase()} ${fingerprint}`;
}
