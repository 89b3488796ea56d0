import { type Shop, SKUS, secretOf } from '../../checks/chaos/shop.ts';
import type { KnownPlatform } from '../../packages/domain/src/index.ts';
import { composeDelivery, type Sale } from '../../packages/simulation/src/world/send-order.ts';

/** The prefix of all buyers' addresses. */
export const BUYERS = 'buyer-';

/** Those that are answered after fulfilment come first. */
export const ALL_PLATFORMS: readonly KnownPlatform[] = [
  'storefront-a',
  'storefront-b',
  'payments-a',
  'checkout-a',
  'checkout-a-classic',
  'cart-a',
];

export interface BenchOrder {
  readonly email: string;
  /** Signed each time: some platforms sign the time as well. */
  makeRequest(): Buffer;
}

let numbered = 0;

/** Similar orders, all different: each of another buyer, with shops and platforms in turn. */
export function* makeOrders(
  shops: readonly Pick<Shop, 'orgId'>[],
  platforms: readonly KnownPlatform[],
  count: number = Number.POSITIVE_INFINITY,
): Generator<BenchOrder> {
  for (let made = 0; made < count; made += 1) {
    numbered += 1;
    const platform = platforms[made % platforms.length];
    const shop = shops[Math.floor(made / platforms.length) % shops.length];
    if (platform === undefined || shop === undefined) return;
    yield makeOrder(shop.orgId, platform, numbered);
  }
}

/** All of them at once, signed now, so that the sender does nothing else. */
export function prepareRequests(
  shops: readonly Pick<Shop, 'orgId'>[],
  platform: KnownPlatform,
  count: number,
): readonly Buffer[] {
  return [...signEach(makeOrders(shops, [platform], count))];
}

/** Each is signed when it is taken: some platforms sign a time, which expires. */
export function* signEach(orders: Iterable<BenchOrder>): Generator<Buffer> {
  for (const order of orders) yield order.makeRequest();
}

/** Composed now; requests that cannot expire are signed now, too. */
export function prepareOrders(
  shops: readonly Pick<Shop, 'orgId'>[],
  platforms: readonly KnownPlatform[],
  count: number,
): readonly BenchOrder[] {
  return [...makeOrders(shops, platforms, count)].map((order, at) => {
    if (platforms[at % platforms.length] === 'payments-a') return order;
    const request = order.makeRequest();
    return { ...order, makeRequest: () => request };
  });
}

function makeOrder(orgId: string, platform: KnownPlatform, number: number): BenchOrder {
  const email = `${BUYERS}${number}@example.test`;
  const sku = SKUS[number % SKUS.length] ?? SKUS[0];
  const sale = { orgId, platform, orderId: String(10_000_000 + number), email, skus: [sku] };
  return { email, makeRequest: () => makeRequestOf(sale) };
}

/** The bytes of a sale as its platform sends it now. */
export function makeRequestOf(sale: Sale): Buffer {
  const { orgId, platform } = sale;
  const { headers, query, body } = composeDelivery(sale, 'paid', secretOf(platform), new Date());
  const search = new URLSearchParams(query).toString();
  const path = `/webhooks/${platform === 'payments-a' ? platform : `${orgId}/${platform}`}`;
  return formatRequest('POST', search ? `${path}?${search}` : path, headers, body);
}

/** The bytes of a request as they go over the wire. */
export function formatRequest(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: Uint8Array = new Uint8Array(),
): Buffer {
  const all = {
    host: '127.0.0.1',
    ...headers,
    ...(method === 'POST' ? { 'content-length': body.length } : {}),
  };
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`${method} ${path} HTTP/1.1\r\n${head.join('')}\r\n`), body]);
}
