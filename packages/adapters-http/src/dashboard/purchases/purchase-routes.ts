import type { ReceiptStatus } from '@handover/domain';
import { correctAddress, resendReceipt, restorePurchase, revokePurchase } from '@handover/domain';
import type { HttpPorts } from '../../http-ports.ts';
import type { Answer } from '../dashboard-route.ts';
import { action, type DashboardRoute, page, type Visit } from '../dashboard-route.ts';
import {
  addressPage,
  doneBefore,
  readSeenReceipt,
  resendPage,
  revokedMeanwhilePage,
} from './mail-again-pages.ts';
import { purchaseListPage } from './purchase-list-page.ts';
import { purchasePage } from './purchase-page.ts';
import { readSource } from './source-words.ts';

const PAGE_SIZE = 50;
const PRODUCTS_TO_CHOOSE_FROM = 100;

/** What was bought: found, looked at, mailed again, taken back. */
export function purchaseRoutes(ports: HttpPorts): readonly DashboardRoute[] {
  return [
    page('/purchases', 'admin', (visit) => listPurchases(ports, visit)),

    page(
      '/purchases/:purchaseId',
      'admin',
      async ({ orgId, params: { purchaseId = '' }, formToken, now }) => {
        const record = await ports.purchases.show(orgId, purchaseId);
        if (!record) return { kind: 'not-found' };
        const url = record.linkId === null ? null : ports.tokens.url(orgId, record.linkId);
        return purchasePage({ record, url, formToken, now });
      },
    ),

    page('/purchases/:purchaseId/resend', 'admin', (visit) => askToResend(ports, visit)),
    action('/purchases/:purchaseId/resend', 'admin', async (visit, form) => {
      const { orgId, by, purchaseId } = of(visit);
      const seen = readSeenReceipt(form);
      if (seen === undefined) return askToResend(ports, visit);
      const result = await resendReceipt(ports, orgId, purchaseId, { by, seen });
      if (result.kind === 'done-before') return done(purchaseId, ...doneBefore(result));
      if (result.kind !== 'queued') return notMailed(ports, visit);
      return done(purchaseId, 'The receipt is on its way', `To ${result.email}.`);
    }),

    page(
      '/purchases/:purchaseId/address',
      'admin',
      async ({ orgId, params: { purchaseId = '' }, formToken }) => {
        const record = await ports.purchases.show(orgId, purchaseId);
        if (!record) return { kind: 'not-found' };
        return addressPage({ record, formToken, email: record.customerEmail, problem: null });
      },
    ),
    action('/purchases/:purchaseId/address', 'admin', async (visit, form) => {
      const { orgId, by, purchaseId } = of(visit);
      const email = form.get('email') ?? '';
      const result = await correctAddress(ports, orgId, purchaseId, email, by);
      if (result.kind === 'corrected') {
        return done(purchaseId, 'The address is corrected', `A new link is on its way to ${result.email}.`);
      }
      if (result.kind !== 'invalid') return notMailed(ports, visit);
      const record = await ports.purchases.show(orgId, purchaseId);
      if (!record) return { kind: 'not-found' };
      return addressPage({ record, formToken: visit.formToken, email, problem: `It ${result.problem}.` });
    }),

    action('/purchases/:purchaseId/revoke', 'admin', async (visit) => {
      const { orgId, by, purchaseId } = of(visit);
      const result = await revokePurchase(ports, orgId, purchaseId, by);
      if (result === 'unknown-purchase') return { kind: 'not-found' };
      return done(purchaseId, 'Revoked', 'Its links have stopped working.');
    }),
    action('/purchases/:purchaseId/restore', 'admin', async (visit) => {
      const { orgId, by, purchaseId } = of(visit);
      const result = await restorePurchase(ports, orgId, purchaseId, by);
      if (result === 'unknown-purchase') return { kind: 'not-found' };
      return done(purchaseId, 'Restored', 'Its links work again until they expire.');
    }),
  ];
}

function of({ orgId, by, params: { purchaseId = '' } }: Visit) {
  return { orgId, by, purchaseId };
}

async function listPurchases(ports: HttpPorts, { orgId, query: asked, now }: Visit): Promise<Answer> {
  const query = {
    text: asked.get('q') ?? '',
    productId: asked.get('product') || null,
    customerId: asked.get('customer') || null,
    source: readSource(asked.get('source')),
    receipt: readReceipt(asked.get('receipt')),
    before: asked.get('before'),
  };
  const [found, products, unmatched] = await Promise.all([
    // One more than is shown says whether there are older ones.
    ports.purchases.search(orgId, { ...query, limit: PAGE_SIZE + 1 }),
    ports.products.search(orgId, { text: '', status: null, before: null, limit: PRODUCTS_TO_CHOOSE_FROM }),
    ports.openDeliveries.countUnmatched(orgId),
  ]);
  return purchaseListPage({
    query,
    found: found.slice(0, PAGE_SIZE),
    isMore: found.length > PAGE_SIZE,
    products,
    unmatched,
    count: found.length === 0 ? await ports.purchases.count(orgId) : null,
    now,
  });
}

function readReceipt(text: string | null): ReceiptStatus | null {
  // Addresses that were kept say `owed`.
  if (text === 'owed') return 'pending';
  return text === 'refused' || text === 'pending' ? text : null;
}

async function askToResend({ purchases }: HttpPorts, visit: Visit): Promise<Answer> {
  const record = await purchases.show(visit.orgId, of(visit).purchaseId);
  return record ? resendPage({ record, formToken: visit.formToken }) : { kind: 'not-found' };
}

async function notMailed({ purchases }: HttpPorts, visit: Visit): Promise<Answer> {
  const { orgId, purchaseId } = of(visit);
  const record = await purchases.show(orgId, purchaseId);
  return record ? revokedMeanwhilePage({ record }) : { kind: 'not-found' };
}

function done(purchaseId: string, title: string, sentence: string): Answer {
  return { kind: 'redirect', to: `/dashboard/purchases/${purchaseId}`, toast: { title, sentence } };
}
