import {
  countOpenWithSku,
  mapSkuAndRelease,
  normalizeSku,
  type OrderReader,
  runAuditedAction,
  type SkuMapping,
  type UnmatchedCursor,
} from '@handover/domain';
import { describeMapping } from '../../actions/sku-actions.ts';
import type { HttpPorts } from '../../http-ports.ts';
import { type Answer, action, type DashboardRequest, type DashboardRoute, page } from '../dashboard-route.ts';
import { readTexts } from '../parts/form.ts';
import { counted } from '../parts/money.ts';
import { readPlatformChoice } from '../parts/platform.ts';
import { type MapProblems, mapSkuPage, SHOWED_WAITING, unmatchedListPage } from './unmatched-page.ts';
import { findWaitingOrders } from './waiting-orders.ts';

type Ports = Pick<
  HttpPorts,
  | 'clock'
  | 'deliveries'
  | 'ids'
  | 'inTransaction'
  | 'openDeliveries'
  | 'platforms'
  | 'products'
  | 'skuMappings'
>;

const PAGE_SIZE = 50;
const PRODUCTS_TO_CHOOSE_FROM = 500;

/** SKUs in orders without a mapping: maps or ignores them, and processes their orders again. */
export function unmatchedRoutes(ports: Ports, orders: OrderReader): readonly DashboardRoute[] {
  const ask: Ask = (context, form, problems) => askWhatItIs(ports, orders, context, form, problems);

  return [
    page('/purchases/unmatched', 'admin', async ({ orgId, query, now }) => {
      const found = await ports.openDeliveries.listUnmatched(orgId, {
        after: readMark(query),
        limit: PAGE_SIZE + 1,
      });
      const shown = found.slice(0, PAGE_SIZE);
      const last = shown.at(-1);
      const mark = last && { delivery: last.newest.deliveryId, key: last.key };
      const older = mark && found.length > PAGE_SIZE ? `${new URLSearchParams(mark)}` : null;
      return unmatchedListPage({ found: shown, older, now, platforms: ports.platforms });
    }),

    page('/purchases/unmatched/map', 'admin', (context) =>
      ask(context, { sku: context.query.get('sku') ?? '', productId: '', platform: '' }, {}),
    ),
    action('/purchases/unmatched/map', 'admin', async (context, posted): Promise<Answer> => {
      const form = readTexts(posted, 'sku', 'productId', 'platform');
      const choice = readPlatformChoice(ports.platforms, form.platform);
      if (choice.kind === 'unknown') return ask(context, form, { platform: choice.problem });
      if (form.productId === '') {
        return ask(context, form, { productId: 'Choose a product.' });
      }
      const mapping = { ...form, platform: choice.platform };
      return mapOrIgnore(ports, ask, context, mapping, readShowedWaiting(posted));
    }),
    action('/purchases/unmatched/not-ours', 'admin', async (context, posted): Promise<Answer> => {
      const mapping = { sku: posted.get('sku') ?? '', platform: null, productId: null };
      return mapOrIgnore(ports, ask, context, mapping, readShowedWaiting(posted));
    }),
  ];
}

/** Saves the mapping, requeues the orders and logs the action, all in one transaction. */
async function mapOrIgnore(
  ports: Ports,
  ask: Ask,
  context: DashboardRequest,
  mapping: SkuMapping,
  showedWaiting: boolean,
): Promise<Answer> {
  const { orgId } = context;
  const result = await runAuditedAction(
    ports,
    context,
    (within) => saveMapping(within, orgId, mapping, showedWaiting),
    (saved) => (saved.kind === 'saved' ? saved.audited : null),
  );
  if (result.kind !== 'saved') {
    const { sku, productId, platform } = mapping;
    const form = { sku, productId: productId ?? '', platform: platform ?? '' };
    return ask(context, form, { productId: explain(result) });
  }
  const { title, released } = result;
  const again = released === 1 ? 'is processed again now' : 'are processed again now';
  const sentence =
    released === 0 ? 'No order was waiting for it.' : `${counted(released, 'order')} ${again}.`;
  return { kind: 'redirect', to: '/dashboard/purchases/unmatched', toast: { title, sentence } };
}

async function saveMapping(ports: Ports, orgId: string, mapping: SkuMapping, showedWaiting: boolean) {
  // Counted before the catalogue is locked, because the shop's orders wait for that lock.
  const released = await countOpenWithSku(ports, orgId, mapping.sku, mapping.platform);
  // Another person has mapped or ignored it: a page that stayed open does not overwrite that.
  if (showedWaiting && (await countOpenWithSku(ports, orgId, mapping.sku, null)) === 0) {
    return { kind: 'processed-before' as const };
  }
  const result = await mapSkuAndRelease(ports, orgId, mapping);
  if (result.kind !== 'mapped') return result;
  const { sku, productId } = result.mapping;
  const product = productId === null ? null : await ports.products.find(orgId, productId);
  const title = `${sku} ${product ? `now delivers ${product.name}` : 'is ignored'}`;
  const audited = result.isChanged ? describeMapping(ports.platforms, orgId, result.mapping, product) : null;
  return { kind: 'saved' as const, audited, title, released };
}

type Refused = Exclude<Awaited<ReturnType<typeof saveMapping>>, { readonly kind: 'saved' }>;

function explain(refused: Refused): string {
  if (refused.kind === 'invalid') return `The SKU ${refused.problem}.`;
  return refused.kind === 'processed-before'
    ? 'Its orders were processed while this page was open, and nothing was changed now. Press again only if this is right.'
    : 'There is no such product any more.';
}

interface MapForm {
  readonly sku: string;
  readonly productId: string;
  readonly platform: string;
}

type Ask = (context: DashboardRequest, form: MapForm, problems: MapProblems) => Promise<Answer>;

async function askWhatItIs(
  ports: Ports,
  orders: OrderReader,
  { orgId, csrfToken, now }: DashboardRequest,
  form: MapForm,
  problems: MapProblems,
): Promise<Answer> {
  const { platforms } = ports;
  const sku = normalizeSku(form.sku);
  if (sku === '' || sku.length > 200) return { kind: 'not-found' };
  const all = { text: '', status: null, before: null, limit: PRODUCTS_TO_CHOOSE_FROM };
  const [waiting, products, who, ...counts] = await Promise.all([
    countOpenWithSku(ports, orgId, sku, null),
    ports.products.search(orgId, all),
    findWaitingOrders(ports, orders, orgId, sku),
    ...platforms.list().map(async (platform) => ({
      platform,
      waiting: await countOpenWithSku(ports, orgId, sku, platform),
    })),
  ]);
  const byPlatform = counts.filter((one) => one.waiting > 0);
  return mapSkuPage({ sku, waiting, who, byPlatform, products, form, problems, csrfToken, platforms, now });
}

function readShowedWaiting(posted: URLSearchParams): boolean {
  return posted.get(SHOWED_WAITING) === 'yes';
}

function readMark(query: URLSearchParams): UnmatchedCursor | null {
  const [deliveryId, key] = [query.get('delivery'), query.get('key')];
  return deliveryId !== null && key !== null ? { deliveryId, key } : null;
}
