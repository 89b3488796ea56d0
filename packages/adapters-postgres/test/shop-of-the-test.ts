import { fulfilOrder, type Ids, type Order } from '@handover/domain';
import {
  createCountingIds,
  createFakeApiKeys,
  createManualClock,
  makeOrder,
  openShop,
  recordOrder,
  type Shop,
} from '@handover/testkit';
import { afterAll, beforeAll, type beforeEach, inject } from 'vitest';
import { openTestStores, type TestStores } from '../src/testing/index.ts';
import { countRows } from './count-rows.ts';

export const clock = createManualClock();
/** Set while a test runs, once its file has called `openShopAnew`. */
export let opened: TestStores;
export let shop: Shop;
export let ids: Ids;

const apiKeys = createFakeApiKeys();

/** Gives a file a database of its own, and in it, before all its tests or before each, nothing but one new shop. */
export function openShopAnew(before: typeof beforeAll | typeof beforeEach): void {
  beforeAll(async () => {
    opened = await openTestStores(inject('postgres'));
  });
  afterAll(() => opened.close());
  before(async () => {
    await opened.clear();
    ids = createCountingIds();
    shop = await openShop(ports());
  });
}

export function ports() {
  return { ...opened.stores, stores: opened.stores, clock, ids, apiKeys };
}

export interface Sold {
  readonly deliveryId: string;
  readonly receiptId: string;
}

/** Sells the sample order, whose receipt is pending then. */
export function sellOnce(): Promise<Sold> {
  return sellOrder(makeOrder(shop));
}

/** Sells this number of orders to different buyers. Each order has its own receipt. */
export function sell(number: number, by: Shop = shop): Promise<readonly Sold[]> {
  const orderIds = Array.from({ length: number }, () => ids.next());
  return Promise.all(
    orderIds.map((orderId) => {
      const customer = { email: `${orderId}@example.com`, name: 'Ana Lima' };
      return sellOrder(makeOrder(by, { orderId, customer }));
    }),
  );
}

async function sellOrder(order: Order): Promise<Sold> {
  const { id: deliveryId } = await recordOrder(ports(), order);
  const { receipt } = await fulfilOrder(ports(), order, { id: deliveryId, attempts: 0 });
  return { deliveryId, receiptId: receipt?.id ?? '' };
}

export function count(table: string): Promise<number> {
  return countRows(opened, table);
}
