import type { Job, Stores } from '@handover/domain';
import {
  createCountingIds,
  createFakeApiKeys,
  createFakeComposing,
  createFakeSessionTokens,
  createManualClock,
  openShop,
  type Shop,
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

/** Makes empty stores, for each test its own. */
export type CreateStores = () => Promise<StoresUnderTest>;

/** Stores of which some, or some methods, may be missing. */
export type PartialStores = { readonly [Port in keyof Stores]?: Partial<Stores[Port]> };

/** As `CreateStores`, of stores of which some may be missing. */
export type CreateStoresUnderTest = () => Promise<
  Omit<StoresUnderTest, 'stores'> & { readonly stores: PartialStores }
>;

/** What use cases ask for: the stores, also one by one, and fakes of the rest. */
export interface OpenedShop extends Stores, FakePorts, Omit<StoresUnderTest, 'stores'> {
  readonly shop: Shop;
  readonly stores: Stores;
}

/** As much of it as it takes for mails to be due. */
export type MailShop = Omit<OpenedShop, 'lapseClaims'>;

/** A shop that is ready to sell, on fresh stores. */
export async function openFreshShop(createStores: CreateStores): Promise<OpenedShop> {
  const { stores, ...queue } = await createStores();
  const ports = createFakePorts();
  return { ...ports, ...stores, stores, ...queue, shop: await openShop({ ...ports, stores }) };
}

type FakePorts = ReturnType<typeof createFakePorts>;

function createFakePorts() {
  return {
    clock: createManualClock(),
    ids: createCountingIds(),
    apiKeys: createFakeApiKeys(),
    sessionTokens: createFakeSessionTokens(),
    ...createFakeComposing(''),
  };
}

export async function collect<Row>(rows: AsyncIterable<Row>): Promise<readonly Row[]> {
  const collected: Row[] = [];
  for await (const row of rows) collected.push(row);
  return collected;
}
