import {
  type AuditedAction,
  type Product,
  type ProductStatus,
  type PublishAndDeliverResult,
  publishAndDeliver,
  runAuditedAction,
} from '@handover/domain';
import { updateProductWithEntry } from '../../actions/product-actions.ts';
import type { HttpPorts } from '../../http-ports.ts';
import { type Answer, action, type DashboardRequest, type DashboardRoute, page } from '../dashboard-route.ts';
import { counted } from '../parts/money.ts';
import type { Toast } from '../parts/toast.ts';
import { publishPage } from './confirm-pages.ts';
import type { LoadProduct } from './load-product.ts';
import { undoTo } from './undo-routes.ts';

type Context = DashboardRequest<'productId'>;
type Ports = Pick<HttpPorts, 'clock' | 'ids' | 'inTransaction' | 'products'>;

/** Publishes, unpublishes and archives products, and delivers waiting orders. */
export function statusRoutes(ports: Ports, load: LoadProduct): readonly DashboardRoute[] {
  const set = async (
    context: Context,
    status: ProductStatus,
    tell: (product: Product) => Toast | Promise<Toast>,
  ): Promise<Answer> => {
    const result = await updateProductWithEntry(ports, context, context.params.productId, { status });
    if (result.kind !== 'updated') return { kind: 'not-found' };
    const toast = await tell(result.product);
    return { kind: 'redirect', to: `/dashboard/products/${result.product.id}`, toast };
  };

  return [
    page('/products/:productId/publish', 'member', async (context) => {
      const loaded = await load(context);
      return loaded ? publishPage(loaded) : { kind: 'not-found' };
    }),

    action('/products/:productId/publish', 'member', (context) =>
      set(context, 'published', async ({ orgId, id, activeVersionId }) => {
        const live = activeVersionId && (await ports.products.findVersion(orgId, id, activeVersionId));
        const sentence = live
          ? `Orders now deliver version ${live.version}.`
          : 'Orders are held until a version is live.';
        const published = { status: 'published', activeVersionId } as const;
        // With a live version, orders that waited may be on their way by now.
        const undo = live ? {} : { undo: undoTo(id, published, { status: 'draft' }) };
        return { title: 'Published', sentence, ...undo };
      }),
    ),

    action('/products/:productId/unpublish', 'member', (context) =>
      set(context, 'draft', () => ({
        title: 'It is a draft',
        sentence: 'Orders for it are held until it is published.',
      })),
    ),

    action('/products/:productId/archive', 'member', (context) =>
      set(context, 'archived', () => ({
        title: 'Archived',
        sentence: 'Paid orders are still delivered.',
      })),
    ),

    // Delivering runs entries of the webhook log again, which is for owners and admins.
    action('/products/:productId/deliver', 'admin', (context) => deliver(ports, context)),
  ];
}

async function deliver(ports: Ports, context: Context): Promise<Answer> {
  const { productId } = context.params;
  const result = await runAuditedAction(
    ports,
    context,
    (within) => publishAndDeliver(within, context.orgId, productId),
    describeDelivery,
  );
  if (result.kind === 'unknown-product') return { kind: 'not-found' };
  const to = `/dashboard/products/${productId}`;
  // The page says what is missing.
  if (result.kind === 'no-live-version') return { kind: 'redirect', to };
  const { orders, isNew } = result;
  if (!isNew) return { kind: 'redirect', to };
  const sentence = orders === 1 ? 'Its receipt goes out now.' : 'Their receipts go out one after the other.';
  return { kind: 'redirect', to, toast: { title: `Delivering ${counted(orders, 'order')}`, sentence } };
}

/** Null: another request was first, and has the entry; or nothing was held. */
function describeDelivery(result: PublishAndDeliverResult): AuditedAction | null {
  if (result.kind !== 'published' || !result.isNew) return null;
  const { product, orders } = result;
  const summary = `${product.name}: ${product.status}, and ${counted(orders, 'waiting order')} released.`;
  return { kind: 'product-changed', subjectId: product.id, summary };
}
