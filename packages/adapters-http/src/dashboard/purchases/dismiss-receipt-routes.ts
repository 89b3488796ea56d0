import { isOfRefusal, type PurchaseRecord, subjectOfReceipt } from '@handover/domain';
import type { HttpPorts } from '../../http-ports.ts';
import { type Answer, action, type DashboardRequest, type DashboardRoute, page } from '../dashboard-route.ts';
import { askToDismiss, bringBackOne, dismissOne, type OneFailure } from '../dismiss-one.ts';
import { SOLVED } from '../parts/dismissal.ts';

type Ports = Pick<HttpPorts, 'clock' | 'dismissals' | 'ids' | 'inTransaction' | 'purchases'>;

/** Dismisses a refused receipt with a reason, and brings it back. */
export function dismissReceiptRoutes(ports: Ports): readonly DashboardRoute[] {
  const show = ({ orgId, params }: DashboardRequest<'purchaseId'>) =>
    ports.purchases.show(orgId, params.purchaseId);

  return [
    page('/purchases/:purchaseId/dismiss', 'admin', async (context) => {
      const record = await show(context);
      const failure = record && failureOf(record, context.now);
      return failure ? askToDismiss(failure, context) : { kind: 'not-found' };
    }),

    action('/purchases/:purchaseId/dismiss', 'admin', async (context, form) => {
      const record = await show(context);
      if (!record) return { kind: 'not-found' };
      const failure = failureOf(record, context.now);
      if (!failure) return answerSolved(record);
      const [before] = await ports.dismissals.list(context.orgId, [failure.subject]);
      if (before && isOfRefusal(before, failure.receipt)) return answerSolved(record);
      return dismissOne(ports, context, form, failure);
    }),

    action('/purchases/:purchaseId/bring-back', 'admin', async (context, form) => {
      const record = await show(context);
      if (!record) return { kind: 'not-found' };
      const failure = failureOf(record, context.now);
      return failure ? bringBackOne(ports, context, form, failure) : answerSolved(record);
    }),
  ];
}

/** Null: its receipt is not refused, or not any more, such as once its address is corrected. */
function failureOf(
  { id, productName, customerName, receipt }: PurchaseRecord,
  now: Date,
): (OneFailure & { readonly receipt: NonNullable<PurchaseRecord['receipt']> }) | null {
  if (receipt?.status !== 'refused') return null;
  return {
    receipt,
    subject: subjectOfReceipt(receipt.id),
    failedAt: receipt.lastAnswerAt ?? now,
    path: pathOf(id),
    name: `The refused receipt of ${productName} for ${customerName}`,
    why: receipt.lastAnswer,
    until: 'another receipt is refused',
    except: '',
    resolved: null,
  };
}

function answerSolved({ id }: PurchaseRecord): Answer {
  return { kind: 'redirect', to: pathOf(id), toast: SOLVED };
}

function pathOf(purchaseId: string): string {
  return `/dashboard/purchases/${purchaseId}`;
}
