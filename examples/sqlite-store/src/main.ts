import { createFulfilment } from '@handover/domain';
import { createSqliteFulfilmentStore } from './index.ts';

const store = createSqliteFulfilmentStore(process.argv[2] ?? ':memory:');
const files = [{ name: 'pads.zip', size: 5_000_000, sha256: 'a'.repeat(64) }];
const version = { id: 'pads-1', label: '1.0', files };
const pads = { id: 'pads', name: 'Pads', slug: 'pads', status: 'published', version } as const;
store.putShop({ id: 'lumen', name: 'Lumen Audio', email: 'hello@lumen.example', products: [pads] });

const fulfilment = createFulfilment({
  store,
  mailer: {
    send: async ({ to, items }) => {
      for (const { productName, downloadUrl } of items)
        console.log(`To ${to.email}: ${productName} at ${downloadUrl}`);
      return { kind: 'accepted', answer: '250 OK' };
    },
  },
});

const { deliveryId } = await fulfilment.receive({
  orgId: 'lumen',
  platform: 'our-shop',
  connectionId: 'main',
  orderId: '5001',
  orderNumber: '#1001',
  customer: { email: 'ana@example.com', name: 'Ana Lima' },
  currency: 'EUR',
  total: '49.00',
  lines: [{ candidates: [{ kind: 'sku', value: 'PADS' }], quantity: 1, amount: '49.00', title: 'Pads' }],
  test: false,
  notes: [],
});
await fulfilment.runDue({ until: new Date(Date.now() + 10_000) });
console.log((await store.find('lumen', deliveryId))?.status);
store.close();
