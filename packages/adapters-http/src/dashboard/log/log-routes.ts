import { Readable } from 'node:stream';
import { type OrderReader, previewDelivery, subjectOfEntry } from '@handover/domain';
import { redeliverWithEntry } from '../../actions/redeliver-with-entry.ts';
import type { HttpPorts } from '../../http-ports.ts';
import { yieldTurn } from '../../system-timer.ts';
import { type Answer, action, type DashboardRequest, type DashboardRoute, page } from '../dashboard-route.ts';
import { takePage } from '../take-page.ts';
import { findBoughtBefore } from './bought-before.ts';
import { findCorrectable } from './correctable-purchase.ts';
import { entryPane } from './entry-page.ts';
import { redeliveredToast } from './format-entry.ts';
import { logPage, newsOf } from './log-page.ts';
import { addressOf, type FoundLog, type LogView, readView } from './log-view.ts';
import { type PersonalData, payloadFile } from './payload-section.ts';

type Context = DashboardRequest<'deliveryId'>;
type Ports = Pick<
  HttpPorts,
  'clock' | 'deliveries' | 'dismissals' | 'fulfilment' | 'ids' | 'inTransaction' | 'platforms' | 'purchases'
>;

/** Searches and shows the webhook log, and delivers its entries again. */
export function logRoutes(ports: Ports, orders: OrderReader): readonly DashboardRoute[] {
  return [
    page('/webhook-log', 'admin', async (context) =>
      logPage(await findLog(ports, context, readView(context.query), null), null),
    ),
    page('/webhook-log/live', 'admin', (context) => showNews(ports, context)),
    page('/webhook-log/:deliveryId', 'admin', (context) => showEntry(ports, orders, context)),
    // Showing personal data is not logged: those who may open the log see the same data at the purchases. It is hidden
    // only from others who can see the screen.
    page('/webhook-log/:deliveryId/payload', 'admin', (context) => sendPayload(ports, context)),
    action('/webhook-log/:deliveryId/redeliver', 'admin', (context) => redeliver(ports, orders, context)),
  ];
}

async function showNews(ports: Ports, context: DashboardRequest): Promise<Answer> {
  const { query } = context;
  const view = { ...readView(query), before: null };
  const found = await findLog(ports, context, view, query.get('open') || null);
  const newest = query.get('newest') ?? '';
  const at = new Date(query.get('told-at') || Number.NaN);
  const told = { newest: query.get('told') ?? newest, at: Number.isNaN(at.getTime()) ? null : at };
  return { kind: 'fragment', main: newsOf(found, { seen: query.get('seen'), newest, told }) };
}

async function showEntry(ports: Ports, orders: OrderReader, context: Context): Promise<Answer> {
  const { deliveries, platforms } = ports;
  const { orgId, params, query, now, csrfToken } = context;
  const id = params.deliveryId;
  const view = readView(query);
  const personalData = readPersonalData(query);
  const stored = await deliveries.find(orgId, id);
  // A large body takes long to arrive and to parse, so yield to other requests in between.
  await yieldTurn();
  const readOnce = { ...deliveries, find: async () => stored };
  const [found, entry, preview] = await Promise.all([
    findLog(ports, context, view, id),
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
}

async function sendPayload({ deliveries }: Ports, { orgId, params, query }: Context): Promise<Answer> {
  const stored = await deliveries.find(orgId, params.deliveryId);
  if (!stored?.body) return { kind: 'not-found' };
  return {
    kind: 'file',
    name: `delivery-${stored.id}.txt`,
    contentType: 'text/plain; charset=utf-8',
    content: Readable.from(payloadFile(stored.body, readPersonalData(query))),
  };
}

async function redeliver(ports: Ports, orders: OrderReader, context: Context): Promise<Answer> {
  const { params, query } = context;
  const id = params.deliveryId;
  const result = await redeliverWithEntry(ports, context, orders, id);
  if (result.kind === 'unknown-delivery') return { kind: 'not-found' };
  const to = addressOf(readView(query), id);
  if (result.kind !== 'redelivered') return { kind: 'redirect', to };
  return { kind: 'redirect', to, toast: redeliveredToast(ports.platforms, result) };
}

async function findLog(
  { deliveries, platforms }: Ports,
  { orgId, now }: DashboardRequest,
  view: LogView,
  openId: string | null,
): Promise<FoundLog> {
  const [shown, counts, sources] = await Promise.all([
    takePage((limit) => deliveries.search(orgId, { ...view, limit })),
    deliveries.count(orgId, view.connectionId),
    deliveries.listSources(orgId),
  ]);
  return { view, entries: shown.found, isMore: shown.isMore, counts, sources, openId, now, platforms };
}

function readPersonalData(query: URLSearchParams): PersonalData {
  return query.get('addresses') === 'shown' ? 'shown' : 'hidden';
}
