import type { Connection, MailAnswer, Order, Product, ReceiptMail } from '@handover/domain';
import { setIntegrationSecret } from '@handover/domain';
import { createInMemoryStores, createMemory } from '@handover/domain/memory';
import {
  createCountingIds,
  createFakeApiKeys,
  createFakeTokens,
  createManualClock,
  openShop,
  publishProduct,
} from '@handover/testkit';

export type World = Awaited<ReturnType<typeof openWorld>>;

/** A product, and the version that it goes live with. */
export interface Wares {
  readonly product: Product;
  readonly versionId: string;
}

/** What was put into the mail server's hands. */
export interface Mailing {
  readonly mail: ReceiptMail;
  readonly answer: MailAnswer;
}

/** A shop with four products and two connections, all in memory, and a record of what became of its orders. */
export async function openWorld() {
  const memory = createMemory();
  const stores = createInMemoryStores(memory);
  const ports = {
    stores,
    clock: createManualClock(),
    ids: createCountingIds(),
    apiKeys: createFakeApiKeys(),
    tokens: createFakeTokens(),
  };
  const { orgId, connection, product, version } = await openShop(ports);
  const wares: Wares[] = [{ product, versionId: version.id }];
  for (const name of ['Keys', 'Drums', 'Bells']) {
    const published = await publishProduct(ports, orgId, name);
    wares.push({ product: published.product, versionId: published.version.id });
  }
  const second = { orgId, platform: 'storefront-a', name: 'second', secret: 'second-secret' } as const;
  await setIntegrationSecret({ ...ports, connections: stores.connections }, second);
  const other = (await stores.connections.list(orgId, 'storefront-a', ports.clock.now()))?.[1];
  if (!other) throw new Error('The second connection is missing.');
  const connections: readonly Connection[] = [connection, other];
  return {
    ...ports,
    memory,
    orgId,
    wares,
    connections,
    /** What each entry of the log was recorded with, by its id. */
    orders: new Map<string, Order>(),
    /** Every purchase that was due at the moment when an order was decided: `connection order product`. */
    due: new Set<string>(),
    /** For which SKU each sale was found: `connection order SKU sale`. */
    purchaseAliases: new Set<string>(),
    /** How often each entry was sent, redelivered or released. */
    asked: new Map<string, number>(),
    mailings: [] as Mailing[],
    /** Receipts whose sender died before it could note the answer. */
    interrupted: new Set<string>(),
  };
}

export function ask({ asked }: World, deliveryId: string): void {
  asked.set(deliveryId, (asked.get(deliveryId) ?? 0) + 1);
}

export function nameSale(sale: {
  readonly connectionId: string | null;
  readonly orderId: string | null;
  readonly productId: string;
}): string {
  return `${sale.connectionId} ${sale.orderId} ${sale.productId}`;
}
