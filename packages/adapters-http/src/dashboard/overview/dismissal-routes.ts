import {
  type ActionItem,
  type ActionItemsOverview,
  type Dismissal,
  isSubjectOfActionItem,
  listActionItems,
  readConnectionStates,
  subjectOfActionItem,
} from '@handover/domain';
import {
  bringBackWithEntry,
  dismissalReason,
  dismissWithEntry,
  readDismissedAt,
} from '../../actions/dismissal-actions.ts';
import type { HttpPorts } from '../../http-ports.ts';
import { type Answer, action, type DashboardRequest, type DashboardRoute, page } from '../dashboard-route.ts';
import { CHANGED, SOLVED } from '../parts/dismissal.ts';
import { counted } from '../parts/money.ts';
import type { Toast } from '../parts/toast.ts';
import { describeActionItem } from './describe-action-item.ts';
import { dismissedPage, dismissPage } from './dismiss-pages.ts';

type Ports = Pick<
  HttpPorts,
  'actionItems' | 'clock' | 'connections' | 'dismissals' | 'ids' | 'inTransaction' | 'platforms' | 'rejected'
>;

const OVERVIEW = '/dashboard/overview';
/** An Undo is kept in a cookie, so it names no more than a few. */
const MAX_UNDONE = 20;

/** Dismisses action items for one reason, as a page showed them, and brings them back. One or many. */
export function dismissalRoutes(ports: Ports): readonly DashboardRoute[] {
  return [
    page('/overview/dismiss', 'admin', (context) => askToDismiss(ports, context)),

    action('/overview/dismiss', 'admin', (context, form) => dismiss(ports, context, form)),

    page('/overview/dismissed', 'admin', async (context) => {
      const { items } = await readItems(ports, context.orgId, context.now);
      return dismissedPage({ dismissed: items.dismissed, ...context });
    }),

    action('/overview/bring-back', 'admin', (context, form) => bringBack(ports, context, form)),
  ];
}

async function askToDismiss(ports: Ports, context: DashboardRequest): Promise<Answer> {
  const { items } = await readItems(ports, context.orgId, context.now);
  const asked = context.query.getAll('subject');
  const only = items.actionItems.filter((item) => asked.includes(subjectOfActionItem(item)));
  if (asked.length > 0 && only.length === 0) return { kind: 'redirect', to: OVERVIEW, toast: SOLVED };
  const offered = asked.length > 0 ? only : items.actionItems;
  return dismissPage({ items: offered, chosen: [], reason: '', problem: null, ...context });
}

async function dismiss(ports: Ports, context: DashboardRequest, form: URLSearchParams): Promise<Answer> {
  const { orgId, user, now } = context;
  const seen = form.getAll('subject').map(readSeen);
  const { items } = await readItems(ports, orgId, now);
  const { reason, problem } = dismissalReason(form.get('reason'));
  if (seen.length === 0) {
    const unselected = { items: items.actionItems, chosen: [], reason };
    return dismissPage({ ...unselected, problem: 'Select at least one above.', ...context });
  }
  const found = items.actionItems.flatMap((item) => {
    const as = seen.find(({ subject }) => subject === subjectOfActionItem(item));
    return as ? [{ item, as }] : [];
  });
  if (found.length === 0) return { kind: 'redirect', to: OVERVIEW, toast: SOLVED };
  if (problem !== null) {
    const chosen = found.map(({ as }) => as.subject);
    const offered = seen.length === 1 ? found.map(({ item }) => item) : items.actionItems;
    return dismissPage({ items: offered, chosen, reason, problem, ...context });
  }
  const dismissals = found.map(
    ({ item, as }): Dismissal => ({
      // What came after the form was shown is not dismissed with it.
      ...limitSeen(as, item),
      subject: as.subject,
      reason,
      by: user.email,
      at: now,
    }),
  );
  const titles = found.map(({ item }) => describeActionItem(ports, item, now).title).join('; ');
  await dismissWithEntry(ports, context, dismissals, titles);
  return {
    kind: 'redirect',
    to: OVERVIEW,
    toast: describeDismissed(found, dismissals, titles, seen.length - found.length),
  };
}

async function bringBack(
  ports: Ports,
  { orgId, by, now }: DashboardRequest,
  form: URLSearchParams,
): Promise<Answer> {
  const asked = form.getAll('subject').flatMap((field) => field.split('\n'));
  const subjects = asked.filter(isSubjectOfActionItem);
  const dismissedAt = readDismissedAt(form);
  const { items } = await readItems(ports, orgId, now);
  const titles = items.dismissed
    .filter(({ dismissal: { subject, at } }) => subjects.includes(subject) && isMeant(at, dismissedAt))
    .map(({ item }) => describeActionItem(ports, item, now).title);
  const named = titles.length > 0 ? titles.join('; ') : 'something that is solved by now';
  const back = await bringBackWithEntry(ports, { orgId, by }, subjects, named, dismissedAt);
  if (back.length === 0)
    return { kind: 'redirect', to: OVERVIEW, toast: dismissedAt === null ? SOLVED : CHANGED };
  const others = new Set(subjects).size - back.length;
  const rest =
    others > 0
      ? ` ${counted(others, 'other')} left alone: brought back${dismissedAt === null ? '' : ' or dismissed again'} before.`
      : '';
  const title = back.length === 1 ? 'Brought back' : `${back.length} brought back`;
  return { kind: 'redirect', to: OVERVIEW, toast: { title, sentence: `${named}.${rest}` } };
}

interface Seen {
  readonly subject: string;
  readonly seenAt: number;
  readonly seenCount: number;
}

/** As {@link dismissPage} writes it. */
function readSeen(field: string): Seen {
  const [subject = '', at = '', count = ''] = field.split('|');
  return { subject, seenAt: Date.parse(at), seenCount: count === '' ? Number.NaN : Number(count) };
}

function isMeant(at: Date, dismissedAt: Date | null): boolean {
  return dismissedAt === null || at.getTime() === dismissedAt.getTime();
}

/** What the form showed, and never more than there is: else it would not come back when it gets worse. */
function limitSeen({ seenAt, seenCount }: Seen, { at, buyers }: ActionItem) {
  return {
    seenAt: seenAt >= 0 && seenAt < at.getTime() ? new Date(seenAt) : at,
    seenCount: Number.isInteger(seenCount) && seenCount >= 0 && seenCount < buyers ? seenCount : buyers,
  };
}

function describeDismissed(
  found: readonly { readonly item: ActionItem }[],
  dismissals: readonly Dismissal[],
  titles: string,
  solved: number,
): Toast {
  const worse = found.filter(({ item }, at) => {
    const dismissal = dismissals[at];
    return dismissal && (item.at > dismissal.seenAt || item.buyers > dismissal.seenCount);
  }).length;
  const undo = {
    action: `${OVERVIEW}/bring-back`,
    fields: {
      subject: dismissals.map(({ subject }) => subject).join('\n'),
      dismissed: dismissals[0]?.at.toISOString() ?? '',
    },
  };
  if (found.length === 1 && solved === 0 && worse === 0)
    return { title: 'Dismissed', sentence: `${titles}. It comes back if it gets worse.`, undo };
  const sentences = [
    'They come back if they get worse.',
    worse > 0 && `${worse} still listed: got worse while you wrote.`,
    solved > 0 && `${solved} left alone: no longer on the list.`,
  ].filter((one) => one !== false);
  return {
    title: `${found.length} dismissed`,
    sentence: sentences.join(' '),
    ...(found.length <= MAX_UNDONE && { undo }),
  };
}

/** The action items of an organisation, those that were dismissed, and the states of its connections. */
export async function readItems(
  ports: Pick<HttpPorts, 'actionItems' | 'clock' | 'connections' | 'dismissals' | 'platforms' | 'rejected'>,
  orgId: string,
  now: Date,
) {
  const [facts, states] = await Promise.all([
    ports.actionItems.read(orgId, now),
    readConnectionStates(ports, orgId),
  ]);
  const { actionItems: all } = listActionItems(facts, states, [], now);
  const dismissals = await ports.dismissals.list(orgId, all.map(subjectOfActionItem));
  const items: ActionItemsOverview = listActionItems(facts, states, dismissals, now);
  return { items, states };
}
