import { readMetrics } from '@handover/domain';
import type { HttpPorts } from '../../http-ports.ts';
import { type DashboardRoute, page } from '../dashboard-route.ts';
import { dismissalRoutes, readItems } from './dismissal-routes.ts';
import { overviewPage } from './overview-page.ts';

type Ports = Pick<
  HttpPorts,
  | 'actionItems'
  | 'clock'
  | 'connections'
  | 'dismissals'
  | 'ids'
  | 'inTransaction'
  | 'metrics'
  | 'platforms'
  | 'rejected'
>;

/** The start page for owners and admins: action items, which can be dismissed, and the day's numbers. */
export function overviewRoutes(ports: Ports): readonly DashboardRoute[] {
  return [
    page('/overview', 'admin', async ({ orgId, now, csrfToken }) => {
      const [{ items, states }, steps, metrics] = await Promise.all([
        readItems(ports, orgId, now),
        ports.actionItems.firstSteps(orgId),
        readMetrics(ports, orgId),
      ]);
      return overviewPage({ ...items, states, platforms: ports.platforms, steps, metrics, now, csrfToken });
    }),

    ...dismissalRoutes(ports),
  ];
}
