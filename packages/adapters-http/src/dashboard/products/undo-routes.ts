import { PRODUCT_STATUSES, type Product, type ProductState } from '@handover/domain';
import { updateProductWithEntry } from '../../actions/product-actions.ts';
import type { HttpPorts } from '../../http-ports.ts';
import { action, type DashboardRoute } from '../dashboard-route.ts';
import type { Undo } from '../parts/toast.ts';

type Ports = Pick<HttpPorts, 'clock' | 'ids' | 'inTransaction' | 'products'>;

/** Brings a product back into the state before a change, unless it was changed again. */
export function undoRoutes(ports: Ports): readonly DashboardRoute[] {
  return [
    action('/products/:productId/undo', 'member', async (context, form) => {
      const { productId } = context.params;
      const now = readState(form, 'now');
      const former = readState(form, 'former');
      const to = `/dashboard/products/${productId}`;
      const isKnown = Object.keys(now).length > 0 && Object.keys(former).length > 0;
      const undone = isKnown
        ? await updateProductWithEntry(ports, context, productId, former, now)
        : ({ kind: 'invalid' } as const);
      if (undone.kind === 'updated') return { kind: 'redirect', to, toast: { title: 'Undone' } };
      const product = await ports.products.find(context.orgId, productId);
      if (!product) return { kind: 'not-found' };
      const sentence = `Somebody changed it meanwhile: ${await describeState(ports, product)}.`;
      return { kind: 'redirect', to, toast: { title: 'Not undone', sentence } };
    }),
  ];
}

/** What brings a product from the state of now back into the one before. */
export function undoTo(productId: string, now: ProductState, former: ProductState): Undo {
  return {
    action: `/dashboard/products/${productId}/undo`,
    fields: { ...fieldsOf('now', now), ...fieldsOf('former', former) },
  };
}

function fieldsOf(prefix: string, { status, activeVersionId }: ProductState): Record<string, string> {
  return {
    ...(status !== undefined && { [`${prefix}-status`]: status }),
    ...(activeVersionId !== undefined && { [`${prefix}-version`]: activeVersionId ?? '' }),
  };
}

function readState(form: URLSearchParams, prefix: string): ProductState {
  const status = PRODUCT_STATUSES.find((known) => known === form.get(`${prefix}-status`));
  const version = form.get(`${prefix}-version`);
  return { ...(status && { status }), ...(version !== null && { activeVersionId: version || null }) };
}

async function describeState({ products }: Ports, product: Product): Promise<string> {
  const { orgId, id, status, activeVersionId } = product;
  const live = activeVersionId === null ? null : await products.findVersion(orgId, id, activeVersionId);
  return `it is ${STATUS[status]}, ${live ? `and version ${live.version} is live` : 'without a live version'}`;
}

const STATUS = { draft: 'a draft', published: 'published', archived: 'archived' } as const;
