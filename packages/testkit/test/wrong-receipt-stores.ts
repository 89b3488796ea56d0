import type { DeliveryStatus, FulfilmentStore, LeasedJob, Plan, ReceiptStatus } from '@handover/domain';
import type { Memory } from '@handover/domain/memory';
import type { WrongStore } from './wrong-fulfilment-stores.ts';

const FOREVER = new Date('9999-01-01T00:00:00.000Z');
const UNTIL_SENT =
  'a receipt that waits for its next try is due at once, as if none had failed, when its order comes again';

/** Mistakes with receipts, and with the queue. */
export const WRONG_WITH_RECEIPTS: Readonly<Record<string, WrongStore>> = {
  'keeps amounts as numbers': {
    part: 'receipts',
    seenBy: 'a receipt has everything that its mail needs, with every digit of the amount',
    change: (store) => ({
      commit: (plan) =>
        store.commit({
          ...plan,
          purchases: plan.purchases.map((one) => ({ ...one, amount: String(Number(one.amount)) })),
        }),
    }),
  },
  'lets two processes send a receipt': {
    part: 'receipts',
    seenBy: 'a receipt is claimed by one of many at once',
    change: (store, memory) => ({
      claim: (orgId, id, now, newLinkId) => {
        const row = memory.emails.get(id);
        if (row) memory.emails.set(id, { ...row, claimedUntil: null });
        return store.claim(orgId, id, now, newLinkId);
      },
    }),
  },
  'takes the answer of a claim that expired': {
    part: 'receipts',
    seenBy: 'a receipt is claimed again once the first claim has expired, whose outcome then changes nothing',
    change: (store, memory) => ({
      complete: (orgId, id, claimId, outcome) =>
        store.complete(orgId, id, String(memory.emails.get(id)?.claims ?? claimId), outcome),
    }),
  },
  'never ends the claim of a process that died': {
    part: 'receipts',
    seenBy: 'a receipt is claimed again once the first claim has expired, whose outcome then changes nothing',
    change: (store, memory) => ({
      claim: async (...asked) => {
        const claim = await store.claim(...asked);
        const row = memory.emails.get(asked[1]);
        if (claim.kind === 'claimed' && row) memory.emails.set(row.id, { ...row, claimedUntil: FOREVER });
        return claim;
      },
    }),
  },
  'mails the receipts of every organisation': {
    part: 'receipts',
    seenBy: 'a receipt is unknown to another organisation',
    change: (store, memory) => ({
      claim: (orgId, id, ...rest) => store.claim(memory.emails.get(id)?.orgId ?? orgId, id, ...rest),
    }),
  },
  'hands out a due job twice': {
    part: 'jobs',
    seenBy: 'a job is leased by one of many concurrent workers',
    change: (store) => ({ takeJob: (now) => store.takeJob(now, now) }),
  },
  'loses the job of a process that died': {
    part: 'jobs',
    seenBy: 'a job is leased again when its lease has expired, and the former lease then ends nothing',
    change: (store) => ({ takeJob: (now) => store.takeJob(now, FOREVER) }),
  },
  'ends a job by its kind and subject, even if another worker holds it': {
    part: 'jobs',
    seenBy: 'a job that is queued again while it runs is not ended by its former lease',
    change: (_store, { jobs }) => ({
      endJob: async ({ job }: LeasedJob, again) => {
        const subject = 'deliveryId' in job ? job.deliveryId : job.emailId;
        const key = `${job.kind} ${subject}`;
        if (again) jobs.set(key, { ...job, startAfter: again });
        else jobs.delete(key);
      },
    }),
  },
  'records an entry without its job': {
    part: 'jobs',
    seenBy: 'a job is queued with its entry, and leased when it is due',
    change: (store) => ({ record: (recording) => store.record({ ...recording, jobs: [] }) }),
  },
  'hands out jobs before they are due': {
    part: 'jobs',
    seenBy: 'a job is queued with its entry, and leased when it is due',
    change: (store) => ({ takeJob: (_now, until) => store.takeJob(FOREVER, until) }),
  },
  'mails the version that is live': {
    part: 'receipts',
    seenBy: 'a receipt names the version that was bought, even if another one is live now',
    change: changePlan((plan) => ({
      ...plan,
      purchases: plan.purchases.map((one) => ({ ...one, versionId: null })),
    })),
  },
  'mails no version where none was live at the sale': {
    part: 'receipts',
    seenBy: 'a receipt names the live version if there was none when it was bought',
    change: changePlan((plan) => ({
      ...plan,
      purchases: plan.purchases.map((one) => ({ ...one, versionId: one.versionId ?? 'none' })),
    })),
  },
  'opens entries again that were an error, though their receipt is not sent': {
    part: 'receipts',
    seenBy: 'a receipt leaves entries an error because of it until it is sent',
    change: afterComplete('try-again', (memory) => {
      for (const [id, row] of memory.deliveries)
        if (row.status === 'error') memory.deliveries.set(id, { ...row, status: 'pending' });
    }),
  },
  'leaves links as they were made': {
    part: 'receipts',
    seenBy: 'a receipt renews the 48 hours of its links whenever it is claimed',
    change: (store, memory) => ({
      claim: async (...asked) => {
        const kept = [...memory.links];
        const claim = await store.claim(...asked);
        for (const [id, link] of kept) memory.links.set(id, link);
        return claim;
      },
    }),
  },
  'gives no time to a link that has expired': {
    part: 'receipts',
    seenBy: 'a receipt renews the 48 hours of its links whenever it is claimed',
    change: (store, memory) => ({
      claim: async (orgId, id, now, newLinkId) => {
        const expired = [...memory.links].filter(([, { expiresAt }]) => expiresAt <= now);
        const claim = await store.claim(orgId, id, now, newLinkId);
        for (const [linkId, link] of expired) memory.links.set(linkId, link);
        return claim;
      },
    }),
  },
  'counts a postponed mail as a try': {
    part: 'receipts',
    seenBy: 'a receipt that is postponed waits from its time on, with no more tries',
    change: afterComplete('postponed', (memory, id) => changeEmail(memory, id, { attempts: 1 })),
  },
  'lets the time limit of a postponed mail run on': {
    part: 'receipts',
    seenBy: 'a receipt that is postponed waits from its time on, with no more tries',
    change: afterComplete('postponed', (memory, id) =>
      changeEmail(memory, id, { pendingSince: memory.emails.get(id)?.createdAt ?? FOREVER }),
    ),
  },
  'begins the time limit anew with each try': {
    part: 'receipts',
    seenBy: 'a receipt that was not accepted shows why, and is due again at its time with one more try',
    change: afterComplete('try-again', (memory, id) =>
      changeEmail(memory, id, { pendingSince: memory.emails.get(id)?.nextTryAt ?? FOREVER }),
    ),
  },
  'counts the failed tries of a receipt that is sent again': {
    part: 'receipts',
    seenBy: UNTIL_SENT,
    change: afterResend((memory, id, { attempts }) => changeEmail(memory, id, { attempts })),
  },
  'lets the time limit run on of a receipt that is sent again': {
    part: 'receipts',
    seenBy: UNTIL_SENT,
    change: afterResend((memory, id, { pendingSince }) => changeEmail(memory, id, { pendingSince })),
  },
  'lets a receipt wait for its next try that is sent again': {
    part: 'receipts',
    seenBy: UNTIL_SENT,
    change: afterResend((memory, id, { nextTryAt }) => changeEmail(memory, id, { nextTryAt })),
  },
  'leaves entries an error whose receipt was sent after all': {
    part: 'receipts',
    seenBy: 'a receipt completes entries that were an error because of it, once it is sent after all',
    change: keepStatus('sent', 'error'),
  },
  'makes a success of entries whose other receipts are not sent': {
    part: 'receipts',
    seenBy: 'a receipt does not complete an entry while another of its receipts is not sent',
    change: afterComplete('sent', (memory) => {
      for (const [id, row] of memory.deliveries)
        if (row.status === 'pending') memory.deliveries.set(id, { ...row, status: 'success' });
    }),
  },
  'makes an error of entries that are held': {
    part: 'receipts',
    seenBy: 'a receipt does not change a held entry',
    change: afterComplete('refused', (memory) => {
      for (const [id, row] of memory.deliveries)
        if (row.status === 'held') memory.deliveries.set(id, { ...row, status: 'error' });
    }),
  },
  'ends a job by a lease that has ended': {
    part: 'jobs',
    seenBy: 'a job is not ended a second time by a lease that has ended',
    change: (store, { jobs }) => {
      const ended = new Set<string>();
      return {
        endJob: async (leased, again) => {
          if (ended.has(leased.leaseId)) jobs.clear();
          else await store.endJob(leased, again);
          ended.add(leased.leaseId);
        },
      };
    },
  },
  'resolves no other entries of an order': {
    part: 'jobs',
    seenBy:
      'a job is queued for each entry of its order with an open line, when something of the order is delivered',
    change: changePlan((plan) => ({ ...plan, resolves: null })),
  },
  'drops the job of a receipt that is sent again': {
    part: 'jobs',
    seenBy: 'a job sends a receipt again at once when its order comes again after a failed try',
    change: changePlan((plan) => (isResent(plan, 'pending') ? { ...plan, jobs: [] } : plan)),
  },
  'drops the job of a receipt that was refused': {
    part: 'jobs',
    seenBy: 'a job sends a receipt again that was refused when its order comes again',
    change: changePlan((plan) => (isResent(plan, 'refused') ? { ...plan, jobs: [] } : plan)),
  },
};

type Change = WrongStore['change'];
type EmailRow = Memory['emails'] extends Map<string, infer Row> ? Row : never;

function changePlan(change: (plan: Plan) => Plan): Change {
  return (store) => ({ commit: (plan) => store.commit(change(plan)) });
}

/** Whether it sends a receipt again that has that status. */
function isResent({ resend, expectedVersions }: Plan, status: ReceiptStatus): boolean {
  return expectedVersions.receipts.some((known) => known.status === status && resend.includes(known.id));
}

function changeEmail({ emails }: Memory, id: string, change: Partial<EmailRow>): void {
  const row = emails.get(id);
  if (row) emails.set(id, { ...row, ...change });
}

/** Goes wrong after an answer of that kind. */
function afterComplete(kind: string, goWrong: (memory: Memory, emailId: string) => void): Change {
  return (store, memory) => ({
    complete: async (orgId, emailId, claimId, outcome) => {
      const answer = await store.complete(orgId, emailId, claimId, outcome);
      if (outcome.kind === kind) goWrong(memory, emailId);
      return answer;
    },
  });
}

/** Goes wrong with each receipt that is sent again, given as it was before. */
function afterResend(goWrong: (memory: Memory, emailId: string, former: EmailRow) => void): Change {
  return (store, memory) => ({
    commit: async (plan) => {
      const former = plan.resend.flatMap((id) => memory.emails.get(id) ?? []);
      const answer = await store.commit(plan);
      for (const row of former) goWrong(memory, row.id, row);
      return answer;
    },
  });
}

/** Entries of that status stay as they are, whatever the answer of that kind makes of them. */
function keepStatus(kind: string, status: DeliveryStatus): Change {
  return (store: FulfilmentStore, memory) => ({
    complete: async (orgId, emailId, claimId, outcome) => {
      const kept = [...memory.deliveries].filter(([, row]) => row.status === status);
      const answer = await store.complete(orgId, emailId, claimId, outcome);
      if (outcome.kind === kind) for (const [id, row] of kept) memory.deliveries.set(id, row);
      return answer;
    },
  });
}
