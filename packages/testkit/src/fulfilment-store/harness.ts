import {
  type Delivery,
  decideFulfilment,
  type FulfilmentStore,
  fulfilOrder,
  type Ids,
  type Order,
  type Plan,
  recordDeliveries,
} from '@handover/domain';
import type { ShopCatalogue } from '@handover/domain/memory';
import { nameMissing } from '../runner.ts';
import { createCountingIds, createManualClock, makeOrder } from '../samples.ts';

/** An empty store, new for every test, and the part of your program that stores the catalogue. */
export interface FulfilmentStoreUnderTest {
  /** The store, with at least the methods that the part of the suite needs. */
  readonly store: Partial<FulfilmentStore>;
  /** Adds a shop, or replaces its catalogue, which changes the revision. */
  putShop(shop: ShopCatalogue): Promise<void> | void;
  /**
   * Simulates that the process with the claim of a receipt has been dead until the claim expired. Only for a store that measures
   * claims by its own clock; other stores use the time that `claim` is given.
   */
  expireClaims?(): Promise<void>;
  /** When a download link expires. `receiptsContract` needs it, because none of the nine methods returns it. */
  linkExpiresAt?(orgId: string, linkId: string): Promise<Date | null> | Date | null;
}

/** Creates an empty store for each test. */
export type CreateFulfilmentStore = () => Promise<FulfilmentStoreUnderTest> | FulfilmentStoreUnderTest;

export interface OpenedStore extends Omit<FulfilmentStoreUnderTest, 'store'> {
  readonly store: FulfilmentStore;
  readonly clock: ReturnType<typeof createManualClock>;
  readonly ids: Ids;
}

const ids = createCountingIds(9);
const CONNECTION = ids.next();
export const OTHER_CONNECTION = ids.next();

const FILE = {
  name: 'pads.zip',
  size: 5,
  sha256: '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824',
};

function product(name: string) {
  const version = { id: ids.next(), label: '1.0', files: [FILE] };
  return { id: ids.next(), name, slug: name.toLowerCase(), status: 'published', version } as const;
}

export const PADS = product('Pads');
export const KEYS = product('Keys');

/** Sells Pads and Keys. */
export const LUMEN: ShopCatalogue = {
  id: ids.next(),
  name: 'Lumen Audio',
  email: 'hello@lumen.example',
  products: [PADS, KEYS],
  connections: [CONNECTION, OTHER_CONNECTION],
};

/** A product of another organisation with the same name. */
export const OTHER_PADS = product('Pads');
export const MIRA: ShopCatalogue = {
  id: ids.next(),
  name: 'Mira Sounds',
  email: 'hello@mira.example',
  products: [OTHER_PADS],
  connections: [ids.next()],
};

/** Both shops on a fresh store. Using a method that it lacks throws an error that names the method. */
export async function openStore(part: string, create: CreateFulfilmentStore): Promise<OpenedStore> {
  const { store, ...hooks } = await create();
  await hooks.putShop(LUMEN);
  await hooks.putShop(MIRA);
  return {
    ...hooks,
    store: nameMissing<FulfilmentStore>(part, '', store),
    clock: createManualClock(),
    ids: createCountingIds(),
  };
}

export function orderOf(
  changes: Partial<Order> = {},
  shop: Pick<ShopCatalogue, 'id' | 'connections'> = LUMEN,
): Order {
  return makeOrder({ orgId: shop.id, connection: { id: shop.connections?.[0] ?? '' } }, changes);
}

/** The entry of an order as it is recorded in the log, with a note. */
export function entryOf(
  order: Order,
  { clock, ids }: Pick<OpenedStore, 'clock' | 'ids'>,
): Delivery & { note: string } {
  return {
    id: ids.next(),
    orgId: order.orgId,
    platform: order.platform,
    connectionId: order.connectionId,
    bodyId: ids.next(),
    orderId: order.orderId,
    orderNumber: order.orderNumber,
    normalizedEmail: 'ana@example.com',
    receivedAt: clock.now(),
    status: 'pending',
    reason: null,
    note: 'Noted as it came.',
  };
}

/** Records an order in the log, with its job. */
export async function record({ store, clock, ids }: OpenedStore, order: Order): Promise<Delivery> {
  const { orgId, platform, connectionId } = order;
  const recorded = await recordDeliveries(
    { clock, ids, deliveries: store },
    {
      ...{ orgId, platform, connectionId, receivedAt: clock.now() },
      ...{ bytes: new Uint8Array([123, 125]), headers: {} },
      content: { kind: 'translated', entries: [{ kind: 'order', order }] },
    },
    'in-request',
  );
  const [delivery] = recorded.kind === 'recorded' ? recorded.deliveries : [];
  if (!delivery) throw new Error('The order was not recorded.');
  return delivery;
}

/** Records an order and decides it. */
export async function fulfil(opened: OpenedStore, order: Order): Promise<Plan> {
  const { id } = await record(opened, order);
  return decide(opened, order, id);
}

/** Decides an order that was recorded. */
export function decide({ store, clock, ids }: OpenedStore, order: Order, id: string): Promise<Plan> {
  return fulfilOrder({ clock, ids, fulfilment: store }, order, { id, attempts: 0 });
}

/** Records an order and decides it, without committing the plan. */
export async function planOf(opened: OpenedStore, order: Order) {
  const { store, clock, ids } = opened;
  const { id } = await record(opened, order);
  const known = await store.loadSnapshot(order);
  return { id, plan: decideFulfilment(order, known, { id, attempts: 0 }, clock.now(), ids) };
}
