import type { OutgoingEmails } from '@handover/domain';
import type { Db } from '../../../database/schema.ts';
import type { JobOutbox } from '../../../jobs/job-outbox.ts';
import { createTurns, doTogether } from '../../../statements/batches.ts';
import { areIds } from '../../../statements/ids.ts';
import { type Claiming, claimEmails, type TakenEmail } from './claim-emails.ts';
import type { ClaimLeases } from './claim-leases.ts';
import { createClaims } from './claim-leases.ts';
import { completeEmail } from './complete-email.ts';
import { completeSent, type SentEmail } from './complete-sent.ts';
import { prepareEmail } from './prepare-email.ts';

/** The number of organisations whose e-mails are claimed or completed at once. */
const MAX_AT_ONCE = 3;

export function createPostgresOutgoingEmails(db: Db, jobs: JobOutbox, leases: ClaimLeases): OutgoingEmails {
  const claims = createClaims(db, leases);
  const ofOneOrganisation = {
    turns: createTurns(MAX_AT_ONCE),
    keyOf: ({ orgId }: { readonly orgId: string }) => orgId,
    subjectsOf: ({ emailId }: { readonly emailId: string }) => [emailId],
  };
  const take = doTogether<Claiming, TakenEmail>(db, {
    ...ofOneOrganisation,
    run: (claimings) => claimEmails(db, claimings),
  });
  const complete = doTogether<SentEmail, boolean>(db, {
    ...ofOneOrganisation,
    run: (emails) => completeSent(db, emails),
  });
  return {
    claim: async (orgId, id, now, newLinkId) => {
      if (!areIds(orgId, id)) return { kind: 'not-pending' };
      const kept = claims.takeKept(orgId, id);
      if (kept) return { kind: 'claimed', ...kept };
      // In PostgreSQL's spelling, because it identifies the e-mails of a batch by id.
      const emailId = id.toLowerCase();
      return claims.take({ orgId, id }, async (claimId) => {
        const claiming = { orgId, emailId, claimId, now };
        const taken = await take(claiming);
        if (taken.kind !== 'taken') return taken;
        try {
          return await prepareEmail(db, jobs, taken.emailKind, { ...claiming, newLinkId });
        } catch (error) {
          // The first error names the cause.
          await claims.release({ orgId, id, claimId }).catch(() => undefined);
          throw error;
        }
      });
    },

    complete: (orgId, id, claimId, outcome) => {
      const emailId = id.toLowerCase();
      return claims.end({ orgId, id, claimId }, () =>
        outcome.kind === 'sent'
          ? complete({ orgId, emailId, claimId, at: outcome.at, answer: outcome.answer })
          : completeEmail(db, jobs, { orgId, emailId, claimId, outcome }),
      );
    },

    release: (orgId, emailId, claimId) => claims.release({ orgId, id: emailId, claimId }),
  };
}
