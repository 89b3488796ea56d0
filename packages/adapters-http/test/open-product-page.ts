import { createVersion } from '@handover/domain';
import type { useBrowser } from '../../../test/browser.ts';
import { type OpenedDashboard, openDashboard } from './open-dashboard.ts';
import { openInBrowser } from './open-in-browser.ts';

/** The dashboard in a browser, and the page of the product that the shop sells. */
export async function openProductPage(
  browser: ReturnType<typeof useBrowser>,
  options: Parameters<typeof openInBrowser>[2] = {},
) {
  const dashboard = await openDashboard();
  const shown = await openInBrowser(dashboard, browser, options);
  return { ...dashboard, ...shown, productPath: `/dashboard/products/${dashboard.shop.product.id}` };
}

export async function openVersion({ ports, shop }: OpenedDashboard, version = '1.1') {
  const created = await createVersion(ports, shop.orgId, shop.product.id, version);
  if (created.kind !== 'created') throw new Error(created.kind);
  return created.version;
}
