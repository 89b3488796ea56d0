import { countOpenWithSku } from '@handover/domain';
import { mapSkuWithEntry, unmapSkuWithEntry } from '../../actions/sku-actions.ts';
import type { HttpPorts } from '../../http-ports.ts';
import { type Answer, action, type DashboardRequest, type DashboardRoute, page } from '../dashboard-route.ts';
import { readTexts } from '../parts/form.ts';
import { counted } from '../parts/money.ts';
import { readPlatformChoice } from '../parts/platform.ts';
import type { LoadedProduct, LoadProduct } from './load-product.ts';
import { type SkuForm, skuPage } from './sku-page.ts';

type Context = DashboardRequest<'productId'>;
type Ports = Pick<HttpPorts, 'clock' | 'ids' | 'inTransaction' | 'openDeliveries' | 'platforms'>;

/** Maps SKUs to the product. */
export function skuRoutes(ports: Ports, load: LoadProduct): readonly DashboardRoute[] {
  return [
    page('/products/:productId/skus', 'member', (context) => showSkus(load, context)),
    action('/products/:productId/skus', 'admin', (context, posted) => addSku(ports, load, context, posted)),
    action('/products/:productId/skus/remove', 'admin', (context, posted) =>
      removeSku(ports, load, context, posted),
    ),
  ];
}

async function showSkus(load: LoadProduct, context: Context): Promise<Answer> {
  const loaded = await load(context);
  if (!loaded) return { kind: 'not-found' };
  const form = readTexts(context.query, 'sku', 'platform');
  return skuPage(loaded, { form, problems: {}, waiting: null });
}

async function addSku(
  ports: Ports,
  load: LoadProduct,
  context: Context,
  posted: URLSearchParams,
): Promise<Answer> {
  const loaded = await load(context);
  if (!loaded) return { kind: 'not-found' };
  const form = readTexts(posted, 'sku', 'platform');
  const choice = readPlatformChoice(ports.platforms, form.platform);
  if (choice.kind === 'unknown') return refusePlatform(loaded, form, choice.problem);
  const { platform } = choice;
  const waiting = await countOpenWithSku(ports, context.orgId, form.sku, platform);
  // The mapping would deliver waiting orders, so it needs a confirmation first.
  if (waiting > 0 && posted.get('sure') !== 'yes') return skuPage(loaded, { form, problems: {}, waiting });
  const { id: productId } = loaded.product;
  const result = await mapSkuWithEntry(ports, context, { sku: form.sku, platform, productId });
  if (result.kind === 'invalid') {
    return skuPage(loaded, { form, problems: { sku: `It ${result.problem}.` }, waiting: null });
  }
  if (result.kind !== 'mapped') return { kind: 'not-found' };
  const { sku } = result.mapping;
  const sentence =
    waiting > 0
      ? `${counted(waiting, 'order')} that waited for it ${waiting === 1 ? 'is' : 'are'} processed again now.`
      : undefined;
  const toast = { title: `${sku} is added`, ...(sentence && { sentence }) };
  return { kind: 'redirect', to: `/dashboard/products/${productId}/skus`, toast };
}

async function removeSku(
  ports: Ports,
  load: LoadProduct,
  context: Context,
  posted: URLSearchParams,
): Promise<Answer> {
  const loaded = await load(context);
  if (!loaded) return { kind: 'not-found' };
  const { id: productId } = loaded.product;
  const form = readTexts(posted, 'sku', 'platform');
  const choice = readPlatformChoice(ports.platforms, form.platform);
  if (choice.kind === 'unknown') return refusePlatform(loaded, form, choice.problem);
  const { platform } = choice;
  const to = `/dashboard/products/${productId}/skus`;
  const outcome = await unmapSkuWithEntry(ports, context, { sku: form.sku, platform });
  // Another request has removed it already.
  if (outcome !== 'unmapped') return { kind: 'redirect', to };
  return { kind: 'redirect', to, toast: { title: `${form.sku} is removed` } };
}

function refusePlatform(loaded: LoadedProduct, form: SkuForm, problem: string): Answer {
  return skuPage(loaded, { form, problems: { platform: problem }, waiting: null });
}
