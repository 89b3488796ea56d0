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
import { rejectedPage } from './rejected-page.ts';
import {
  countRejected,
  describeRejectedResult,
  noActionPage,
  REJECTED_ACTIONS,
  type RejectedAction,
  selectedRejectedPage,
} from './selected-rejected-page.ts';

type Ports = Pick<
  HttpPorts,
  'clock' | 'connections' | 'dismissals' | 'ids' | 'inTransaction' | 'platforms' | 'rejected'
>;

const PATH = '/settings/integrations/:platform/rejected';

/**
 * Rejected requests, which are delivered, dismissed and brought back, many at once. A request never changes, and leaves the
 * rejected once: so its id is all that a form has to hold of what it showed.
 */
export function rejectedRoutes(
  ports: Ports,
  options: Pick<HttpOptions, 'platforms' | 'sharedPlatform'>,
  rejectedReader: RejectedReader,
): readonly DashboardRoute[] {
  const toRow = (rejected: RejectedDelivery) => ({ rejected, order: peekIntoRejected(options, rejected) });

  const readLists = async ({ orgId, now }: DashboardRequest, platform: string) => {
    const since = new Date(now.getTime() - REJECTED_LIFETIME_MS);
    const [kept, dismissed] = await Promise.all([
      ports.rejected.list(orgId, platform, since),
      ports.rejected.listDismissed(orgId, platform, since),
    ]);
    return { kept: kept.map(toRow), dismissed: dismissed.map(toRow) };
  };

  const ask = async (
    context: DashboardRequest,
    platform: string,
    asked: Asked,
    problem: string | null = null,
  ): Promise<Answer> => {
    const { kept, dismissed } = await readLists(context, platform);
    const among = asked.action === 'bring-back' ? dismissed : kept;
    const genuine = await listGenuineRejected({ ...ports, rejectedReader }, context.orgId, platform);
    const rows = among.filter(({ rejected }) => asked.ids.has(rejected.id));
    const included =
      asked.action === 'deliver' ? rows.filter((row) => genuine.includes(row.rejected.id)) : rows;
    const { platforms, csrfToken } = context;
    const form = { action: asked.action, reason: asked.reason, problem, csrfToken };
    return selectedRejectedPage({ ...form, platforms, platform, selected: asked.ids.size, rows, included });
  };

  return [
    page(PATH, 'admin', async (context) => {
      const { platform } = context.params;
      if (!ports.platforms.has(platform)) return { kind: 'not-found' };
      const { kept, dismissed } = await readLists(context, platform);
      const subjects = dismissed.map(({ rejected }) => subjectOfRejected(rejected.id));
      const dismissals = await ports.dismissals.list(context.orgId, subjects);
      const genuine = await listGenuineRejected({ ...ports, rejectedReader }, context.orgId, platform);
      return rejectedPage({ platforms: ports.platforms, platform, kept, genuine, dismissed, dismissals });
    }),

    page(`${PATH}/selected`, 'admin', async (context) => {
      const { platform } = context.params;
      if (!ports.platforms.has(platform)) return { kind: 'not-found' };
      const asked = readAsked(context.query);
      return asked ? ask(context, platform, asked) : noActionPage(platform);
    }),

    action(PATH, 'admin', async (context, form) => {
      const { platform } = context.params;
      if (!ports.platforms.has(platform)) return { kind: 'not-found' };
      const asked = readAsked(form);
      if (!asked) return noActionPage(platform);
      const to = `/dashboard/settings/integrations/${platform}`;
      if (asked.action === 'deliver') {
        const toast = await deliver(context, platform, asked.ids);
        return { kind: 'redirect', to: asked.ids.size === 0 ? to : `${to}/rejected`, toast };
      }
      const reason = dismissalReason(asked.reason);
      if (asked.action === 'dismiss' && reason.problem !== null)
        return ask(context, platform, asked, reason.problem);
      const change = asked.action === 'dismiss' ? dismiss : bringBack;
      return { kind: 'redirect', to: `${to}/rejected`, toast: await change(context, platform, asked) };
    }),
  ];

  /** Those with these ids, or all that are genuine where no id is given. */
  async function deliver(
    context: DashboardRequest,
    platform: string,
    ids: ReadonlySet<string>,
  ): Promise<Toast> {
    const { orgId } = context;
    const sentenceOf = (delivered: number) =>
      `${countRejected(delivered)} of ${ports.platforms.vendorOf(platform)} added to the webhook log.`;
    const chosen = ids.size === 0 ? null : [...ids];
    const { kept } = await readLists(context, platform);
    const delivered = await runAuditedAction(
      ports,
      context,
      (within) => deliverRejected({ ...within, rejectedReader }, orgId, platform, chosen),
      (count) =>
        count > 0 ? { kind: 'integration-changed', subjectId: orgId, summary: sentenceOf(count) } : null,
    );
    if (chosen === null) return { title: 'Rejected deliveries accepted', sentence: sentenceOf(delivered) };
    const left = kept.filter(({ rejected }) => ids.has(rejected.id)).length - delivered;
    return describeRejectedResult('deliver', { done: delivered, left, gone: ids.size - left - delivered });
  }

  async function dismiss(
    context: DashboardRequest,
    platform: string,
    { ids, reason }: Asked,
  ): Promise<Toast> {
    const { user, now: at } = context;
    const { kept } = await readLists(context, platform);
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
    await dismissWithEntry(ports, context, dismissals, nameRows(platform, rows));
    return describeRejectedResult('dismiss', { done: rows.length, left: 0, gone: ids.size - rows.length });
  }

  async function bringBack(context: DashboardRequest, platform: string, { ids }: Asked): Promise<Toast> {
    const { dismissed } = await readLists(context, platform);
    const rows = dismissed.filter(({ rejected }) => ids.has(rejected.id));
    const subjects = rows.map(({ rejected }) => subjectOfRejected(rejected.id));
    const back = await bringBackWithEntry(ports, context, subjects, nameRows(platform, rows));
    return describeRejectedResult('bring-back', { done: back.length, left: 0, gone: ids.size - back.length });
  }

  function nameRows(platform: string, rows: readonly ReturnType<typeof toRow>[]): string {
    const numbers = rows.flatMap(({ order }) => order?.orderNumber ?? []);
    const named = numbers.slice(0, NAMED).join(', ');
    const more = rows.length - Math.min(numbers.length, NAMED);
    const which = named === '' ? '' : ` (${named}${more > 0 ? ` and ${more} more` : ''})`;
    return `${countRejected(rows.length)} of ${ports.platforms.vendorOf(platform)}${which}`;
  }
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
