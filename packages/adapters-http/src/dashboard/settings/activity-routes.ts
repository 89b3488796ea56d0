import { ACTIVITY_GROUPS, ACTIVITY_VIAS, type ActivityEntry } from '@handover/domain';
import type { HttpPorts } from '../../http-ports.ts';
import { isoDay } from '../../pages/words.ts';
import { everyRow } from '../../streaming/every-row.ts';
import { asText, type Columns, writeCsv } from '../../streaming/write-csv.ts';
import { csvAnswer, readCsvFormat } from '../csv-answer.ts';
import { type Answer, type DashboardRequest, type DashboardRoute, page } from '../dashboard-route.ts';
import { nameCsv, readDays } from '../parts/days.ts';
import { takePage } from '../take-page.ts';
import { type AskedActivity, activityPage } from './activity-page.ts';

type Ports = Pick<HttpPorts, 'activity' | 'team'>;

/** The activity log. Orders and downloads are apart, unless everything is asked for. */
export function activityRoutes(ports: Ports): readonly DashboardRoute[] {
  return [
    page('/settings/activity', 'admin', (context) => listActivity(ports, context)),
    page('/settings/activity.csv', 'admin', async (context) =>
      // Wrong days are explained on the list.
      readDays(context.query, context.now).problem === null
        ? downloadActivity(ports, context)
        : listActivity(ports, context),
    ),
  ];
}

async function listActivity(ports: Ports, request: DashboardRequest): Promise<Answer> {
  const { orgId, query, now, expectsSemicolons } = request;
  const before = query.get('before');
  const asked = readAsked(query, now);
  const [shown, members] = await Promise.all([
    takePage(async (limit) =>
      asked.days.problem === null ? ports.activity.list(orgId, { ...toQuery(asked), before, limit }) : [],
    ),
    ports.team.list(orgId),
  ]);
  const people = members.map(({ email }) => email);
  return activityPage({ ...shown, orgId, asked, people, isOlder: before !== null, now, expectsSemicolons });
}

/** What the list shows, all of it. */
async function downloadActivity(ports: Ports, { orgId, query, now }: DashboardRequest): Promise<Answer> {
  const asked = readAsked(query, now);
  const entries = everyRow((rows) => ports.activity.list(orgId, { ...toQuery(asked), ...rows }));
  return csvAnswer(nameCsv('activity', asked.days, now), writeCsv(COLUMNS, entries, readCsvFormat(query)));
}

/** For auditors: exact UTC times, and the UTC day, which spreadsheets read as a date. */
const COLUMNS: Columns<ActivityEntry> = {
  date: ({ at }) => at.toISOString(),
  summary: ({ summary }) => asText(summary),
  person: ({ actor }) => asText(actor ?? ''),
  via: ({ via }) => via,
  viaDetail: ({ viaDetail }) => asText(viaDetail ?? ''),
  kind: ({ kind }) => kind,
  subjectId: ({ subjectId }) => subjectId,
  activityId: ({ id }) => id,
  day: ({ at }) => isoDay(at),
};

/** The filters of the list, as its address holds them. */
function readAsked(query: URLSearchParams, now: Date): AskedActivity {
  const what = query.get('what');
  return {
    via: ACTIVITY_VIAS.find((value) => value === query.get('via')) ?? null,
    actor: query.get('by') || null,
    group: ACTIVITY_GROUPS.find((value) => value === what) ?? (what === 'all' ? null : 'people'),
    days: readDays(query, now),
  };
}

function toQuery({ via, actor, group, days: { period } }: AskedActivity) {
  return { subjectId: null, via, actor, group, period };
}
