import {
  type ActionItem,
  type ActionItemsOverview,
  listActionItems,
  MAX_DISMISSAL_REASON,
  readConnectionStates,
  readMetrics,
  runAuditedAction,
  subjectOfActionItem,
} from '@handover/domain';
import type { HttpPorts } from '../../http-ports.ts';
import { action, type DashboardRequest, type DashboardRoute, page } from '../dashboard-route.ts';
import { describeNeed } from './describe-need.ts';
import { dismissPage } from './dismiss-page.ts';
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

    page('/overview/dismiss', 'admin', async (context) => {
      const item = await findItem(ports, context, context.query.get('subject'));
      if (!item) return { kind: 'redirect', to: OVERVIEW, toast: SOLVED };
      return dismissPage({ item, reason: '', problem: null, ...context });
    }),

    action('/overview/dismiss', 'admin', async (context, form) => {
      const { orgId, by, user, now } = context;
      const item = await findItem(ports, context, form.get('subject'));
      if (!item) return { kind: 'redirect', to: OVERVIEW, toast: SOLVED };
      const reason = (form.get('reason') ?? '').trim();
      if (reason === '' || reason.length > MAX_DISMISSAL_REASON) {
        const problem =
          reason === ''
            ? 'It must not be empty.'
            : `It must have at most ${MAX_DISMISSAL_REASON} characters.`;
        return dismissPage({ item, reason, problem, ...context });
      }
      const subject = subjectOfActionItem(item);
      const { title } = describeNeed(ports, item, now);
      // What came after the form was shown is not dismissed with it.
      const { seenAt, seenCount } = readSeen(form, item);
      const dismissal = { subject, seenAt, seenCount, reason, by: user.email, at: now };
      await runAuditedAction(
        ports,
        { orgId, by },
        ({ dismissals }) => dismissals.dismiss(orgId, dismissal),
        () => ({
          kind: 'action-item-dismissed',
          subjectId: orgId,
          summary: `Dismissed: ${title}. Reason: ${reason}`,
        }),
      );
      const undo = { action: `${OVERVIEW}/bring-back`, fields: { subject } };
      const toast = { title: 'Dismissed', sentence: `${title}. It comes back if it gets worse.`, undo };
      return { kind: 'redirect', to: OVERVIEW, toast };
    }),

    action('/overview/bring-back', 'admin', async ({ orgId, by, now }, form) => {
      const subject = form.get('subject') ?? '';
      const { items } = await readItems(ports, orgId, now);
      const known = items.dismissed.find(({ dismissal }) => dismissal.subject === subject);
      const title = known ? describeNeed(ports, known.item, now).title : 'something that is solved by now';
      const isBack = await runAuditedAction(
        ports,
        { orgId, by },
        ({ dismissals }) => dismissals.bringBack(orgId, subject),
        (found) =>
          found
            ? { kind: 'action-item-restored', subjectId: orgId, summary: `Brought back: ${title}.` }
            : null,
      );
      const toast = isBack ? { title: 'Brought back', sentence: `${title}.` } : SOLVED;
      return { kind: 'redirect', to: OVERVIEW, toast };
    }),
  ];
}

const OVERVIEW = '/dashboard/overview';
const SOLVED = { title: 'Nothing to do', sentence: 'It no longer needs you.' };

async function readItems(ports: Ports, orgId: string, now: Date) {
  const [facts, states] = await Promise.all([
    ports.actionItems.read(orgId, now),
    readConnectionStates(ports, orgId),
  ]);
  const { actionItems: all } = listActionItems(facts, states, [], now);
  const dismissals = await ports.dismissals.list(orgId, all.map(subjectOfActionItem));
  const items: ActionItemsOverview = listActionItems(facts, states, dismissals, now);
  return { items, states };
}

async function findItem(ports: Ports, { orgId, now }: DashboardRequest, subject: string | null) {
  const { items } = await readItems(ports, orgId, now);
  return items.actionItems.find((item) => subjectOfActionItem(item) === subject);
}

/** What the form showed, and never more than there is: else it would not come back when it gets worse. */
function readSeen(form: URLSearchParams, { at, buyers }: ActionItem) {
  const time = Date.parse(form.get('seen-at') ?? '');
  const count = Number(form.get('seen-count') ?? Number.NaN);
  return {
    seenAt: time >= 0 && time < at.getTime() ? new Date(time) : at,
    seenCount: Number.isInteger(count) && count >= 0 && count < buyers ? count : buyers,
  };
}
