import { fulfilOrder, type JobPorts, MAX_UNREADABLE_MS, runJob } from '@handover/domain';
import { createFakeComposing, makeLine, makeOrder, recordOrder } from '@handover/testkit';
import { expect, it } from 'vitest';
import { openShopInMemory } from './open-shop-in-memory.ts';

async function receive(sku: string) {
  const ports = await openShopInMemory();
  const { shop, stores } = ports;
  const order = makeOrder(shop, { lines: [makeLine(sku)] });
  const { id } = await recordOrder(ports, order);
  const plan = await fulfilOrder({ ...ports, fulfilment: stores.fulfilment }, order, { id, attempts: 0 });
  const run = (job: Parameters<typeof runJob>[1], changes: Partial<JobPorts>) =>
    runJob({ ...ports, ...stores, ...createFakeComposing(), ...changes } as unknown as JobPorts, job);
  return { ...ports, id, plan, run };
}

it('runs a job again whose mail was answered when another worker had its claim: that one may fail in turn', async () => {
  const { run, shop, stores, plan, clock } = await receive('PADS');
  const job = {
    kind: 'send-email',
    emailKind: 'receipt',
    orgId: shop.orgId,
    emailId: plan.receipt?.id ?? '',
  } as const;
  const mailer = {
    send: async () => ({ kind: 'accepted', answer: '250' }),
  } as unknown as JobPorts['mailer'];
  const taken = { ...stores.outgoingEmails, complete: async () => 'not-held' as const };
  expect(await run(job, { mailer, outgoingEmails: taken })).toEqual({ again: clock.now() });
  await stores.expireClaims();
  expect(await run(job, { mailer })).toBe('done');
});

it('runs a job again whose entry changed while it was given up, so that it is given up in the end', async () => {
  const { run, shop, id, clock } = await receive('unknown');
  clock.advance(MAX_UNREADABLE_MS);
  const job = { kind: 'fulfil-delivery', orgId: shop.orgId, deliveryId: id, attempts: 1 } as const;
  const orders = { read: () => null };
  const fulfilment = { commit: async () => 'changed-meanwhile' } as unknown as JobPorts['fulfilment'];
  expect(await run(job, { orders, fulfilment })).toEqual({ again: clock.now() });
  expect(await run(job, { orders })).toBe('done');
});

it('runs the job of a release again until its entries were queued, and no more', async () => {
  const { run, shop, stores, clock } = await receive('unknown');
  const release = { kind: 'sku', sku: 'unknown', platform: null } as const;
  await stores.openDeliveries.release(shop.orgId, release, clock.now());
  const job = { kind: 'release-entries', orgId: shop.orgId, release } as const;
  expect(await run(job, {})).toEqual({ again: clock.now() });
  expect(await run(job, {})).toBe('done');
});
