import type { Product, ProductStatus, PublishAndDeliverResult } from '@handover/domain';
import { publishAndDeliver, updateProduct } from '@handover/domain';
import type { HttpPorts } from '../../http-ports.ts';
import { type Answer, action, type DashboardRoute, type Visit } from '../dashboard-route.ts';
import { type Deed, doDeed } from '../do-deed.ts';
import { counted } from '../parts/money.ts';
import type { Toast } from '../parts/toast.ts';

/** Published, taken back and archived; and what waits for it, delivered. */
export function statusRoutes(ports: HttpPorts): readonly DashboardRoute[] {
  const set = async (visit: Visit, status: ProductStatus, deed: string, toast: Toast): Promise<Answer> => {
    const { productId = '' } = visit.params;
    const { result } = await doDeed(
      ports,
      visit,
      async (within) => {
        const before = await within.products.find(visit.orgId, productId);
        return { before, result: await updateProduct(within, visit.orgId, productId, { status }) };
      },
      ({ before, result: updated }) => {
        // Pressed twice, it is one deed.
        if (updated.kind !== 'updated' || before?.status === status) return null;
        const { id: subjectId, name } = updated.product;
        return { kind: 'product-changed', subjectId, summary: `${name}: ${deed}.` };
      },
    );
    if (result.kind !== 'updated') return { kind: 'not-found' };
    return { kind: 'redirect', to: `/dashboard/products/${result.product.id}`, toast };
  };

  return [
    action('/products/:productId/publish', 'member', (visit) =>
      set(visit, 'published', 'published', {
        title: 'Published',
        sentence: 'Paid orders deliver its live version; while it has none, they are held.',
      }),
    ),

    action('/products/:productId/unpublish', 'member', (visit) =>
      set(visit, 'draft', 'a draft again', {
        title: 'It is a draft',
        sentence: 'Orders for it are held until it is published.',
      }),
    ),

    action('/products/:productId/archive', 'member', (visit) =>
      set(visit, 'archived', 'archived', {
        title: 'Archived',
        sentence: 'What is paid for is still delivered.',
      }),
    ),

    // What waited is run again, as it is from the log: that is for owners and admins.
    action('/products/:productId/deliver', 'admin', async (visit) => {
      const { productId = '' } = visit.params;
      const { result, deed } = await doDeed(
        ports,
        visit,
        async (within) => {
          const before = await within.products.find(visit.orgId, productId);
          const result = await publishAndDeliver(within, visit.orgId, productId);
          return { result, deed: describeDelivery(before, result) };
        },
        (done) => done.deed,
      );
      if (result.kind === 'unknown-product') return { kind: 'not-found' };
      const to = `/dashboard/products/${productId}`;
      // The page says what is missing.
      if (result.kind === 'no-live-version') return { kind: 'redirect', to };
      if (!deed) return { kind: 'redirect', to };
      const { orders } = result;
      const sentence = orders === 1 ? 'Its receipt goes out now.' : 'Their receipts go out now.';
      return { kind: 'redirect', to, toast: { title: `Delivering ${counted(orders, 'order')}`, sentence } };
    }),
  ];
}

/** Null: somebody was quicker; what waited is on its way, and the log names who sent it. */
function describeDelivery(before: Product | null, result: PublishAndDeliverResult): Deed | null {
  if (result.kind !== 'published') return null;
  const { product, orders } = result;
  if (orders === 0 && product.status === before?.status) return null;
  const summary = `${product.name}: ${product.status}, and ${counted(orders, 'waiting order')} delivered.`;
  return { kind: 'product-changed', subjectId: product.id, summary };
}
