import { isOfRefusal, type PurchaseRecord, subjectOfReceipt } from '@handover/domain';
import {
  bringBackWithEntry,
  dismissalReason,
  dismissWithEntry,
  readDismissedAt,
  readShownAt,
} from '../../actions/dismissal-actions.ts';
import type { HttpPorts } from '../../http-ports.ts';
import { action, type DashboardRequest, type DashboardRoute, page } from '../dashboard-route.ts';
import { CHANGED, dismissOnePage, SOLVED } from '../parts/dismissal.ts';

type Ports = Pick<HttpPorts, 'clock' | 'dismissals' | 'ids' | 'inTransaction' | 'purchases'>;

/** Dismisses a refused receipt with a reason, and brings it back. */
export function dismissReceiptRoutes(ports: Ports): readonly DashboardRoute[] {
  const find = async ({ orgId, params }: DashboardRequest) => {
    const record = await ports.purchases.show(orgId, params.purchaseId ?? '');
    const { receipt = null } = record ?? {};
    return record && receipt?.status === 'refused' ? { record, receipt } : null;
  };
  const ask = (record: PurchaseRecord, { csrfToken, now }: DashboardRequest, typed = {}) => {
    const shown = { path: pathOf(record), name: nameOf(record), why: record.receipt?.lastAnswer ?? null };
    return dismissOnePage({
      ...shown,
      until: 'another receipt is refused',
      shownAt: now,
      ...typed,
      csrfToken,
    });
  };

  return [
    page('/purchases/:purchaseId/dismiss', 'admin', async (context) => {
      const found = await find(context);
      return found ? ask(found.record, context) : { kind: 'not-found' };
    }),

    action('/purchases/:purchaseId/dismiss', 'admin', async (context, form) => {
      const found = await find(context);
      if (!found) return { kind: 'not-found' };
      const { record, receipt } = found;
      const [before] = await ports.dismissals.list(context.orgId, [subjectOfReceipt(receipt.id)]);
      if (before && isOfRefusal(before, receipt))
        return { kind: 'redirect', to: pathOf(record), toast: SOLVED };
      const { reason, problem } = dismissalReason(form.get('reason'));
      if (problem !== null) return ask(record, context, { reason, problem });
      const { user, now } = context;
      const seenAt = receipt.lastAnswerAt ?? now;
      if (seenAt > readShownAt(form, now)) return ask(record, context, { reason, hasChanged: true });
      const seen = { seenAt, seenCount: 1, by: user.email, at: now };
      const dismissal = { subject: subjectOfReceipt(receipt.id), reason, ...seen };
      const dismissed = await dismissWithEntry(ports, context, [dismissal], nameOf(record));
      if (dismissed.length === 0) return { kind: 'redirect', to: pathOf(record), toast: CHANGED };
      const undo = { action: `${pathOf(record)}/bring-back`, fields: { dismissed: now.toISOString() } };
      const toast = { title: 'Dismissed', sentence: `${nameOf(record)} needs nothing any more.`, undo };
      return { kind: 'redirect', to: pathOf(record), toast };
    }),

    action('/purchases/:purchaseId/bring-back', 'admin', async (context, form) => {
      const found = await find(context);
      if (!found) return { kind: 'not-found' };
      const { record, receipt } = found;
      const subjects = [subjectOfReceipt(receipt.id)];
      const back = await bringBackWithEntry(ports, context, subjects, nameOf(record), readDismissedAt(form));
      if (back.length === 0) return { kind: 'redirect', to: pathOf(record), toast: CHANGED };
      const sentence = `${nameOf(record)} is listed under “Needs you” again.`;
      return { kind: 'redirect', to: pathOf(record), toast: { title: 'Brought back', sentence } };
    }),
  ];
}

function pathOf({ id }: PurchaseRecord): string {
  return `/dashboard/purchases/${id}`;
}

function nameOf({ productName, customerName }: PurchaseRecord): string {
  return `The refused receipt of ${productName} for ${customerName}`;
}
