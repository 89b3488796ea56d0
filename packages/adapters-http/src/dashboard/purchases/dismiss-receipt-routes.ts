import { isOfRefusal, type PurchaseRecord, subjectOfReceipt } from '@handover/domain';
import type { HttpPorts } from '../../http-ports.ts';
import { action, type DashboardRequest, type DashboardRoute, page } from '../dashboard-route.ts';
import { askToDismiss, bringBackOne, dismissOne, type OneFailure } from '../dismiss-one.ts';
import { SOLVED } from '../parts/dismissal.ts';

type Ports = Pick<HttpPorts, 'clock' | 'dismissals' | 'ids' | 'inTransaction' | 'purchases'>;

/** Dismisses a refused receipt with a reason, and brings it back. */
export function dismissReceiptRoutes(ports: Ports): readonly DashboardRoute[] {
  const find = async ({ orgId, params, now }: DashboardRequest) => {
    const record = await ports.purchases.show(orgId, params.purchaseId ?? '');
    const { receipt = null } = record ?? {};
    return record && receipt?.status === 'refused'
      ? { receipt, failure: failureOf(record, receipt, now) }
      : null;
  };

  return [
    page('/purchases/:purchaseId/dismiss', 'admin', async (context) => {
      const found = await find(context);
      return found ? askToDismiss(found.failure, context) : { kind: 'not-found' };
    }),

    action('/purchases/:purchaseId/dismiss', 'admin', async (context, form) => {
      const found = await find(context);
      if (!found) return { kind: 'not-found' };
      const { receipt, failure } = found;
      const [before] = await ports.dismissals.list(context.orgId, [failure.subject]);
      if (before && isOfRefusal(before, receipt))
        return { kind: 'redirect', to: failure.path, toast: SOLVED };
      return dismissOne(ports, context, form, failure);
    }),

    action('/purchases/:purchaseId/bring-back', 'admin', async (context, form) => {
      const found = await find(context);
      return found ? bringBackOne(ports, context, form, found.failure) : { kind: 'not-found' };
    }),
  ];
}

function failureOf(
  { id, productName, customerName }: PurchaseRecord,
  receipt: NonNullable<PurchaseRecord['receipt']>,
  now: Date,
): OneFailure {
  return {
    subject: subjectOfReceipt(receipt.id),
    failedAt: receipt.lastAnswerAt ?? now,
    path: `/dashboard/purchases/${id}`,
    name: `The refused receipt of ${productName} for ${customerName}`,
    why: receipt.lastAnswer,
    until: 'another receipt is refused',
    except: '',
  };
}
