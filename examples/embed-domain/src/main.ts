// Another team's program: Handover's rules inside it, no database, no web server, no mail server.
import type { Mailer, Order } from '@handover/domain';
import { fulfilOrder, recordDeliveries, sendEmail } from '@handover/domain';
import { createInMemoryStores } from '@handover/domain/memory';
import * as samples from '@handover/testkit';

// Ports: yours would be a real clock, real ids and stores of your own, proven by `storesContract`.
const stores = createInMemoryStores();
const ports = {
  ...stores,
  clock: samples.createManualClock(),
  ids: samples.createCountingIds(),
  ...samples.createPlainComposing(),
};
const shop = await samples.openShop({ stores, apiKeys: samples.createFakeApiKeys(), ...ports });
const mailer: Mailer = {
  send: async (mail) => {
    if (mail.kind !== 'receipt') return { kind: 'refused', answer: 'not printed' };
    const { to, items } = mail;
    for (const item of items) console.log(`To ${to.email}: ${item.productName} at ${item.downloadUrl}`);
    return { kind: 'accepted', answer: 'printed' };
  },
};

// An order, wherever it came from.
const order: Order = {
  orgId: shop.orgId,
  platform: 'storefront-a',
  connectionId: shop.connection.id,
  orderId: '5001',
  orderNumber: '#1001',
  customer: { email: 'ana@example.com', name: 'Ana Lima' },
  currency: 'EUR',
  total: '49.00',
  lines: [{ candidates: [{ kind: 'sku', value: 'PADS' }], quantity: 1, amount: '49.00', title: 'Pads' }],
  test: false,
  notes: [],
};

// Written down first, then fulfilled, then mailed: each step survives a crash of the one before.
const received = { ...order, receivedAt: ports.clock.now(), bytes: new Uint8Array(), headers: {} };
const content = { kind: 'translated', entries: [{ kind: 'order', order }] } as const;
const recorded = await recordDeliveries(ports, { ...received, content }, 'in-request');
if (recorded.kind !== 'recorded') throw new Error('This cannot be: nothing was signed or rejected.');
for (const delivery of recorded.deliveries) {
  await fulfilOrder(ports, order, { id: delivery.id, attempts: 0 });
}
for (const job of await stores.queuedJobs()) {
  if (job.kind === 'send-email') await sendEmail({ ...ports, mailer }, job);
}
for await (const sold of stores.purchases.list(shop.orgId)) {
  const price = `${sold.amount} ${sold.currency}`;
  console.log(
    `${sold.customerName} bought ${sold.productName} for ${price}, mailed ${sold.receiptSentAt?.toISOString()}`,
  );
}
