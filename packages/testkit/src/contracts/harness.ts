import type { Job, Stores } from '@handover/domain';
import type { OpeningRunner } from '../runner.ts';
import {
  createCountingIds,
  createFakeApiKeys,
  createFakeComposing,
  createFakeSessionTokens,
  createManualClock,
  openShop,
  type Shop,
} from '../samples.ts';

/** Empty stores, new for every test, and the jobs that they have queued. */
export interface StoresUnderTest {
  readonly stores: Stores;
  queuedJobs(): Promise<readonly Job[]>;
  /** Removes these jobs from the queue, as if they were done or lost. */
  dropJobs(jobs: readonly Job[]): Promise<void>;
  /** Simulates that the process with the claim of a mail has been dead for this long, by default until the claim expires. */
  expireClaims(deadForMs?: number): Promise<void>;
}

/** Creates empty stores for each test. */
export type CreateStores = () => Promise<StoresUnderTest>;

/** Stores of which some, or some methods, may be missing. */
export type PartialStores = { readonly [Port in keyof Stores]?: Partial<Stores[Port]> };

/** As `CreateStores`, for stores of which some may be missing. */
export type CreateStoresUnderTest = () => Promise<
  Omit<StoresUnderTest, 'stores'> & { readonly stores: PartialStores }
>;

/** The ports of use cases: the stores, together and one by one, and fakes of the other ports. */
export interface OpenedShop extends Stores, FakePorts, Omit<StoresUnderTest, 'stores'> {
  readonly shop: Shop;
  readonly stores: Stores;
}

/** The parts that are needed to make mails due. */
export type MailShop = Omit<OpenedShop, 'expireClaims'>;

/** A shop that is ready to sell, on fresh stores. */
export async function openFreshShop(createStores: CreateStores): Promise<OpenedShop> {
  const { stores, ...queue } = await createStores();
  const ports = createFakePorts();
  return { ...ports, ...stores, stores, ...queue, shop: await openShop({ ...ports, stores }) };
}

/** What suites of stores are written with: each test begins with a shop that is ready to sell. */
export type StoresRunner = OpeningRunner<OpenedShop>;

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
