import { ACTIVITY_GROUPS, ACTIVITY_VIAS } from '@handover/domain';
import type { HttpPorts } from '../../http-ports.ts';
import { type DashboardRoute, page } from '../dashboard-route.ts';
import { activityPage } from './activity-page.ts';

type Ports = Pick<HttpPorts, 'activity' | 'team'>;

const PAGE_SIZE = 50;

/** The activity log. Orders and downloads are apart, unless everything is asked for. */
export function activityRoutes(ports: Ports): readonly DashboardRoute[] {
  return [
    page('/settings/activity', 'admin', async ({ orgId, query, now }) => {
      const before = query.get('before');
      const via = ACTIVITY_VIAS.find((value) => value === query.get('via')) ?? null;
      const actor = query.get('by') || null;
      const what = query.get('what');
      const group = ACTIVITY_GROUPS.find((value) => value === what) ?? (what === 'all' ? null : 'people');
      const asked = { via, actor, group };
      const [found, members] = await Promise.all([
        // One extra row shows whether there are older ones.
        ports.activity.list(orgId, { subjectId: null, ...asked, before, limit: PAGE_SIZE + 1 }),
        ports.team.list(orgId),
      ]);
      const shown = { entries: found.slice(0, PAGE_SIZE), isMore: found.length > PAGE_SIZE };
      const people = members.map(({ email }) => email);
      return activityPage({ ...shown, asked, people, isOlder: before !== null, now });
    }),
  ];
}
