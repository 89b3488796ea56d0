import { CLAIM_LASTS_MS, type ClaimEnd } from '@handover/domain';
import { type Kysely, sql } from 'kysely';
import type { ClaimLeases } from '../claim-leases.ts';
import { columnsOf } from '../columns-of.ts';
import { areIds } from '../ids.ts';
import type { Schema } from '../schema.ts';
import { doTogether } from './do-together.ts';
import { retryUntilAvailable } from './retry-until-available.ts';

/**
 * How long a claim outlives the process that holds it. The database's clock measures it, the one clock all
 * share.
 */
export const CLAIM_SECONDS = CLAIM_LASTS_MS / 1000;
const RENEW_EVERY_MS = 5_000;

type Renewal = 'renewed' | 'locked' | 'lost';

/** A claim of an e-mail. */
export interface Claim {
  readonly orgId: string;
  readonly id: string;
  readonly claimId: string;
}

/**
 * The claims of this process on e-mails, each under its own id. They are renewed until they end: a slow
 * mail server cannot cost one, a crash does.
 */
export function createClaims(db: Kysely<Schema>, leases: ClaimLeases) {
  const timers = new Map<string, NodeJS.Timeout>();
  const renewals = leases.db ?? db;
  // Mails that were claimed together are renewed together.
  const renew = doTogether<Claim, Renewal>(renewals, {
    keyOf: ({ orgId }) => orgId,
    run: (claims) => renewAll(claims),
  });

  const drop = (claimId: string): void => {
    clearInterval(timers.get(claimId));
    timers.delete(claimId);
    leases.forget(claimId);
  };

  return {
    /** Takes a mail under a claim with an id of its own, and renews that from then on. */
    take: async <Answer extends { readonly kind: string }>(
      claiming: Pick<Claim, 'orgId' | 'id'>,
      claim: (claimId: string) => Promise<Answer>,
    ): Promise<Answer> => {
      const claimId = crypto.randomUUID();
      const confirmClaim = leases.startRenewal(claimId);
      const answer = await claim(claimId);
      if (answer.kind !== 'claimed') return answer;
      confirmClaim();
      const timer = setInterval(() => {
        const confirmRenewal = leases.startRenewal(claimId);
        // What cannot be renewed now is tried at the next turn; by then it may be somebody else's.
        renew({ ...claiming, claimId }).then(
          (renewal) => {
            if (renewal === 'lost') drop(claimId);
            if (renewal === 'renewed' && timers.has(claimId)) confirmRenewal();
          },
          () => undefined,
        );
      }, RENEW_EVERY_MS);
      timer.unref();
      timers.set(claimId, timer);
      return answer;
    },

    /** `complete` answers whether the claim was still held: where it was not, nothing may have changed. */
    end: async (claim: Claim, complete: () => Promise<boolean>): Promise<ClaimEnd> => {
      if (!areIds(claim.orgId, claim.id, claim.claimId)) return 'not-held';
      let tries = 0;
      try {
        const isCompleted = await retryUntilAvailable(() => {
          tries += 1;
          return complete();
        });
        if (isCompleted) return 'completed';
        // The row keeps no claim that has ended, so it can't tell whether a try whose answer was lost has ended it.
        return tries === 1 ? 'not-held' : 'perhaps-completed';
      } finally {
        drop(claim.claimId);
      }
    },

    release: async (claim: Claim): Promise<void> => {
      // Without its renewal it lapses, should this not reach the database.
      drop(claim.claimId);
      const { orgId, id, claimId } = claim;
      if (!areIds(orgId, id, claimId)) return;
      await sql`
        update outgoing_emails set claim_id = null, claimed_until = null
        where org_id = ${orgId} and id = ${id} and claim_id = ${claimId}
      `.execute(db);
    },
  };

  /** Renews claims of one organisation. A row that somebody else has locked is not waited for, since others' claims would lapse. */
  async function renewAll(claims: readonly Claim[]): Promise<readonly Renewal[]> {
    const orgId = claims[0]?.orgId ?? '';
    const column = columnsOf(claims);
    const { rows } = await sql<{ readonly claimId: string; readonly isRenewed: boolean }>`
      with held as materialized (
        select id from outgoing_emails
        where org_id = ${orgId} and id = any(${column('id')}::uuid[])
          and claim_id = any(${column('claimId')}::uuid[])
        order by id
        for no key update skip locked
      ),
      renewed as (
        update outgoing_emails set claimed_until = now() + make_interval(secs => ${CLAIM_SECONDS})
        where org_id = ${orgId} and id = any(array(select id from held))
        returning id
      )
      select claim_id as "claimId", id in (select id from renewed) as "isRenewed" from outgoing_emails
      where org_id = ${orgId} and id = any(${column('id')}::uuid[])
        and claim_id = any(${column('claimId')}::uuid[])
    `.execute(renewals);
    const held = new Map(rows.map(({ claimId, isRenewed }) => [claimId, isRenewed]));
    return claims.map(({ claimId }) => {
      if (!held.has(claimId)) return 'lost';
      return held.get(claimId) ? 'renewed' : 'locked';
    });
  }
}
