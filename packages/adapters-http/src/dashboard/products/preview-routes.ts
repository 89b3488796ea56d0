import { LINK_LIFETIME_MS } from '@handover/domain';
import { previewOfDownloadPage } from '../../customer/download-page.ts';
import type { HttpPorts } from '../../http-ports.ts';
import { type DashboardRoute, page } from '../dashboard-route.ts';

type Ports = Pick<HttpPorts, 'organisations' | 'products'>;

/** The page that buyers will see, before there is one: no link is made for it. */
export function previewRoutes(ports: Ports): readonly DashboardRoute[] {
  return [
    page('/products/:productId/preview', 'member', async ({ orgId, params, now }) => {
      const productId = params.productId ?? '';
      const [product, organisation] = await Promise.all([
        ports.products.find(orgId, productId),
        ports.organisations.find(orgId),
      ]);
      if (!product || !organisation) return { kind: 'not-found' };
      const live = product.activeVersionId
        ? await ports.products.findVersion(orgId, productId, product.activeVersionId)
        : null;
      const shown = {
        orgId,
        expiresAt: new Date(now.getTime() + LINK_LIFETIME_MS),
        organisation,
        customer: { name: 'Ana Lima', email: 'ana@example.com' },
        orderNumber: null,
        productName: product.name,
        version: live && { label: live.version, files: live.files },
        newerVersion: null,
      };
      const backTo = `/dashboard/products/${product.id}`;
      return { kind: 'document', document: previewOfDownloadPage(shown, backTo, now) };
    }),
  ];
}
