import type { ActivityOrigin } from '../model/activity.ts';
import type { EraseCustomerResult } from '../model/erasure.ts';
import type { Clock, Ids } from '../ports/clock.ts';
import type { Customers } from '../ports/purchases.ts';

/**
 * Erases a buyer, who may ask for it by law: the name, the address, the webhooks and the receipts. The purchases stay for the
 * shop's books, with their products, amounts and order numbers, and revoked. The order can still not be delivered twice.
 */
export async function eraseCustomer(
  {
    clock,
    ids,
    customers,
  }: { readonly clock: Clock; readonly ids: Ids; readonly customers: Pick<Customers, 'erase'> },
  orgId: string,
  customerId: string,
  by: ActivityOrigin,
): Promise<EraseCustomerResult> {
  const entry = {
    id: ids.next(),
    at: clock.now(),
    kind: 'buyer-erased',
    subjectId: customerId,
    summary: 'A buyer is erased: name, address, webhooks and receipts. The purchases stay, revoked.',
    ...by,
  } as const;
  return customers.erase(orgId, { customerId, revocationId: ids.next(), entry });
}
