import { setTimeout as pause } from 'node:timers/promises';
import { CLAIM_LASTS_MS, type ClaimEnd } from '@handover/domain';
import { sql } from 'kysely';
import type { Db } from '../../../database/schema.ts';
import { isStoreUnavailable } from '../../../database/store-errors.ts';
import { doTogether } from '../../../statements/batches.ts';
import { areIds } from '../../../statements/ids.ts';
import type { ClaimLeases, KeptClaim } from './claim-leases.ts';

/** How long a claim lasts after its last renewal, by the database's clock, which all processes share. */
export const CLAIM_SECONDS = CLAIM_LASTS_MS / 1000;
const RENEW_EVERY_MS = 5_000;

/** A claim of an e-mail. */
interface Claim {
  readonly orgId: string;
  readonly id: string;
  readonly claimId: string;
}

/**
 * The claims of this process on e-mails, each with its own id. They are renewed until they end, so that a slow mail server
 * does not lose a claim, but a crash does.
 */
export function createClaims(db: Db, leases: ClaimLeases) {
  const renewals = renewClaims(leases.db ?? db, leases);
  return {
    /** Takes over a claim of this process that was made when the e-mail was. */
    takeKept: (orgId: string, id: string): KeptClaim | undefined => {
      const kept = leases.takeKept(orgId, id);
      if (kept) renewals.begin({ orgId, id, claimId: kept.claimId });
      return kept;
    },
    /** Claims a mail under a new id, and renews the claim from then on. */
    take: async <Answer extends { readonly kind: string }>(
      claiming: Pick<Claim, 'orgId' | 'id'>,
      claim: (claimId: string) => Promise<Answer>,
    ): Promise<Answer> => {
      const claimId = crypto.randomUUID();
      const confirmClaim = leases.startRenewal(claimId);
      const answer = await claim(claimId);
      if (answer.kind !== 'claimed') return answer;
      confirmClaim();
      renewals.begin({ ...claiming, claimId });
      return answer;
    },

    /** `complete` returns whether the claim was still held. If it was not, it must have changed nothing. */
    end: async (claim: Claim, complete: () => Promise<boolean>): Promise<ClaimEnd> => {
      if (!areIds(claim.orgId, claim.id, claim.claimId)) return 'not-held';
      let tries = 0;
      try {
        const isCompleted = await retryUntilAvailable(() => {
          tries += 1;
          return complete();
        });
        if (isCompleted) return 'completed';
        // The row does not keep ended claims, so it cannot tell whether a try whose answer was lost has ended this
        // one.
        return tries === 1 ? 'not-held' : 'perhaps-completed';
      } finally {
        renewals.end(claim.claimId);
      }
    },

    release: async (claim: Claim): Promise<void> => {
      // Without renewal the claim expires, even if this does not reach the database.
      renewals.end(claim.claimId);
      const { orgId, id, claimId } = claim;
      if (!areIds(orgId, id, claimId)) return;
      await sql`
        update outgoing_emails set claim_id = null, claimed_until = null
        where org_id = ${orgId} and id = ${id} and claim_id = ${claimId}
      `.execute(db);
    },
  };
}

function renewClaims(db: Db, leases: ClaimLeases) {
  const timers = new Map<string, NodeJS.Timeout>();
  // Mails that were claimed together are renewed together.
  const renew = doTogether<Claim, Renewal>(db, {
    keyOf: ({ orgId }) => orgId,
    run: (claims) => renewAll(db, claims),
  });
  const end = (claimId: string): void => {
    clearInterval(timers.get(claimId));
    timers.delete(claimId);
    leases.forget(claimId);
  };
  const begin = (claim: Claim): void => {
    const timer = setInterval(() => {
      const confirmRenewal = leases.startRenewal(claim.claimId);
      // A failed renewal is repeated at the next interval; by then another process may hold the claim.
      renew(claim).then(
        (renewal) => {
          if (renewal === 'lost') end(claim.claimId);
          if (renewal === 'renewed' && timers.has(claim.claimId)) confirmRenewal();
        },
        () => undefined,
      );
    }, RENEW_EVERY_MS);
    timer.unref();
    timers.set(claim.claimId, timer);
  };
  return { begin, end };
}

type Renewal = 'renewed' | 'locked' | 'lost';

/** Renews claims of one organisation. It skips locked rows, since otherwise the other claims would expire. */
async function renewAll(db: Db, claims: readonly Claim[]): Promise<readonly Renewal[]> {
  const orgId = claims[0]?.orgId ?? '';
  const ids = claims.map(({ id }) => id);
  const claimIds = claims.map(({ claimId }) => claimId);
  const { rows } = await sql<{ readonly claimId: string; readonly isRenewed: boolean }>`
    with held as materialized (
      select id from outgoing_emails
      where org_id = ${orgId} and id = any(${ids}::uuid[])
        and claim_id = any(${claimIds}::uuid[])
      order by id
      for no key update skip locked
    ),
    renewed as (
      update outgoing_emails set claimed_until = now() + make_interval(secs => ${CLAIM_SECONDS})
      where org_id = ${orgId} and id = any(array(select id from held))
      returning id
    )
    select claim_id as "claimId", id in (select id from renewed) as "isRenewed" from outgoing_emails
    where org_id = ${orgId} and id = any(${ids}::uuid[])
      and claim_id = any(${claimIds}::uuid[])
  `.execute(db);
  const held = new Map(rows.map(({ claimId, isRenewed }) => [claimId, isRenewed]));
  return claims.map(({ claimId }) => {
    if (!held.has(claimId)) return 'lost';
    return held.get(claimId) ? 'renewed' : 'locked';
  });
}

const RETRY_FOR_MS = 60_000;
const PAUSE_MS = 250;

/**
 * A mail that was accepted while the database is down would be mailed again, unless this is recorded before the claim
 * expires: so it retries until the database is back. Recording it twice, if only the answer to the commit was lost,
 * changes nothing.
 */
async function retryUntilAvailable<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  const giveUpAt = performance.now() + RETRY_FOR_MS;
  while (true) {
    try {
      return await work();
    } catch (error) {
      if (!isStoreUnavailable(error) || performance.now() > giveUpAt) throw error;
    }
    await pause(PAUSE_MS);
  }
}
