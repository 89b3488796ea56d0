import type { Plan } from '../model/plan.ts';

/** What a plan that buys nothing says: what its entry becomes, whether people are told, and what that rests on. */
type Outcome = Pick<Plan, 'orgId' | 'delivery' | 'alert' | 'expectedVersions'>;

/** The plan that changes an entry of the log and nothing else: no sale, no mail, no job. */
export function planWithoutSale({ orgId, delivery, alert, expectedVersions }: Outcome): Plan {
  return {
    orgId,
    delivery,
    customer: null,
    receipt: null,
    purchases: [],
    links: [],
    purchaseAliases: [],
    resend: [],
    activity: [],
    resolves: null,
    alert,
    jobs: [],
    expectedVersions,
  };
}
