import { listActionItems, readConnectionStates, readMetrics } from '@handover/domain';
import type { HttpPorts } from '../../http-ports.ts';
import { type DashboardRoute, page } from '../dashboard-route.ts';
import { overviewPage } from './overview-page.ts';

type Ports = Pick<HttpPorts, 'actionItems' | 'clock' | 'connections' | 'metrics' | 'rejected'>;

/** The start page for owners and admins: action items, and the day's numbers. */
export function overviewRoutes(ports: Ports): readonly DashboardRoute[] {
  return [
    page('/overview', 'admin', async ({ orgId, now }) => {
      const [facts, platforms, steps, metrics] = await Promise.all([
        ports.actionItems.read(orgId, now),
        readConnectionStates(ports, orgId),
        ports.actionItems.firstSteps(orgId),
        readMetrics(ports, orgId),
      ]);
      return overviewPage({
        ...listActionItems(facts, platforms, now),
        hasConnections: platforms.some(({ connections }) => connections.length > 0),
        steps,
        metrics,
        now,
      });
    }),
  ];
}
