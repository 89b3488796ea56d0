import {
  type BulkAction,
  type FoundPurchase,
  MAX_BULK,
  planBulk,
  resendReceipts,
  restorePurchases,
  revokePurchases,
  type SeenPurchase,
  type SeenReceipt,
} from '@handover/domain';
import type { HttpPorts } from '../../http-ports.ts';
import type { Answer } from '../dashboard-route.ts';
import { action, type DashboardRequest, type DashboardRoute, page } from '../dashboard-route.ts';
import {
  addressOfResult,
  type BulkOrigin,
  type BulkResult,
  bulkResultPage,
  confirmBulkPage,
  nothingSelectedPage,
} from './bulk-pages.ts';
import { readDays } from './read-period.ts';
import { readPurchaseQuery } from './read-purchase-query.ts';

type Ports = Pick<HttpPorts, 'clock' | 'ids' | 'mailings' | 'platforms' | 'purchases'>;

/**
 * Sends again, revokes or restores many purchases at once. The page that asks holds what it showed, and exactly that is
 * done: a second press, or another operator's, changes nothing more.
 */
export function bulkRoutes(ports: Ports): readonly DashboardRoute[] {
  return [
    page('/purchases/bulk', 'admin', (context) => confirm(ports, context)),

    action('/purchases/bulk', 'admin', async ({ orgId, by }, form) => {
      const origin = {
        filters: new URLSearchParams(form.get('filters') ?? ''),
        next: form.get('next') || null,
      };
      const what = readAction(form.get('action'));
      const seen = form.getAll('p').slice(0, MAX_BULK).map(readSeen);
      if (what === null || seen.length === 0) return nothingSelectedPage(origin);
      const result = await runBulk(ports, orgId, what, seen, by);
      return { kind: 'redirect', to: addressOfResult(result, origin) };
    }),

    page('/purchases/bulk/result', 'admin', async ({ query }) => {
      const what = readAction(query.get('result'));
      if (what === null) return { kind: 'not-found' };
      const origin = { filters: new URLSearchParams(query.get('filters') ?? ''), next: query.get('next') };
      const [done = 0, before = 0, revoked = 0] = ['done', 'unchanged', 'revoked'].map((name) =>
        readCount(query.get(name)),
      );
      return bulkResultPage({ action: what, done, before, revoked }, origin);
    }),
  ];
}

async function runBulk(
  ports: Ports,
  orgId: string,
  what: BulkAction,
  seen: readonly SeenPurchase[],
  by: DashboardRequest['by'],
): Promise<BulkResult> {
  if (what === 'resend') {
    const { queued, doneBefore, revoked } = await resendReceipts(ports, orgId, seen, by);
    return { action: what, done: queued, before: doneBefore, revoked };
  }
  const ids = [...new Set(seen.map(({ purchaseId }) => purchaseId))];
  const change = what === 'revoke' ? revokePurchases : restorePurchases;
  const done = await change(ports, orgId, ids, by);
  return { action: what, done, before: ids.length - done, revoked: 0 };
}

function readCount(text: string | null): number {
  const count = Number(text);
  return Number.isInteger(count) && count >= 0 && count <= MAX_BULK ? count : 0;
}

async function confirm(ports: Ports, { orgId, query, csrfToken }: DashboardRequest): Promise<Answer> {
  const what = readAction(query.get('action'));
  const { found, origin } = await findSelected(ports, orgId, query);
  if (what === null || found.length === 0) return nothingSelectedPage(origin);
  const plan = planBulk(what, found);
  const ids = plan.included.map(({ id }) => id);
  const mailings = what === 'resend' ? await ports.mailings.findAll(orgId, ids) : [];
  const receipts = new Map(
    mailings.flatMap(({ receipt, purchases }) => purchases.map(({ id }) => [id, receipt] as const)),
  );
  const fields = ids.map((id) => writeSeen(id, receipts.get(id) ?? null));
  return confirmBulkPage({ action: what, plan, fields, mails: mailings.length, origin, csrfToken });
}

/** Those whose boxes are checked, or the newest of all that match. */
async function findSelected(
  ports: Ports,
  orgId: string,
  asked: URLSearchParams,
): Promise<{ readonly found: readonly FoundPurchase[]; readonly origin: BulkOrigin }> {
  const filters = new URLSearchParams(asked);
  for (const name of ['id', 'action', 'all', 'before']) filters.delete(name);
  const days = readDays(asked);
  const isAll = asked.get('all') === 'yes';
  const ids = asked.getAll('id').slice(0, MAX_BULK);
  if (days.problem !== null || (!isAll && ids.length === 0))
    return { found: [], origin: { filters, next: null } };
  const found = await ports.purchases.search(orgId, {
    ...(isAll ? readPurchaseQuery(ports, asked, days) : { ...EVERYTHING, ids }),
    before: isAll ? asked.get('before') || null : null,
    limit: MAX_BULK + 1,
  });
  const next = found.length > MAX_BULK ? (found[MAX_BULK - 1]?.id ?? null) : null;
  return { found: found.slice(0, MAX_BULK), origin: { filters, next } };
}

const EVERYTHING = { text: '', productId: null, customerId: null, source: null, receipt: null } as const;

function readAction(text: string | null): BulkAction | null {
  return text === 'resend' || text === 'revoke' || text === 'restore' ? text : null;
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
