import {
  correctAddress,
  type Dismissal,
  deleteTestPurchase,
  isOfRefusal,
  needsReceipt,
  type PurchaseRecord,
  resendReceipt,
  restorePurchase,
  revokePurchase,
  subjectOfReceipt,
  suggestEmail,
} from '@handover/domain';
import type { HttpPorts } from '../../http-ports.ts';
import { type Answer, action, type DashboardRequest, type DashboardRoute, page } from '../dashboard-route.ts';
import { readDays } from '../parts/days.ts';
import type { Undo } from '../parts/toast.ts';
import { listPurchases } from './list-purchases.ts';
import {
  addressPage,
  doneBefore,
  readReplaces,
  readSeenAddress,
  readSeenReceipt,
  resendPage,
  revokedMeanwhilePage,
} from './mail-again-pages.ts';
import { purchasePage } from './purchase-page.ts';
import { downloadPurchases } from './purchases-csv.ts';
import { findUndelivered } from './undelivered-lines.ts';

type Ports = Pick<
  HttpPorts,
  | 'clock'
  | 'customers'
  | 'deliveries'
  | 'dismissals'
  | 'ids'
  | 'mailings'
  | 'openDeliveries'
  | 'platforms'
  | 'products'
  | 'purchases'
  | 'tokens'
>;

type Context = DashboardRequest<'purchaseId'>;

/** Searches and shows purchases, mails them again and revokes them. */
export function purchaseRoutes(ports: Ports): readonly DashboardRoute[] {
  return [
    page('/purchases', 'admin', (context) => listPurchases(ports, context)),
    page('/purchases.csv', 'admin', async (context) =>
      // Wrong days are explained on the list.
      readDays(context.query, context.now).problem === null
        ? downloadPurchases(ports, context)
        : listPurchases(ports, context),
    ),

    page('/purchases/:purchaseId', 'admin', (context) => showPurchase(ports, context)),

    page('/purchases/:purchaseId/resend', 'admin', (context) => askToResend(ports, context)),
    action('/purchases/:purchaseId/resend', 'admin', (context, form) => resend(ports, context, form)),

    page('/purchases/:purchaseId/address', 'admin', (context) => askForAddress(ports, context)),
    action('/purchases/:purchaseId/address', 'admin', (context, form) => changeAddress(ports, context, form)),

    action('/purchases/:purchaseId/revoke', 'admin', (context, form) => revoke(ports, context, form)),
    action('/purchases/:purchaseId/restore', 'admin', (context, form) => restore(ports, context, form)),
    action('/purchases/:purchaseId/delete', 'admin', (context) => deleteTest(ports, context)),
  ];
}

async function showPurchase(
  ports: Ports,
  { orgId, params: { purchaseId }, csrfToken, now }: Context,
): Promise<Answer> {
  const record = await ports.purchases.show(orgId, purchaseId);
  if (!record) return { kind: 'not-found' };
  const url = record.linkId === null ? null : ports.tokens.url(orgId, record.linkId);
  const undelivered = await findUndelivered(ports.deliveries, orgId, record);
  const dismissal = await findDismissal(ports, orgId, record);
  const { platforms } = ports;
  return purchasePage({ record, url, csrfToken, now, platforms, undelivered, dismissal });
}

async function resend(ports: Ports, context: Context, form: URLSearchParams): Promise<Answer> {
  const { orgId, by } = context;
  const { purchaseId } = context.params;
  const seen = readSeenReceipt(form);
  const replacesLinks = readReplaces(form);
  if (seen === undefined) return askToResend(ports, context, replacesLinks);
  const result = await resendReceipt(ports, orgId, purchaseId, { by, seen, replacesLinks });
  if (result.kind === 'done-before') return done(purchaseId, ...doneBefore(result, replacesLinks));
  if (result.kind !== 'queued') return notMailed(ports, context);
  const stopped = replacesLinks ? ' The links mailed before have stopped working.' : '';
  return done(purchaseId, 'The receipt is on its way', `To ${result.email}.${stopped}`);
}

async function askForAddress(
  ports: Ports,
  { orgId, params: { purchaseId }, csrfToken }: Context,
): Promise<Answer> {
  const record = await ports.purchases.show(orgId, purchaseId);
  if (!record) return { kind: 'not-found' };
  return addressPage({
    record,
    csrfToken,
    email: suggestEmail(record.customerEmail) ?? record.customerEmail,
  });
}

async function changeAddress(ports: Ports, context: Context, form: URLSearchParams): Promise<Answer> {
  const { orgId, by } = context;
  const { purchaseId } = context.params;
  const email = form.get('email') ?? '';
  const seen = readSeenAddress(form);
  const result = await correctAddress(ports, orgId, purchaseId, email, { by, seen });
  if (result.kind === 'corrected') {
    return done(purchaseId, 'The address is corrected', `A new link is on its way to ${result.email}.`);
  }
  if (result.kind !== 'invalid' && result.kind !== 'corrected-before') return notMailed(ports, context);
  const record = await ports.purchases.show(orgId, purchaseId);
  if (!record) return { kind: 'not-found' };
  return addressPage({ record, csrfToken: context.csrfToken, email, refusal: result });
}

async function revoke(ports: Ports, context: Context, form: URLSearchParams): Promise<Answer> {
  const { orgId, by } = context;
  const { purchaseId } = context.params;
  if (form.get('undo') === 'sale') {
    const changed = whatChanged(await ports.purchases.show(orgId, purchaseId));
    if (changed !== null) return done(purchaseId, 'Nothing changed', changed);
  }
  const revocationId = ports.ids.next();
  const result = await revokePurchase(ports, orgId, purchaseId, by, revocationId);
  if (result === 'unknown-purchase') return { kind: 'not-found' };
  if (result !== 'done')
    return done(
      purchaseId,
      'Nothing changed',
      'It is revoked already: its links had stopped working before.',
    );
  const undo = { action: `/dashboard/purchases/${purchaseId}/restore`, fields: { undone: revocationId } };
  return done(purchaseId, 'Revoked', 'Its links have stopped working.', undo);
}

async function restore(ports: Ports, context: Context, form: URLSearchParams): Promise<Answer> {
  const { orgId, by } = context;
  const { purchaseId } = context.params;
  const result = await restorePurchase(ports, orgId, purchaseId, by, form.get('undone'));
  if (result === 'unknown-purchase') return { kind: 'not-found' };
  if (result !== 'done') return done(purchaseId, 'Nothing changed', UNRESTORED[result]);
  const missing = (await lacksReceipt(ports, orgId, purchaseId))
    ? ' No mail has them: send the receipt.'
    : '';
  return done(purchaseId, 'Restored', `Its links work again until they expire.${missing}`);
}

async function deleteTest(ports: Ports, context: Context): Promise<Answer> {
  const { orgId, by } = context;
  const { purchaseId } = context.params;
  const result = await deleteTestPurchase(ports, orgId, purchaseId, by);
  if (result === 'unknown-purchase') return { kind: 'not-found' };
  if (result === 'not-a-test')
    return done(purchaseId, 'Not deleted', 'A shop sent this order. Only test orders can be deleted.');
  const toast = { title: 'Test order deleted', sentence: 'Its entry in the webhook log stays.' };
  return { kind: 'redirect', to: '/dashboard/purchases', toast };
}

async function lacksReceipt({ purchases }: Ports, orgId: string, purchaseId: string): Promise<boolean> {
  const record = await purchases.show(orgId, purchaseId);
  return record !== null && needsReceipt(record);
}

const UNRESTORED = {
  'not-revoked': 'Somebody restored it meanwhile: its links work already.',
  revoked:
    'It was restored and revoked again meanwhile, and stays revoked. Restore it on this page if that is still right.',
};

/** Why somebody decided that the refusal of its receipt needs nothing. */
async function findDismissal(
  { dismissals }: Ports,
  orgId: string,
  { receipt }: PurchaseRecord,
): Promise<Dismissal | null> {
  if (receipt?.status !== 'refused') return null;
  const [dismissal] = await dismissals.list(orgId, [subjectOfReceipt(receipt.id)]);
  return dismissal && isOfRefusal(dismissal, receipt) ? dismissal : null;
}

async function askToResend(
  { purchases }: Ports,
  context: Context,
  replaces = readReplaces(context.query),
): Promise<Answer> {
  const record = await purchases.show(context.orgId, context.params.purchaseId);
  return record ? resendPage({ record, csrfToken: context.csrfToken, replaces }) : { kind: 'not-found' };
}

async function notMailed({ purchases }: Ports, { orgId, params }: Context): Promise<Answer> {
  const record = await purchases.show(orgId, params.purchaseId);
  return record ? revokedMeanwhilePage({ record }) : { kind: 'not-found' };
}

function done(purchaseId: string, title: string, sentence: string, undo?: Undo): Answer {
  const toast = { title, sentence, ...(undo && { undo }) };
  return { kind: 'redirect', to: `/dashboard/purchases/${purchaseId}`, toast };
}

/** Why undoing a sale by hand comes too late: it was offered because nobody could have got anything. */
function whatChanged(record: PurchaseRecord | null): string | null {
  if (record === null) return null;
  const { revokedAt, sessions, version, activity } = record;
  if (revokedAt !== null) return 'Somebody revoked it meanwhile: its links have stopped working already.';
  if (sessions.length > 0) return `The buyer has begun a download meanwhile. ${STILL_REVOKE}`;
  if (version !== null)
    return `The product has files by now, which the buyer can download: ${version.label}. ${STILL_REVOKE}`;
  const last = activity.findLast(({ kind }) => kind !== 'sale-recorded');
  return last ? `Somebody changed it meanwhile: ${last.summary} ${STILL_REVOKE}` : null;
}

const STILL_REVOKE = 'Revoke it on this page if that is still right.';
