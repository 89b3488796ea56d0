import { lastFailureOf, mayBeDismissed, type OpenedLogEntry, subjectOfEntry } from '@handover/domain';
import type { HttpPorts } from '../../http-ports.ts';
import { action, type DashboardRequest, type DashboardRoute, page } from '../dashboard-route.ts';
import { askToDismiss, bringBackOne, dismissOne, type OneFailure } from '../dismiss-one.ts';
import { SOLVED } from '../parts/dismissal.ts';
import type { Toast } from '../parts/toast.ts';
import { titleOfEntry } from './format-entry.ts';

type Ports = Pick<HttpPorts, 'clock' | 'deliveries' | 'dismissals' | 'ids' | 'inTransaction' | 'platforms'>;

/** Dismisses a failed order or an unreadable delivery with a reason, and brings it back. */
export function dismissEntryRoutes(ports: Ports): readonly DashboardRoute[] {
  const open = ({ orgId, params }: DashboardRequest<'deliveryId'>) =>
    ports.deliveries.open(orgId, params.deliveryId);
  const failureOf = (entry: OpenedLogEntry): OneFailure => ({
    subject: subjectOfEntry(entry),
    failedAt: lastFailureOf(entry),
    path: `/dashboard/webhook-log/${entry.id}`,
    name: titleOfEntry(ports.platforms, entry),
    why: entry.reason,
    // What cannot be read is never decided, and what comes later is another delivery.
    until: entry.orderId && 'the shop sends it again, or it is delivered again and fails',
    except: ', unless it failed again meanwhile',
    resolved: describeResolved(entry),
    subjectId: entry.id,
  });

  return [
    page('/webhook-log/:deliveryId/dismiss', 'admin', async (context) => {
      const entry = await open(context);
      if (!entry || !mayBeDismissed(entry)) return { kind: 'not-found' };
      return askToDismiss(failureOf(entry), context);
    }),

    action('/webhook-log/:deliveryId/dismiss', 'admin', async (context, form) => {
      const entry = await open(context);
      if (!entry) return { kind: 'not-found' };
      const failure = failureOf(entry);
      if (!mayBeDismissed(entry))
        return { kind: 'redirect', to: failure.path, toast: failure.resolved ?? SOLVED };
      return dismissOne(ports, context, form, failure);
    }),

    action('/webhook-log/:deliveryId/bring-back', 'admin', async (context, form) => {
      const entry = await open(context);
      return entry ? bringBackOne(ports, context, form, failureOf(entry)) : { kind: 'not-found' };
    }),
  ];
}

/** It was delivered meanwhile, or it needs something else by now. */
function describeResolved(entry: OpenedLogEntry): Toast | null {
  if (mayBeDismissed({ ...entry, isDismissed: false })) return null;
  return entry.status === 'held' || entry.status === 'error' ? PROCESSED_AGAIN : SOLVED;
}

const PROCESSED_AGAIN = {
  title: 'Nothing changed',
  sentence: 'It was processed again meanwhile, with another outcome.',
};
