/** A statement about all organisations. On a distributed database it runs on every node, all other statements on one. */
export interface Sweep {
  /** A part of its text that no other statement contains. */
  readonly names: string;
  readonly why: string;
}

/** The only statements that read or change a tenant's table without naming the organisation. */
export const SWEEPS: readonly Sweep[] = [
  { names: 'from organisations organisation\n', why: 'Maintenance goes from organisation to organisation.' },
  { names: 'from "delivery_bodies_default" body', why: 'Bodies are removed by their age.' },
  { names: ') kept\n', why: 'A week of bodies is dropped, but for those that are needed.' },
  { names: 'min(created_at) as oldest', why: 'Proofs are pruned by the secrets of each connection.' },
  {
    names: 'delete from "rejected_deliveries" where "received_at"',
    why: 'Rejected requests go by their age.',
  },
  { names: 'delete from "dismissals" where "subject" like', why: 'Their dismissals go with them.' },
  { names: 'update removable_contents', why: 'Contents without files are removed by their age.' },
  {
    names: 'delete from removable_contents content',
    why: 'Contents with files are forgotten in the same way.',
  },
  { names: 'where customer.email_normalized = $1', why: 'A buyer asks for all that was bought, wherever.' },
  { names: 'with bought as (', why: 'A buyer’s library has all that was bought, wherever.' },
  { names: 'as brought (org_id, link_id)', why: 'One mail brings new links of several organisations.' },
];
