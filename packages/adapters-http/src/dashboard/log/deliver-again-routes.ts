import { type LogCounts, MAX_COUNTED, MAX_RERUN, rerunEntries, type SeenEntry } from '@handover/domain';
import type { HttpPorts } from '../../http-ports.ts';
import { action, type DashboardRoute, page } from '../dashboard-route.ts';
import { counted } from '../parts/money.ts';
import { takePage } from '../take-page.ts';
import { deliverAgainPage } from './deliver-again-page.ts';
import { addressOf, type LogView, readView } from './log-view.ts';

type Ports = Pick<HttpPorts, 'clock' | 'deliveries' | 'ids' | 'openDeliveries' | 'platforms'>;

/** Processes many failed or held orders again. The form holds each as it was seen, so that two presses are one. */
export function deliverAgainRoutes(ports: Ports): readonly DashboardRoute[] {
  return [
    page('/webhook-log/deliver', 'admin', async ({ orgId, query, csrfToken }) => {
      const asked = readView(query);
      const view = { ...asked, status: asked.status === 'held' ? ('held' as const) : ('error' as const) };
      const shown = await takePage((limit) => ports.deliveries.search(orgId, { ...view, limit }), MAX_RERUN);
      return deliverAgainPage({ ...shown, view, csrfToken, platforms: ports.platforms });
    }),

    action('/webhook-log/deliver', 'admin', async ({ orgId, by }, form) => {
      const asked = form.getAll('id').map(readSeen);
      const view = { ...readView(form), before: form.get('next') || null };
      // Counted before their jobs run: then those processed now are among them.
      const counts = await ports.deliveries.count(orgId, view.connectionId);
      const queued = await rerunEntries(ports, orgId, asked, by);
      if (asked.length === 0) {
        const toast = { title: 'No order was selected', sentence: 'Select orders by the boxes before them.' };
        return { kind: 'redirect', to: '/dashboard/webhook-log/deliver', toast };
      }
      const left = asked.length - queued;
      const rest =
        left === 0 ? '' : ` ${counted(left, 'other')} left alone: processed since, or their body is removed.`;
      const title = queued === 0 ? 'Nothing to process' : `${counted(queued, 'order')} processed again`;
      return {
        kind: 'redirect',
        ...goOn(view, asked.length === Number(form.get('shown'))),
        toast: {
          title,
          sentence: `The log shows what becomes of each.${rest}${sayMore(view, counts, queued)}`,
        },
      };
    }),
  ];
}

/** From a page that was selected as a whole to the next one. `before`: the last entry of this page, if there are more. */
function goOn(view: LogView, isWholePage: boolean): { readonly to: string } {
  if (view.before === null) return { to: addressOf(ALL) };
  const next = isWholePage ? view : { ...view, before: null };
  return { to: addressOf(next).replace('/webhook-log', '/webhook-log/deliver') };
}

/** A search does not count all that it finds. */
function sayMore({ text, status, before }: LogView, counts: LogCounts, queued: number): string {
  if (before === null) return '';
  const left = status === 'held' || status === 'error' ? counts[status] - queued : 0;
  const some = text === '' && left > 0 && left < MAX_COUNTED ? counted(left, 'order') : 'More orders';
  return ` ${some} can be delivered again: go on with the next ones below.`;
}

const ALL: LogView = { text: '', status: null, connectionId: null, before: null };

function readSeen(field: string): SeenEntry {
  const [deliveryId = '', attempts = ''] = field.split(':');
  return { deliveryId, attempts: /^\d{1,9}$/.test(attempts) ? Number(attempts) : -1 };
}
