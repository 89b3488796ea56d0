import { ACTIVITY_VIAS } from '@handover/domain';
import type { HttpPorts } from '../../http-ports.ts';
import { type DashboardRoute, page } from '../dashboard-route.ts';
import { activityPage } from './activity-page.ts';

type Ports = Pick<HttpPorts, 'activity'>;

const PAGE_SIZE = 50;

/** The activity log. */
export function activityRoutes(ports: Ports): readonly DashboardRoute[] {
  return [
    page('/settings/activity', 'admin', async ({ orgId, query, now }) => {
      const before = query.get('before');
      const via = ACTIVITY_VIAS.find((value) => value === query.get('via')) ?? null;
      // One extra row shows whether there are older ones.
      const found = await ports.activity.list(orgId, { subjectId: null, via, before, limit: PAGE_SIZE + 1 });
      const shown = { entries: found.slice(0, PAGE_SIZE), isMore: found.length > PAGE_SIZE };
      return activityPage({ ...shown, via, isOlder: before !== null, now });
    }),
  ];
}
