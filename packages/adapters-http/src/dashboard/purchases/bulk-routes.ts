import {
  ALL_PURCHASES,
  BULK_ACTIONS,
  type BulkAction,
  beginBulk,
  cancelBulk,
  type FoundPurchase,
  MAX_BULK,
  MAX_BULK_COUNTED,
  planBulk,
  runNamedBulk,
  type SeenPurchase,
  type SeenReceipt,
  undoBulk,
} from '@handover/domain';
import type { HttpPorts } from '../../http-ports.ts';
import { type Answer, action, type DashboardRequest, type DashboardRoute, page } from '../dashboard-route.ts';
import { readDays } from '../parts/days.ts';
import { bulkRunPage, confirmAllPage, confirmBulkPage, nothingSelectedPage } from './bulk-pages.ts';
import { readPurchaseQuery, statusOfQuery } from './read-purchase-query.ts';

type Ports = Pick<
  HttpPorts,
  'bulkActions' | 'clock' | 'ids' | 'inTransaction' | 'mailings' | 'platforms' | 'purchases'
>;

const BULK = '/dashboard/purchases/bulk';

/**
 * Sends again, revokes or restores many purchases at once. Up to `MAX_BULK` are done at once, as the page that asked showed
 * them; more are paged through by a job. Either way the action has a row, of which its page tells. The page that asks names the
 * row's id, so that a second press is the same action. The page of a revocation offers an Undo, which is such an action itself.
 */
export function bulkRoutes(ports: Ports): readonly DashboardRoute[] {
  return [
    page('/purchases/bulk', 'admin', (context) => confirm(ports, context)),

    action('/purchases/bulk', 'admin', async ({ orgId, by, now }, form) => {
      const filters = new URLSearchParams(form.get('filters') ?? '');
      const what = readAction(form.get('action'));
      if (what === null) return nothingSelectedPage(filters);
      const id = readKey(ports, form);
      const asked = { id, orgId, action: what, askedAt: readMoment(form.get('asked'), now), by };
      if (form.get('all') === 'yes') {
        const query = readFilters(ports, filters);
        if (query === null) return nothingSelectedPage(filters);
        const total = await ports.purchases.countMatching(orgId, query, MAX_BULK_COUNTED);
        await beginBulk(ports, { ...asked, total }, query);
      } else {
        const named = form.getAll('p').flatMap((field) => field.split('\n'));
        const seen = named.slice(0, MAX_BULK).map(readSeen);
        if (seen.length === 0) return nothingSelectedPage(filters);
        await runNamedBulk(ports, { ...asked, total: seen.length }, seen);
      }
      return { kind: 'redirect', to: `${BULK}/${id}` };
    }),

    page('/purchases/bulk/:bulkId', 'admin', async ({ orgId, params, csrfToken }) => {
      const run = await ports.bulkActions.find(orgId, params.bulkId);
      return run ? bulkRunPage(run, csrfToken, ports.ids.next()) : { kind: 'not-found' };
    }),

    action('/purchases/bulk/:bulkId/cancel', 'admin', async ({ orgId, by, params }) => {
      const id = params.bulkId;
      if (!(await ports.bulkActions.find(orgId, id))) return { kind: 'not-found' };
      await cancelBulk(ports, orgId, id, by);
      return { kind: 'redirect', to: `${BULK}/${id}` };
    }),

    action('/purchases/bulk/:bulkId/undo', 'admin', async ({ orgId, by, now, params }, form) => {
      const id = readKey(ports, form);
      const isBegun = await undoBulk(ports, { id, orgId, askedAt: now, by }, params.bulkId);
      return isBegun ? { kind: 'redirect', to: `${BULK}/${id}` } : { kind: 'not-found' };
    }),
  ];
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** The id of the action, as the page that asked named it. */
function readKey({ ids }: Pick<Ports, 'ids'>, form: URLSearchParams): string {
  const key = form.get('key') ?? '';
  return UUID.test(key) ? key : ids.next();
}

/** Null if one of them cannot be read: without it, the action would reach purchases that the page did not show. */
function readFilters(ports: Ports, filters: URLSearchParams) {
  const days = readDays(filters, ports.clock.now());
  const query = readPurchaseQuery(ports, filters, days);
  const isUnread = (name: 'source' | 'receipt') => Boolean(filters.get(name)) && query[name] === null;
  const isUnreadStatus = Boolean(filters.get('status')) && statusOfQuery(query) === null;
  return days.problem !== null || isUnread('source') || isUnread('receipt') || isUnreadStatus ? null : query;
}

/** When the page asked; never later than now. */
function readMoment(text: string | null, now: Date): Date {
  const time = Date.parse(text ?? '');
  return time >= 0 && time < now.getTime() ? new Date(time) : now;
}

async function confirm(ports: Ports, { orgId, query, now, csrfToken }: DashboardRequest): Promise<Answer> {
  const what = readAction(query.get('action'));
  const filters = new URLSearchParams(query);
  for (const name of ['id', 'action', 'all']) filters.delete(name);
  const found = await findSelected(ports, orgId, query, now);
  if (what === null || found.length === 0) return nothingSelectedPage(filters);
  const { platforms } = ports;
  const asking = { action: what, filters, key: ports.ids.next(), askedAt: now, csrfToken, platforms };
  if (found.length > MAX_BULK) {
    const matching = readPurchaseQuery(ports, query, readDays(query, now));
    const total = await ports.purchases.countMatching(orgId, matching, MAX_BULK_COUNTED);
    return confirmAllPage({ ...asking, total, newest: found });
  }
  const plan = planBulk(what, found);
  const ids = plan.included.map(({ id }) => id);
  const mailings = what === 'resend' ? await ports.mailings.findAll(orgId, ids) : [];
  const receipts = new Map(
    mailings.flatMap(({ receipt, purchases }) => purchases.map(({ id }) => [id, receipt] as const)),
  );
  const fields = ids.map((id) => writeSeen(id, receipts.get(id) ?? null));
  return confirmBulkPage({ ...asking, plan, fields, mails: mailings.length });
}

/** Those whose boxes are checked, or the newest of all that match: one more than `MAX_BULK` when there are more. */
async function findSelected(
  ports: Ports,
  orgId: string,
  asked: URLSearchParams,
  now: Date,
): Promise<readonly FoundPurchase[]> {
  const days = readDays(asked, now);
  const isAll = asked.get('all') === 'yes';
  const ids = asked.getAll('id').slice(0, MAX_BULK);
  if (days.problem !== null || (!isAll && ids.length === 0)) return [];
  return ports.purchases.search(orgId, {
    ...(isAll ? readPurchaseQuery(ports, asked, days) : { ...ALL_PURCHASES, ids }),
    before: null,
    limit: MAX_BULK + 1,
  });
}

function readAction(text: string | null): BulkAction | null {
  return BULK_ACTIONS.find((known) => known === text) ?? null;
}

/** A purchase with its receipt as the page showed it. */
function writeSeen(purchaseId: string, receipt: SeenReceipt | null): string {
  return receipt ? `${purchaseId}:${receipt.status}:${receipt.id}` : purchaseId;
}

function readSeen(field: string): SeenPurchase {
  const [purchaseId = '', status, id = ''] = field.split(':');
  const isStatus = status === 'pending' || status === 'sent' || status === 'refused';
  return { purchaseId, receipt: isStatus ? { status, id } : null };
}
