import { ACTIVITY_GROUPS, ACTIVITY_VIAS } from '@handover/domain';
import type { HttpPorts } from '../../http-ports.ts';
import { everyRow } from '../../streaming/every-row.ts';
import { startStream } from '../../streaming/start-stream.ts';
import { markAsUtf8 } from '../../streaming/write-csv.ts';
import { type Answer, type DashboardRequest, type DashboardRoute, page } from '../dashboard-route.ts';
import { nameCsv, readDays } from '../parts/days.ts';
import { writeActivityCsv } from './activity-csv.ts';
import { type AskedActivity, activityPage } from './activity-page.ts';

type Ports = Pick<HttpPorts, 'activity' | 'team'>;

const PAGE_SIZE = 50;

/** The activity log. Orders and downloads are apart, unless everything is asked for. */
export function activityRoutes(ports: Ports): readonly DashboardRoute[] {
  return [
    page('/settings/activity', 'admin', (context) => listActivity(ports, context)),
    page('/settings/activity.csv', 'admin', async (context) =>
      // Wrong days are explained on the list.
      readDays(context.query).problem === null
        ? downloadActivity(ports, context)
        : listActivity(ports, context),
    ),
  ];
}

async function listActivity(ports: Ports, { orgId, query, now }: DashboardRequest): Promise<Answer> {
  const before = query.get('before');
  const asked = readAsked(query);
  const [found, members] = await Promise.all([
    // One extra row shows whether there are older ones.
    asked.days.problem === null
      ? ports.activity.list(orgId, { ...toQuery(asked), before, limit: PAGE_SIZE + 1 })
      : [],
    ports.team.list(orgId),
  ]);
  const shown = { entries: found.slice(0, PAGE_SIZE), isMore: found.length > PAGE_SIZE };
  const people = members.map(({ email }) => email);
  return activityPage({ ...shown, asked, people, isOlder: before !== null, now });
}

/** What the list shows, all of it. */
async function downloadActivity(ports: Ports, { orgId, query, now }: DashboardRequest): Promise<Answer> {
  const asked = readAsked(query);
  const entries = everyRow((rows) => ports.activity.list(orgId, { ...toQuery(asked), ...rows }));
  const content = await startStream(markAsUtf8(writeActivityCsv(entries)));
  const name = nameCsv('activity', asked.days, now);
  return { kind: 'file', name, contentType: 'text/csv; charset=utf-8', content };
}

/** The filters of the list, as its address holds them. */
function readAsked(query: URLSearchParams): AskedActivity {
  const what = query.get('what');
  return {
    via: ACTIVITY_VIAS.find((value) => value === query.get('via')) ?? null,
    actor: query.get('by') || null,
    group: ACTIVITY_GROUPS.find((value) => value === what) ?? (what === 'all' ? null : 'people'),
    days: readDays(query),
  };
}

function toQuery({ via, actor, group, days: { period } }: AskedActivity) {
  return { subjectId: null, via, actor, group, period };
}
