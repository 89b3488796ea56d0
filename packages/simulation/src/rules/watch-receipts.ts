import type { Stores } from '@handover/domain';
import type { SimulatedProcess } from '../kernel/process.ts';
import { rememberByKey } from '../kernel/remember-by-key.ts';
import type { AcceptedMail } from '../world/mail-server.ts';
import type { World } from '../world/open-world.ts';

/** A claim lasts at least this long, whatever the clocks of the processes say. */
const SURE_CLAIM_MS = 5_000;

/** The stores as one process reaches them, recording which accepted mails it noted while it held its claim. */
export function watchReceipts(world: World, process: SimulatedProcess, stores: Stores): Stores {
  const { outgoingEmails, waitingReceipts } = stores;
  const watchWithin = rememberByKey((within: Stores) => watchReceipts(world, process, within));
  return {
    ...stores,
    outgoingEmails: {
      // One clock measures claims, the database's.
      claim: async (orgId, emailId, _now, newLinkId) => {
        const now = new Date(world.scheduler.now());
        const claim = await outgoingEmails.claim(orgId, emailId, now, newLinkId);
        if (claim.kind === 'claimed')
          world.ledger.claimedAt.set(nameClaim(process, emailId), world.scheduler.now());
        return claim;
      },
      complete: async (orgId, emailId, claimId, outcome) => {
        const end = await outgoingEmails.complete(orgId, emailId, claimId, outcome);
        if (end === 'completed' && outcome.kind === 'sent') {
          const mail = world.mailServer.accepted.findLast(({ id, by }) => id === emailId && by === process);
          if (mail) mail.isNoted = true;
        }
        return end;
      },
      release: (orgId, emailId, claimId) => outgoingEmails.release(orgId, emailId, claimId),
    },
    waitingReceipts: {
      postpone: (orgId, _now, ...given) =>
        waitingReceipts.postpone(orgId, new Date(world.scheduler.now()), ...given),
    },
    inTransaction: (work) => stores.inTransaction((within) => work(watchWithin(within))),
  };
}

/**
 * A call of this process that had to record the outcome of a mail failed. It is unknown which of its mails it
 * concerned.
 */
export function recordLostCompletion({ mailServer }: World, process: SimulatedProcess): void {
  for (const mail of mailServer.accepted) if (mail.by === process && !mail.isNoted) mail.isNotingLost = true;
}

/**
 * Whether this mail, which the server has accepted, may be sent once more, as `again`: its sender died or froze, got
 * no answer, or could not record it. A recorded mail may not, unless its process had lost its claim.
 */
export function mayBeMailedAgain(mail: AcceptedMail, again: AcceptedMail): boolean {
  if (mail.isNoted) return !again.isClaimed;
  const stoodStill = !mail.by.isAlive || mail.by.frozenUntil >= mail.at || !mail.isClaimed;
  return stoodStill || !mail.isHeard || mail.isNotingLost;
}

/** Whether the claim of that process has certainly not expired. */
export function hasClaim(
  { scheduler, ledger }: World,
  process: SimulatedProcess,
  receiptId: string,
): boolean {
  const since = ledger.claimedAt.get(nameClaim(process, receiptId)) ?? Number.NEGATIVE_INFINITY;
  return scheduler.now() - since <= SURE_CLAIM_MS;
}

function nameClaim({ name }: SimulatedProcess, receiptId: string): string {
  return `${name} ${receiptId}`;
}
