import { Readable } from 'node:stream';
import {
  causeOfError,
  type DeliveryListRow,
  normalizeEmail,
  type OrderReader,
  type Platforms,
  previewDelivery,
  type RedeliverResult,
  readTypedEmail,
  redeliver,
  runAuditedAction,
  subjectOfEntry,
} from '@handover/domain';
import { html } from '@handover/html';
import { redeliverWithEntry } from '../../actions/redeliver-with-entry.ts';
import type { HttpPorts } from '../../http-ports.ts';
import { yieldTurn } from '../../system-timer.ts';
import { type Answer, action, type DashboardRoute, page } from '../dashboard-route.ts';
import { submitButton } from '../parts/button.ts';
import { textField } from '../parts/form.ts';
import { atIcon } from '../parts/icons.ts';
import { formPage } from '../parts/narrow-page.ts';
import type { Toast } from '../parts/toast.ts';
import { takePage } from '../take-page.ts';
import { findBoughtBefore } from './bought-before.ts';
import { findCorrectable } from './correctable-purchase.ts';
import { entryPane } from './entry-page.ts';
import { titleOfEntry } from './format-entry.ts';
import { logPage, newsOf } from './log-page.ts';
import { addressOf, type FoundLog, type LogView, readView } from './log-view.ts';
import { type PersonalData, payloadFile } from './payload-section.ts';

type Ports = Pick<
  HttpPorts,
  'clock' | 'deliveries' | 'dismissals' | 'fulfilment' | 'ids' | 'inTransaction' | 'platforms' | 'purchases'
>;

/** Searches and shows the webhook log, and delivers its entries again. */
export function logRoutes(ports: Ports, orders: OrderReader): readonly DashboardRoute[] {
  const { deliveries, platforms } = ports;
  const find = async (orgId: string, view: LogView, openId: string | null, now: Date): Promise<FoundLog> => {
    const [shown, counts, sources] = await Promise.all([
      takePage((limit) => deliveries.search(orgId, { ...view, limit })),
      deliveries.count(orgId, view.connectionId),
      deliveries.listSources(orgId),
    ]);
    return { view, entries: shown.found, isMore: shown.isMore, counts, sources, openId, now, platforms };
  };

  return [
    page('/webhook-log', 'admin', async ({ orgId, query, now }) =>
      logPage(await find(orgId, readView(query), null, now), null),
    ),

    page('/webhook-log/live', 'admin', async ({ orgId, query, now }) => {
      const view = { ...readView(query), before: null };
      const found = await find(orgId, view, query.get('open') || null, now);
      const newest = query.get('newest') ?? '';
      const at = new Date(query.get('told-at') || Number.NaN);
      const told = { newest: query.get('told') ?? newest, at: Number.isNaN(at.getTime()) ? null : at };
      return { kind: 'fragment', main: newsOf(found, { seen: query.get('seen'), newest, told }) };
    }),

    page('/webhook-log/:deliveryId', 'admin', async ({ orgId, params, query, now, csrfToken }) => {
      const id = params.deliveryId;
      const view = readView(query);
      const personalData = readPersonalData(query);
      const stored = await deliveries.find(orgId, id);
      // A large body takes long to arrive and to parse, so yield to other requests in between.
      await yieldTurn();
      const readOnce = { ...deliveries, find: async () => stored };
      const [found, entry, preview] = await Promise.all([
        find(orgId, view, id, now),
        deliveries.open(orgId, id),
        previewDelivery({ ...ports, deliveries: readOnce, orders }, orgId, id),
      ]);
      if (!entry) return { kind: 'not-found' };
      const [dismissal = null] = entry.isDismissed
        ? await ports.dismissals.list(orgId, [subjectOfEntry(entry)])
        : [];
      const body = stored?.body ?? null;
      const bought = await findBoughtBefore(ports.purchases, orgId, entry);
      const correctable = await findCorrectable(ports.purchases, orgId, entry);
      await yieldTurn();
      return logPage(
        found,
        entryPane({
          entry,
          body,
          preview,
          view,
          personalData,
          csrfToken,
          platforms,
          dismissal,
          bought,
          correctable,
          now,
        }),
      );
    }),

    // Showing personal data is not logged: those who may open the log see the same data at the purchases. It is hidden
    // only from others who can see the screen.
    page('/webhook-log/:deliveryId/payload', 'admin', async ({ orgId, params, query }) => {
      const stored = await deliveries.find(orgId, params.deliveryId);
      if (!stored?.body) return { kind: 'not-found' };
      return {
        kind: 'file',
        name: `delivery-${stored.id}.txt`,
        contentType: 'text/plain; charset=utf-8',
        content: Readable.from(payloadFile(stored.body, readPersonalData(query))),
      };
    }),

    page('/webhook-log/:deliveryId/address', 'admin', async ({ orgId, params, csrfToken }) => {
      const entry = await deliveries.open(orgId, params.deliveryId);
      if (!entry) return { kind: 'not-found' };
      if (causeOfError(entry) !== 'no-address') return refuseAddress(entry);
      return addAddressPage({ entry, csrfToken, platforms, email: '', problem: null });
    }),

    action('/webhook-log/:deliveryId/address', 'admin', async ({ orgId, by, params, csrfToken }, form) => {
      const id = params.deliveryId;
      const entry = await deliveries.show(orgId, id);
      if (!entry) return { kind: 'not-found' };
      const to = `/dashboard/webhook-log/${id}`;
      const typed = form.get('email') ?? '';
      const email = readTypedEmail(typed);
      if (email === null) {
        const problem = 'It must be an e-mail address.';
        return addAddressPage({ entry, csrfToken, platforms, email: typed, problem });
      }
      const result = await runAuditedAction(
        ports,
        { orgId, by },
        async (within) =>
          (await within.deliveries.addAddress(orgId, id, email))
            ? redeliver({ ...within, orders, platforms }, orgId, id)
            : null,
        (run) =>
          run && {
            kind: 'address-added',
            subjectId: id,
            summary: `${titleOfEntry(platforms, entry)} had no address that mail can be sent to: ${email} is added.`,
          },
      );
      const toast =
        result?.kind === 'redelivered'
          ? toastOf(platforms, result)
          : describeOther(await deliveries.show(orgId, id), email);
      return { kind: 'redirect', to, ...(toast && { toast }) };
    }),

    action('/webhook-log/:deliveryId/redeliver', 'admin', async (context) => {
      const { params, query } = context;
      const id = params.deliveryId;
      const result = await redeliverWithEntry(ports, context, orders, id);
      if (result.kind === 'unknown-delivery') return { kind: 'not-found' };
      const to = addressOf(readView(query), id);
      if (result.kind !== 'redelivered') return { kind: 'redirect', to };
      return { kind: 'redirect', to, toast: toastOf(platforms, result) };
    }),
  ];
}

function readPersonalData(query: URLSearchParams): PersonalData {
  return query.get('addresses') === 'shown' ? 'shown' : 'hidden';
}

function toastOf(
  platforms: Platforms,
  { delivery }: Extract<RedeliverResult, { readonly kind: 'redelivered' }>,
): Toast {
  const title = `${titleOfEntry(platforms, delivery)} was processed again`;
  switch (delivery.status) {
    case 'pending':
      return { title, sentence: 'Its receipt is on its way.' };
    case 'success':
      return { title, sentence: 'All of it is delivered.' };
    case 'held':
      return { title, sentence: 'A line of it is still held.' };
    case 'error':
      return { title, sentence: 'Nothing of it could be delivered.' };
    case 'ignored':
      return { title, sentence: 'It has nothing to deliver.' };
  }
}

/** Null: the same address was added twice, such as by two quick presses. */
function describeOther(entry: DeliveryListRow | null, email: string): Toast | null {
  const used = entry?.normalizedEmail ?? null;
  if (used === normalizeEmail(email)) return null;
  const why = used === null ? 'It needs no address any more.' : `Somebody else added ${used} meanwhile.`;
  return { title: 'Nothing changed', sentence: `${why} ${email} was not used.` };
}

/** The user's page is out of date: something happened to the order since. */
function refuseAddress({ id }: Pick<DeliveryListRow, 'id'>): Answer {
  const toast = { title: 'No address can be added to this order' };
  return { kind: 'redirect', to: `/dashboard/webhook-log/${id}`, toast };
}

/** Asks for the buyer's address: the order came without one, or with one that no mail can be sent to. */
export function addAddressPage({
  entry,
  csrfToken,
  email,
  problem,
  platforms,
}: {
  readonly entry: DeliveryListRow;
  readonly csrfToken: string;
  readonly email: string;
  readonly problem: string | null;
  readonly platforms: Platforms;
}): Answer {
  const back = { href: `/dashboard/webhook-log/${entry.id}`, words: titleOfEntry(platforms, entry) };
  const fields = html`<p>${entry.reason} You find the buyer in ${platforms.vendorOf(entry.platform)} under <strong><bdi>${entry.orderNumber ?? entry.orderId}</bdi></strong>.</p>
<p class="muted">The order is then processed again: what can be delivered is, and the receipt goes to this address.</p>
${textField({ type: 'email', name: 'email', label: 'Buyer’s e-mail address', value: email, required: true, problem })}`;
  return formPage({
    title: 'Add address',
    windowTitle: `Add address: ${back.words}`,
    back,
    status: problem === null ? 200 : 400,
    action: `${back.href}/address`,
    csrfToken,
    fields,
    submit: submitButton({ words: 'Add and deliver', icon: atIcon, primary: true }),
  });
}
