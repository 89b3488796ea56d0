import { listNeeds, readConnectionStates, readFigures } from '@handover/domain';
import type { HttpPorts } from '../../http-ports.ts';
import { type DashboardRoute, page } from '../dashboard-route.ts';
import { overviewPage } from './overview-page.ts';

/** Where owners and admins come in: what needs them, and how the day goes. */
export function overviewRoutes(ports: HttpPorts): readonly DashboardRoute[] {
  return [
    page('/overview', 'admin', async ({ orgId, now }) => {
      const [facts, platforms, steps, figures] = await Promise.all([
        ports.needs.read(orgId, now),
        readConnectionStates(ports, orgId),
        ports.needs.firstSteps(orgId),
        readFigures(ports, orgId),
      ]);
      return overviewPage({
        ...listNeeds(facts, platforms, now),
        hasConnections: platforms.some(({ connections }) => connections.length > 0),
        steps,
        figures,
        now,
      });
    }),
  ];
}
