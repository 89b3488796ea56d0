import {
  type Clock,
  fulfilOrder,
  type Job,
  type Order,
  type Plan,
  recordSale,
  type SaleForm,
  type Stores,
} from '@handover/domain';
import {
  BY_JANA,
  createCountingIds,
  createFakeApiKeys,
  createManualClock,
  openShop,
  recordOrder,
  type Shop,
  type ShopPorts,
} from '../samples.ts';

/** Empty stores, new for every test, and the jobs they have queued. */
export interface StoresUnderTest {
  readonly stores: Stores;
  queuedJobs(): Promise<readonly Job[]>;
  /** Takes these jobs off the queue: they are done, or lost. */
  dropJobs(jobs: readonly Job[]): Promise<void>;
  /** As if the holder of a mail's claim had been dead for so long, or, unless told, until others may take it. */
  lapseClaims(deadForMs?: number): Promise<void>;
}

export type CreateStores = () => Promise<StoresUnderTest>;

/** Stores of which some, or some methods, may be missing. */
export type PartialStores = { readonly [Port in keyof Stores]?: Partial<Stores[Port]> };

export type CreateStoresUnderTest = () => Promise<
  Omit<StoresUnderTest, 'stores'> & { readonly stores: PartialStores }
>;

export interface OpenedShop extends ShopPorts, Omit<StoresUnderTest, 'stores'> {
  readonly shop: Shop;
  readonly clock: Clock & { advance(milliseconds: number): void };
}

/** As much of it as it takes for mails to be due. */
export type MailShop = Omit<OpenedShop, 'lapseClaims'>;

/** A shop that is ready to sell, on fresh stores. */
export async function openFreshShop(createStores: CreateStores): Promise<OpenedShop> {
  const { stores, ...queue } = await createStores();
  const ports = {
    stores,
    clock: createManualClock(),
    ids: createCountingIds(),
    apiKeys: createFakeApiKeys(),
  };
  return { ...ports, ...queue, shop: await openShop(ports) };
}

export async function collect<Row>(rows: AsyncIterable<Row>): Promise<readonly Row[]> {
  const collected: Row[] = [];
  for await (const row of rows) collected.push(row);
  return collected;
}

/** Records a sale of the sample product by hand. */
export function record(opened: OpenedShop, changes: Partial<SaleForm>, idempotencyKey: string | null = null) {
  const { stores, shop } = opened;
  const origin = { orgId: shop.orgId, source: 'api', idempotencyKey, by: BY_JANA } as const;
  const form: SaleForm = {
    customerId: 'new',
    newCustomer: { name: 'Ana Lima', email: 'ana@example.com' },
    productId: shop.product.id,
    amount: '49.00',
    currency: 'EUR',
    paymentMethod: 'custom',
    sendEmail: false,
    ...changes,
  };
  return recordSale({ ...opened, products: stores.products, purchases: stores.purchases }, origin, form);
}

export async function sell(opened: OpenedShop, changes: Partial<SaleForm> = {}) {
  const result = await record(opened, changes);
  if (result.kind !== 'recorded') throw new Error(`The sample sale: ${result.kind}`);
  return result;
}

/** Records an order and decides it, as its request would. */
export async function fulfil(opened: OpenedShop, order: Order): Promise<Plan> {
  const { id } = await recordOrder(opened, order);
  return fulfilOrder({ ...opened, fulfilment: opened.stores.fulfilment }, order, { id, attempts: 0 });
}
