import { fulfilOrder, recordSale } from '@handover/domain';
import { BY_JANA, claimEmail, claimIdOf, makeLine, makeOrder, recordOrder } from '@handover/testkit';
import type { TestShop } from './open-test-shop.ts';

/** An order that came by webhook and was delivered; its receipt is pending. */
export async function deliverOrder(
  testShop: TestShop,
  changes: Parameters<typeof makeOrder>[1] = {},
  marks: Parameters<typeof recordOrder>[2] = {},
) {
  const order = makeOrder(testShop.shop, changes);
  const { id: deliveryId } = await recordOrder({ ...testShop.ports, stores: testShop.stores }, order, marks);
  const plan = await fulfilOrder(testShop.ports, order, { id: deliveryId, attempts: 0 });
  const [purchase] = plan.purchases;
  const [link] = plan.links;
  return {
    deliveryId,
    purchaseId: purchase?.id ?? '',
    linkId: link?.id ?? '',
    receiptId: plan.receipt?.id ?? '',
  };
}

/** An order for something that no product is known for. */
export function sendUnmatched(testShop: TestShop, sku: string, orderId: string) {
  return deliverOrder(testShop, { orderId, orderNumber: `#${orderId}`, lines: [makeLine(sku)] });
}

export async function sellByHand(testShop: TestShop, name: string, email: string): Promise<string> {
  const origin = {
    orgId: testShop.shop.orgId,
    source: 'dashboard',
    idempotencyKey: null,
    by: BY_JANA,
  } as const;
  const sold = await recordSale(testShop.ports, origin, {
    customerId: 'new',
    newCustomer: { name, email },
    productId: testShop.shop.product.id,
    amount: '49.00',
    currency: 'EUR',
    paymentMethod: 'bank transfer',
    sendEmail: false,
  });
  if (sold.kind !== 'recorded') throw new Error(`The sample sale: ${sold.kind}`);
  return sold.purchaseId;
}

export async function completeReceipt(
  testShop: TestShop,
  receiptId: string,
  kind: 'sent' | 'refused',
  answer: string,
) {
  const at = testShop.clock.now();
  const claimId = claimIdOf(await claimEmail(testShop.ports, testShop.shop.orgId, receiptId, at));
  const outcome = { kind, at, answer, reason: answer };
  await testShop.ports.outgoingEmails.complete(testShop.shop.orgId, receiptId, claimId, outcome);
}

/** The buyer opens the link and fetches a file: five bytes, or fewer. */
export async function download(testShop: TestShop, linkId: string, bytes: number, complete: boolean) {
  const { orgId } = testShop.shop;
  const { ports, clock } = testShop;
  await ports.links.refresh(orgId, linkId, clock.now(), new Date(clock.now().getTime() + 172_800_000));
  const request = { sessionId: ports.ids.next(), joining: null, client: 'browser', at: clock.now() } as const;
  const sessionId = (await ports.sessions.begin(orgId, linkId, request)) ?? '';
  clock.advance(4000);
  const ranges = [{ start: 0, end: bytes }];
  await ports.sessions.addSent(
    orgId,
    sessionId,
    { version: '1.0', name: 'pads.zip', size: 5, ranges },
    clock.now(),
  );
  if (!complete) return;
  clock.advance(1000);
  const entry = {
    id: ports.ids.next(),
    at: clock.now(),
    kind: 'download-completed',
    subjectId: linkId,
    summary: 'Done.',
    via: 'automatic',
  } as const;
  await ports.sessions.complete(orgId, linkId, { sessionId, at: clock.now(), activity: entry });
}
