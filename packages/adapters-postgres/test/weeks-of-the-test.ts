import type { DeliveryStatus } from '@handover/domain';
import {
  createCountingIds,
  createFakeApiKeys,
  createManualClock,
  openShop,
  type Shop,
} from '@handover/testkit';
import { expect, inject } from 'vitest';
import { firstIdAt } from '../src/statements/ids.ts';
import { openTestStores, type TestStores } from '../src/testing/index.ts';

export const DAY = 24 * 60 * 60 * 1000;

export const WEEK = 7 * DAY;

/** A Wednesday. */
export const NOW = new Date('2026-11-25T12:00:00Z');

export const THIS_WEEK = 'delivery_bodies_20261123';

export const BYTES = new TextEncoder().encode('{"order":1}');

/** Set while a test runs, by `openWeeks`. */
export let opened: TestStores;

export let shop: Shop;

export let ids: ReturnType<typeof createCountingIds>;

export function after(milliseconds: number): Date {
  return new Date(NOW.getTime() + milliseconds);
}

export function idAt(at: Date): string {
  return firstIdAt(at).slice(0, 13) + ids.next().slice(13);
}

/** A database of its own for each test, with one new shop. */
export async function openWeeks(): Promise<() => Promise<void>> {
  opened = await openTestStores(inject('postgres'));
  ids = createCountingIds();
  shop = await openShop({
    stores: opened.stores,
    clock: createManualClock(),
    ids,
    apiKeys: createFakeApiKeys(),
  });
  return opened.close;
}

/** Records a request. Without an id, its body gets one from the time of its arrival. */
export async function receive(
  receivedAt: Date,
  { bodyId = idAt(receivedAt), status = 'error' as DeliveryStatus } = {},
) {
  const [id, { orgId, connection }] = [ids.next(), shop];
  await opened.stores.deliveries.record({
    orgId,
    body: { id: bodyId, bytes: BYTES, headers: {} },
    deliveries: [
      {
        ...{ id, orgId, platform: 'storefront-a', connectionId: connection.id, bodyId, orderId: id },
        ...{ orderNumber: null, normalizedEmail: null, receivedAt, status, reason: null, note: null },
      },
    ],
    jobs: [],
    proof: null,
    rejectedId: null,
  });
  return { id, bodyId };
}

export function rotate(now: Date, keepMs = 2 * WEEK) {
  return opened.stores.maintenance.rotateBodies(now, new Date(now.getTime() - keepMs));
}

/** Maintenance makes them in time, before their first body arrives. */
export async function makeWeeksOf(now: Date): Promise<void> {
  await rotate(now, 100 * WEEK);
}

export async function hasBody({ id }: { readonly id: string }): Promise<boolean> {
  const stored = await opened.stores.deliveries.find(shop.orgId, id);
  expect(stored?.body?.bytes ?? BYTES).toEqual(BYTES);
  return (stored?.body ?? null) !== null;
}

export async function tableOf({ bodyId }: { readonly bodyId: string }): Promise<string | undefined> {
  const { rows } = await opened.database.pool.query(
    'select tableoid::regclass::text as name from delivery_bodies where org_id = $1 and id = $2',
    [shop.orgId, bodyId],
  );
  return rows[0]?.name;
}

export async function setStatus({ id }: { readonly id: string }, status: DeliveryStatus): Promise<void> {
  await opened.database.pool.query('update deliveries set status = $1 where id = $2', [status, id]);
}
