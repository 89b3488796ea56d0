import { fulfilOrder, resendReceipt } from '@handover/domain';
import { BY_JANA, makeOrder, recordOrder } from '@handover/testkit';
import { listen } from './over-the-wire.ts';
import { sellPads } from './sell-pads.ts';

const HOUR = 60 * 60 * 1000;

/** The link of a purchase, 48 hours after it was mailed. */
export async function openExpired() {
  const sale = await sellPads((page) => ({
    ...page,
    organisation: { name: 'Lumen Audio', email: 'help@lumen.audio', language: 'en' as const },
  }));
  sale.clock.advance(48 * HOUR);
  return { ...sale, address: `http://127.0.0.1:${await listen(sale.app)}/d/${sale.token}` };
}

export async function openRevoked(isReplaced = false) {
  const sale = await sellPads((page) => ({ ...page, revokedAt: new Date(0), isReplaced }));
  return `http://127.0.0.1:${await listen(sale.app)}/d/${sale.token}`;
}

/** Of a buyer with two purchases, so many hours apart: one link has expired after 49. So many hours later. */
export async function openLibrary(hours: number, { apart = 49, isReplaced = false } = {}): Promise<string> {
  const sale = await sellPads();
  sale.clock.advance(apart * HOUR);
  const order = makeOrder(sale.shop, { orderId: '2', orderNumber: '#1002' });
  const { id } = await recordOrder({ ...sale.ports, stores: sale.stores }, order);
  const plan = await fulfilOrder(sale.ports, order, { id, attempts: 0 });
  sale.clock.advance(hours * HOUR);
  if (isReplaced) await replaceLinks(sale);
  const url = sale.ports.tokens.libraryUrl(sale.shop.orgId, plan.links[0]?.id ?? '', 'ana@example.com');
  return `http://127.0.0.1:${await listen(sale.app)}${new URL(url).pathname}`;
}

/** Of what was bought first. */
async function replaceLinks({ ports, shop, token }: Awaited<ReturnType<typeof sellPads>>): Promise<void> {
  const link = await ports.links.find(shop.orgId, ports.tokens.open(token)?.linkId ?? '');
  const seen = (await ports.mailings.find(shop.orgId, link?.purchaseId ?? ''))?.receipt ?? null;
  const choice = { by: BY_JANA, seen, replacesLinks: true };
  await resendReceipt(ports, shop.orgId, link?.purchaseId ?? '', choice);
}
