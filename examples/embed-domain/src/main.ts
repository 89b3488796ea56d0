// A program of another team that uses Handover's rules with its own shop and mailer, without a database or a web server.
import { createFulfilment, createHmacTokens, type Order, type ReceiptMailer } from '@handover/domain';
import { createInMemoryFulfilmentStore, type ShopCatalogue } from '@handover/domain/memory';

// The shop, with products that it keeps itself: one for sale, one that is not ready yet.
const products: ShopCatalogue['products'] = [
  {
    ...{ id: 'pads', name: 'Pads', slug: 'pads', status: 'published' },
    version: { id: 'pads-1', label: '1.0', files: [{ name: 'pads.zip', size: 5, sha256: 'a'.repeat(64) }] },
  },
  { id: 'keys', name: 'Keys', slug: 'keys', status: 'draft', version: null },
];
const shop = { id: 'lumen', name: 'Lumen Audio', email: 'hello@lumen.example', products };
const store = createInMemoryFulfilmentStore([shop]);

const mailer: ReceiptMailer = {
  send: async ({ to, items }) => {
    for (const item of items) console.log(`To ${to.email}: ${item.productName} at ${item.downloadUrl}`);
    return { kind: 'accepted', answer: 'printed' };
  },
};

const tokens = createHmacTokens({
  siteUrl: 'http://shop.test',
  secret: 'at-least-32-characters-of-a-secret',
});
const fulfilment = createFulfilment({ store, mailer, tokens });

// Every step is stored before the next one, so that a crash loses nothing.
for (const sku of ['PADS', 'PADS', 'KEYS', 'LAMP']) {
  const { status, deliveryId } = await fulfilment.receive(orderOf(sku));
  await fulfilment.runDue({ until: new Date(Date.now() + 1000) });
  const entry = await store.find(shop.id, deliveryId);
  console.log(`${sku}: ${status}, then ${entry?.status}. ${entry?.reason ?? entry?.note ?? 'Mailed.'}`);
}

function orderOf(sku: string): Order {
  return {
    orgId: shop.id,
    platform: 'our-shop',
    connectionId: 'main',
    orderId: `order-${sku}`,
    orderNumber: `#${sku}`,
    customer: { email: 'ana@example.com', name: 'Ana Lima' },
    currency: 'EUR',
    total: '49.00',
    lines: [{ candidates: [{ kind: 'sku', value: sku }], quantity: 1, amount: '49.00', title: sku }],
    test: false,
    notes: [],
  };
}
