import type { EmailKind } from '@handover/domain';
import { sql } from 'kysely';
import type { Trx } from '../../../database/schema.ts';

export interface EndedEmail {
  readonly id: string;
  readonly kind: EmailKind;
}

/** Some kinds of e-mail are deleted at their end: they name an address, and are not shown any more. */
export async function forgetEnded(trx: Trx, orgId: string, emails: readonly EndedEmail[]): Promise<void> {
  const ids = emails.filter(({ kind }) => FORGOTTEN.has(kind)).map(({ id }) => id);
  if (ids.length === 0) return;
  await sql`delete from outgoing_emails where org_id = ${orgId} and id = any(${ids}::uuid[])`.execute(trx);
}

const FORGOTTEN: ReadonlySet<EmailKind> = new Set(['links', 'sign-in', 'new-device']);
