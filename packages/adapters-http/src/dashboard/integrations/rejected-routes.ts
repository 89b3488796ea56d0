import {
  type Dismissal,
  deliverRejected,
  listGenuineRejected,
  REJECTED_LIFETIME_MS,
  type RejectedDelivery,
  type RejectedReader,
  runAuditedAction,
  subjectOfRejected,
} from '@handover/domain';
import { bringBackWithEntry, dismissalReason, dismissWithEntry } from '../../actions/dismissal-actions.ts';
import type { HttpOptions, HttpPorts } from '../../http-ports.ts';
import { peekIntoRejected } from '../../read-orders.ts';
import { type Answer, action, type DashboardRequest, type DashboardRoute, page } from '../dashboard-route.ts';
import type { Toast } from '../parts/toast.ts';
import { type RejectedRow, rejectedPage } from './rejected-page.ts';
import {
  countRejected,
  describeRejectedResult,
  noActionPage,
  REJECTED_ACTIONS,
  type RejectedAction,
  selectedRejectedPage,
} from './selected-rejected-page.ts';

const PATH = '/settings/integrations/:platform/rejected';

/**
 * Rejected requests, which are delivered, dismissed and brought back, many at once. A request never changes, and leaves the
 * rejected once: so its id is all that a form has to hold of what it showed.
 */
export function rejectedRoutes(
  httpPorts: Omit<Ports, 'rejectedReader' | 'toRow'>,
  options: Pick<HttpOptions, 'platforms' | 'sharedPlatform'>,
  rejectedReader: RejectedReader,
): readonly DashboardRoute[] {
  const toRow = (rejected: RejectedDelivery) => ({ rejected, order: peekIntoRejected(options, rejected) });
  const ports: Ports = { ...httpPorts, rejectedReader, toRow };
  return [
    page(PATH, 'admin', (context) => showRejected(ports, context)),
    page(`${PATH}/selected`, 'admin', (context) => askAboutSelected(ports, context)),
    action(PATH, 'admin', (context, form) => changeSelected(ports, context, form)),
  ];
}

interface Ports
  extends Pick<
    HttpPorts,
    'clock' | 'connections' | 'dismissals' | 'ids' | 'inTransaction' | 'platforms' | 'rejected'
  > {
  readonly rejectedReader: RejectedReader;
  readonly toRow: (rejected: RejectedDelivery) => RejectedRow;
}

type Context = DashboardRequest<'platform'>;

async function showRejected(ports: Ports, context: Context): Promise<Answer> {
  const { platforms } = ports;
  const { platform } = context.params;
  if (!platforms.has(platform)) return { kind: 'not-found' };
  const { kept, dismissed } = await readLists(ports, context);
  const subjects = dismissed.map(({ rejected }) => subjectOfRejected(rejected.id));
  const dismissals = await ports.dismissals.list(context.orgId, subjects);
  const genuine = await listGenuineRejected(ports, context.orgId, platform);
  return rejectedPage({ platforms, platform, kept, genuine, dismissed, dismissals });
}

async function askAboutSelected(ports: Ports, context: Context): Promise<Answer> {
  const { platform } = context.params;
  if (!ports.platforms.has(platform)) return { kind: 'not-found' };
  const asked = readAsked(context.query);
  return asked ? ask(ports, context, asked) : noActionPage(platform);
}

async function changeSelected(ports: Ports, context: Context, form: URLSearchParams): Promise<Answer> {
  const { platform } = context.params;
  if (!ports.platforms.has(platform)) return { kind: 'not-found' };
  const asked = readAsked(form);
  if (!asked) return noActionPage(platform);
  const to = `/dashboard/settings/integrations/${platform}`;
  if (asked.action === 'deliver') {
    const toast = await deliver(ports, context, asked);
    return { kind: 'redirect', to: asked.ids.size === 0 ? to : `${to}/rejected`, toast };
  }
  const reason = dismissalReason(asked.reason);
  if (asked.action === 'dismiss' && reason.problem !== null)
    return ask(ports, context, asked, reason.problem);
  const apply = asked.action === 'dismiss' ? dismiss : bringBack;
  return { kind: 'redirect', to: `${to}/rejected`, toast: await apply(ports, context, asked) };
}

async function readLists({ rejected, toRow }: Ports, { orgId, now, params: { platform } }: Context) {
  const since = new Date(now.getTime() - REJECTED_LIFETIME_MS);
  const [kept, dismissed] = await Promise.all([
    rejected.list(orgId, platform, since),
    rejected.listDismissed(orgId, platform, since),
  ]);
  return { kept: kept.map(toRow), dismissed: dismissed.map(toRow) };
}

async function ask(
  ports: Ports,
  context: Context,
  { action, ids, reason }: Asked,
  problem: string | null = null,
): Promise<Answer> {
  const { platform } = context.params;
  const { kept, dismissed } = await readLists(ports, context);
  const among = action === 'bring-back' ? dismissed : kept;
  const genuine = await listGenuineRejected(ports, context.orgId, platform);
  const rows = among.filter(({ rejected }) => ids.has(rejected.id));
  const included = action === 'deliver' ? rows.filter((row) => genuine.includes(row.rejected.id)) : rows;
  const { platforms, csrfToken } = context;
  const form = { action, reason, problem, csrfToken };
  return selectedRejectedPage({ ...form, platforms, platform, selected: ids.size, rows, included });
}

/** Those with these ids, or all that are genuine where no id is given. */
async function deliver(ports: Ports, context: Context, { ids }: Asked): Promise<Toast> {
  const { orgId, params } = context;
  const sentenceOf = (delivered: number) =>
    `${countRejected(delivered)} of ${ports.platforms.vendorOf(params.platform)} added to the webhook log.`;
  const chosen = ids.size === 0 ? null : [...ids];
  const { kept } = await readLists(ports, context);
  const delivered = await runAuditedAction(
    ports,
    context,
    (within) =>
      deliverRejected({ ...within, rejectedReader: ports.rejectedReader }, orgId, params.platform, chosen),
    (count) =>
      count > 0 ? { kind: 'integration-changed', subjectId: orgId, summary: sentenceOf(count) } : null,
  );
  if (chosen === null) return { title: 'Rejected deliveries accepted', sentence: sentenceOf(delivered) };
  const left = kept.filter(({ rejected }) => ids.has(rejected.id)).length - delivered;
  return describeRejectedResult('deliver', { done: delivered, left, gone: ids.size - left - delivered });
}

async function dismiss(ports: Ports, context: Context, { ids, reason }: Asked): Promise<Toast> {
  const { user, now: at } = context;
  const { kept } = await readLists(ports, context);
  const rows = kept.filter(({ rejected }) => ids.has(rejected.id));
  const dismissals = rows.map(
    ({ rejected: { id, receivedAt } }): Dismissal => ({
      subject: subjectOfRejected(id),
      seenAt: receivedAt,
      seenCount: 1,
      reason: reason.trim(),
      by: user.email,
      at,
    }),
  );
  await dismissWithEntry(ports, context, dismissals, nameRows(context, rows));
  return describeRejectedResult('dismiss', { done: rows.length, left: 0, gone: ids.size - rows.length });
}

async function bringBack(ports: Ports, context: Context, { ids }: Asked): Promise<Toast> {
  const { dismissed } = await readLists(ports, context);
  const rows = dismissed.filter(({ rejected }) => ids.has(rejected.id));
  const subjects = rows.map(({ rejected }) => subjectOfRejected(rejected.id));
  const back = await bringBackWithEntry(ports, context, subjects, nameRows(context, rows));
  return describeRejectedResult('bring-back', { done: back.length, left: 0, gone: ids.size - back.length });
}

function nameRows({ platforms, params }: Context, rows: readonly RejectedRow[]): string {
  const numbers = rows.flatMap(({ order }) => order?.orderNumber ?? []);
  const named = numbers.slice(0, NAMED).join(', ');
  const more = rows.length - Math.min(numbers.length, NAMED);
  const which = named === '' ? '' : ` (${named}${more > 0 ? ` and ${more} more` : ''})`;
  return `${countRejected(rows.length)} of ${platforms.vendorOf(params.platform)}${which}`;
}

/** So many orders are named in an entry of the activity log. */
const NAMED = 10;

interface Asked {
  readonly action: RejectedAction;
  readonly ids: ReadonlySet<string>;
  readonly reason: string;
}

/** Null where the form does not say what it wants: nothing is delivered by default. */
function readAsked(form: URLSearchParams): Asked | null {
  const action = REJECTED_ACTIONS.find((known) => known === form.get('action'));
  return action ? { action, ids: new Set(form.getAll('id')), reason: form.get('reason') ?? '' } : null;
}
