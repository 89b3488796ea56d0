import { createProduct, createVersion, fulfilOrder, type Order } from '@handover/domain';
import { claimEmail, claimIdOf, makeLine, makeOrder, recordOrder } from '@handover/testkit';
import type { TestShop } from './open-test-shop.ts';

const HOUR = 60 * 60 * 1000;

/** One order through the whole of fulfilment; its receipt as the mail server answers, or still pending. */
export async function deliver(
  { ports, stores, shop, clock }: TestShop,
  changes: Partial<Order>,
  receipt: 'sent' | 'refused' | 'pending' = 'sent',
): Promise<void> {
  const order = makeOrder(shop, changes);
  const { id } = await recordOrder({ ...ports, stores }, order);
  const plan = await fulfilOrder(ports, order, { id, attempts: 0 });
  if (!plan.receipt || receipt === 'pending') return;
  const claimId = claimIdOf(await claimEmail(stores, shop.orgId, plan.receipt.id, clock.now()));
  clock.advance(1400);
  const completed = { at: clock.now(), answer: receipt === 'sent' ? '250 OK' : '550 5.1.1 no such address' };
  await stores.outgoingEmails.complete(
    shop.orgId,
    plan.receipt.id,
    claimId,
    receipt === 'sent'
      ? { kind: 'sent', ...completed }
      : { kind: 'refused', ...completed, reason: 'The mail server refused the receipt.' },
  );
}

/** Every kind of trouble at once, in a shop that has sold for a month. */
export async function fillOverview(testShop: TestShop): Promise<void> {
  const { ports, shop, clock } = testShop;
  for (let day = 0; day < 30; day += 1) {
    for (let order = 0; order < 4 + ((day * 7) % 11); order += 1) {
      await deliver(testShop, { orderId: `${day}-${order}` });
    }
    clock.advance(24 * HOUR);
  }
  for (let order = 0; order < 44; order += 1) await deliver(testShop, { orderId: `today-${order}` });
  const mira = { email: 'mira@exmaple.com', name: 'Mira Okafor' };
  await deliver(testShop, { orderId: 'mira', customer: mira }, 'refused');
  const draft = await createProduct(ports, shop.orgId, {
    name: 'Nocturne Strings',
    slug: 'nocturne-strings',
  });
  if (draft.kind !== 'created') throw new Error(draft.kind);
  await createVersion(ports, shop.orgId, draft.product.id, '1.0');
  for (const orderId of ['h1', 'h2', 'h3']) {
    await deliver(testShop, { orderId, lines: [makeLine('nocturne-strings')] });
  }
  for (const orderId of ['u1', 'u2', 'u3', 'u4'])
    await deliver(testShop, { orderId, lines: [makeLine('TAPE-LOOPS-2')] });
  await deliver(testShop, { orderId: 'u5', lines: [makeLine('BUNDLE-XMAS')] });
  await deliver(testShop, { orderId: 'e1', orderNumber: '#2201', customer: { email: null, name: null } });
  clock.advance(HOUR);
  const rejection = {
    orgId: shop.orgId,
    platform: 'storefront-b',
    reason: 'The signature does not match the secret that is set for this connection.',
  } as const;
  for (let count = 0; count < 12; count += 1) {
    const kept = {
      ...rejection,
      id: ports.ids.next(),
      receivedAt: clock.now(),
      bytes: new Uint8Array([123, 125]),
      headers: {},
      secretFingerprint: null,
      source: 'a network',
    };
    await ports.rejected.record({ ...rejection, count: 1, at: clock.now(), kept });
  }
  clock.advance(HOUR);
}
