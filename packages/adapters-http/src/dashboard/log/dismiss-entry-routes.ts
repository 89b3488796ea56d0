import { lastFailureOf, mayBeDismissed, type OpenedLogEntry, subjectOfEntry } from '@handover/domain';
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
import { titleOfEntry } from './format-entry.ts';

type Ports = Pick<HttpPorts, 'clock' | 'deliveries' | 'dismissals' | 'ids' | 'inTransaction' | 'platforms'>;

/** Dismisses a failed order or an unreadable delivery with a reason, and brings it back. */
export function dismissEntryRoutes(ports: Ports): readonly DashboardRoute[] {
  const open = ({ orgId, params }: DashboardRequest) => ports.deliveries.open(orgId, params.deliveryId ?? '');
  const nameOf = (entry: OpenedLogEntry) => titleOfEntry(ports.platforms, entry);
  const ask = (entry: OpenedLogEntry, { csrfToken, now }: DashboardRequest, typed = {}) => {
    const shown = { path: `/dashboard/webhook-log/${entry.id}`, name: nameOf(entry), why: entry.reason };
    // What cannot be read is never decided, and what comes later is another delivery.
    const until = entry.orderId && 'the shop sends it again, or it is delivered again and fails';
    return dismissOnePage({ ...shown, until, shownAt: now, ...typed, csrfToken });
  };

  return [
    page('/webhook-log/:deliveryId/dismiss', 'admin', async (context) => {
      const entry = await open(context);
      if (!entry || !mayBeDismissed(entry)) return { kind: 'not-found' };
      return ask(entry, context);
    }),

    action('/webhook-log/:deliveryId/dismiss', 'admin', async (context, form) => {
      const entry = await open(context);
      if (!entry) return { kind: 'not-found' };
      const to = `/dashboard/webhook-log/${entry.id}`;
      if (!mayBeDismissed(entry)) return { kind: 'redirect', to, toast: SOLVED };
      const { reason, problem } = dismissalReason(form.get('reason'));
      if (problem !== null) return ask(entry, context, { reason, problem });
      const { user, now } = context;
      const seenAt = lastFailureOf(entry);
      if (seenAt > readShownAt(form, now)) return ask(entry, context, { reason, hasChanged: true });
      const seen = { seenAt, seenCount: 1, by: user.email, at: now };
      const dismissal = { subject: subjectOfEntry(entry), reason, ...seen };
      const dismissed = await dismissWithEntry(ports, context, [dismissal], nameOf(entry), entry.id);
      if (dismissed.length === 0) return { kind: 'redirect', to, toast: CHANGED };
      const undo = { action: `${to}/bring-back`, fields: { dismissed: now.toISOString() } };
      const sentence = `${nameOf(entry)} needs nothing any more, unless it failed again meanwhile.`;
      return { kind: 'redirect', to, toast: { title: 'Dismissed', sentence, undo } };
    }),

    action('/webhook-log/:deliveryId/bring-back', 'admin', async (context, form) => {
      const entry = await open(context);
      if (!entry) return { kind: 'not-found' };
      const subjects = [subjectOfEntry(entry)];
      const dismissedAt = readDismissedAt(form);
      const back = await bringBackWithEntry(ports, context, subjects, nameOf(entry), dismissedAt, entry.id);
      const to = `/dashboard/webhook-log/${entry.id}`;
      if (back.length === 0) return { kind: 'redirect', to, toast: CHANGED };
      const toast = {
        title: 'Brought back',
        sentence: `${nameOf(entry)} is listed under “Needs you” again.`,
      };
      return { kind: 'redirect', to, toast };
    }),
  ];
}
