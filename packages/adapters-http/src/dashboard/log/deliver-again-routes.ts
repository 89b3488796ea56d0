import { MAX_RERUN, rerunEntries, type SeenEntry } from '@handover/domain';
import type { HttpPorts } from '../../http-ports.ts';
import { action, type DashboardRoute, page } from '../dashboard-route.ts';
import { counted } from '../parts/money.ts';
import { deliverAgainPage } from './deliver-again-page.ts';
import { addressOf, readView } from './log-view.ts';

type Ports = Pick<HttpPorts, 'clock' | 'deliveries' | 'ids' | 'openDeliveries' | 'platforms'>;

/** Processes many failed or held orders again. The form holds each as it was seen, so that two presses are one. */
export function deliverAgainRoutes(ports: Ports): readonly DashboardRoute[] {
  return [
    page('/webhook-log/deliver', 'admin', async ({ orgId, query, csrfToken }) => {
      const asked = readView(query);
      const view = { ...asked, status: asked.status === 'held' ? ('held' as const) : ('error' as const) };
      const found = await ports.deliveries.search(orgId, { ...view, limit: MAX_RERUN + 1 });
      const entries = found.slice(0, MAX_RERUN);
      return deliverAgainPage({
        view,
        entries,
        isMore: found.length > MAX_RERUN,
        csrfToken,
        platforms: ports.platforms,
      });
    }),

    action('/webhook-log/deliver', 'admin', async ({ orgId, by }, form) => {
      const asked = form.getAll('id').map(readSeen);
      const queued = await rerunEntries(ports, orgId, asked, by);
      const to = addressOf({ text: '', status: null, connectionId: null, before: null });
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
        to,
        toast: { title, sentence: `The log shows what becomes of each.${rest}` },
      };
    }),
  ];
}

function readSeen(field: string): SeenEntry {
  const [deliveryId = '', attempts = ''] = field.split(':');
  return { deliveryId, attempts: /^\d{1,9}$/.test(attempts) ? Number(attempts) : -1 };
}
