import {
  createProduct,
  createUser,
  createVersion,
  inviteUser,
  mapSku,
  setIntegrationSecret,
} from '@handover/domain';
import { makeLine, publishProduct } from '@handover/testkit';
import { deliver, fillOverview } from './fill-overview.ts';
import type { OpenedDashboard } from './open-dashboard.ts';
import { deliverOrder, download, sellByHand, sendUnmatched } from './sell-purchases.ts';

export const LONG_ADDRESS =
  'maximiliane.von.hohenstaufen-wittelsbach+orders@accounting.department.example-university.museum';
export const LONG_NAME = 'Maximiliane Friederike von Hohenstaufen-Wittelsbach zu Sayn';
const LONG_PRODUCT = 'The Complete Orchestral Percussion and Prepared Piano Collection';
const LONG_SKU = 'ORCHESTRAL-PERCUSSION_COMPLETE-COLLECTION.EDUCATION-LICENCE-2026';

/** A shop in which everything is as long as it gets: names, addresses, products, SKUs, amounts and numbers of orders. */
export async function fillLongest(dashboard: OpenedDashboard): Promise<void> {
  const { ports, stores, shop, clock } = dashboard;
  const { orgId } = shop;
  await fillOverview(dashboard);
  const customer = { name: LONG_NAME, email: LONG_ADDRESS };
  const { product } = await publishProduct({ ...ports, stores }, orgId, LONG_PRODUCT);
  const draft = await createProduct(ports, orgId, { name: `${LONG_PRODUCT}, 2`, slug: 'collection-2' });
  if (draft.kind === 'created') {
    await createVersion(ports, orgId, draft.product.id, '2026.11.23-beta.2');
    await mapSku(ports, orgId, { sku: LONG_SKU, platform: 'cart-a', productId: draft.product.id });
  }
  const lines = [
    makeLine(product.slug),
    makeLine('pads'),
    makeLine('nocturne-strings'),
    makeLine(`${LONG_SKU}-2`),
  ];
  const sold = await deliverOrder(dashboard, {
    orderId: 'gid://shopify/Order/5512340987123409871234',
    orderNumber: '#WHOLESALE-2026-000123456',
    customer,
    lines,
    total: '1234567890.50',
  });
  await download(dashboard, sold.linkId, 3, false);
  const tested = { orderId: '90124712345679', orderNumber: '#WHOLESALE-2026-000123457', customer };
  await deliverOrder(dashboard, tested, { isTest: true });
  await deliver(
    dashboard,
    { orderId: 'samcart:90124712345678', orderNumber: '90124712345678', platform: 'cart-a', customer },
    'refused',
  );
  await deliver(dashboard, { orderId: 'refused-2', customer }, 'refused');
  await sendUnmatched(dashboard, LONG_SKU, '9001');
  await sellByHand(dashboard, LONG_NAME, `x${LONG_ADDRESS}`);
  await addPeople(dashboard);
  await setIntegrationSecret(ports, {
    orgId,
    platform: 'storefront-b',
    name: 'The shop of our friends in the southern hemisphere',
    secret: 'a-secret-that-is-long-enough',
  });
  clock.advance(60_000);
}

async function addPeople({ ports, shop }: OpenedDashboard): Promise<void> {
  const { orgId } = shop;
  await createUser(ports, { email: LONG_ADDRESS, name: LONG_NAME, membership: { orgId, role: 'member' } });
  const [owner] = await ports.team.list(orgId);
  const inviter = { orgId, userId: owner?.id ?? '', role: 'owner' } as const;
  await inviteUser(ports, inviter, { email: `y${LONG_ADDRESS}`, name: LONG_NAME, role: 'admin' });
}
