import type { Job } from '../../fulfilment/job.ts';
import type { Clock, Stores } from '../../ports.ts';
import {
  createCountingIds,
  createManualClock,
  createPlainApiKeys,
  openShop,
  type Shop,
  type ShopPorts,
} from '../samples.ts';

/** Empty stores, new for every test, and a look at the jobs they have queued. */
export interface StoresUnderTest {
  readonly stores: Stores;
  queuedJobs(): Promise<readonly Job[]>;
}

export type CreateStores = () => Promise<StoresUnderTest>;

export interface OpenedShop extends ShopPorts {
  readonly shop: Shop;
  readonly clock: Clock & { advance(milliseconds: number): void };
  queuedJobs(): Promise<readonly Job[]>;
}

/** A shop that is ready to sell, on fresh stores. */
export async function openFreshShop(createStores: CreateStores): Promise<OpenedShop> {
  const { stores, queuedJobs } = await createStores();
  const ports = {
    stores,
    clock: createManualClock(),
    ids: createCountingIds(),
    apiKeys: createPlainApiKeys(),
  };
  return { ...ports, queuedJobs, shop: await openShop(ports) };
}

export async function collect<Row>(rows: AsyncIterable<Row>): Promise<readonly Row[]> {
  const collected: Row[] = [];
  for await (const row of rows) collected.push(row);
  return collected;
}
