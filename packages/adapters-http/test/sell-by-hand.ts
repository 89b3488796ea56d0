import { recordSale } from '@handover/domain';
import { BY_JANA } from '@handover/testkit';
import type { TestShop } from './open-test-shop.ts';

/** Sells the shop's product to Ana Lima without a platform, and answers with the link she would be mailed. */
export async function sellByHand(
  { ports, shop }: TestShop,
  email = 'ana@example.com',
): Promise<{ linkId: string; token: string }> {
  const origin = { orgId: shop.orgId, source: 'dashboard', idempotencyKey: null, by: BY_JANA } as const;
  const sold = await recordSale(ports, origin, {
    customerId: 'new',
    newCustomer: { name: 'Ana Lima', email },
    productId: shop.product.id,
    amount: '49.00',
    currency: 'EUR',
    paymentMethod: 'custom',
    sendEmail: false,
  });
  if (sold.kind !== 'recorded') throw new Error(`The sale by hand: ${sold.kind}`);
  return { linkId: sold.linkId, token: ports.tokens.seal(shop.orgId, sold.linkId) };
}
