import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFulfilment, type Order, type ReceiptMail } from '@handover/domain';
import { expect, it, onTestFinished } from 'vitest';
import { createSqliteFulfilmentStore } from '../src/index.ts';

const version = {
  id: 'pads-1',
  label: '1.0',
  files: [{ name: 'pads.zip', size: 5_000_000, sha256: 'a'.repeat(64) }],
};
const pads = { id: 'pads', name: 'Pads', slug: 'pads', status: 'published', version } as const;
const lumen = { id: 'lumen', name: 'Lumen Audio', email: 'hello@lumen.example', products: [pads] };

const order: Order = {
  orgId: 'lumen',
  platform: 'our-shop',
  connectionId: 'main',
  orderId: '5001',
  orderNumber: '#1001',
  customer: { email: 'ana@example.com', name: 'Ana Lima' },
  currency: 'EUR',
  total: '49.00',
  lines: [{ candidates: [{ kind: 'sku', value: 'PADS' }], quantity: 1, amount: '49.00', title: 'Pads' }],
  test: false,
  notes: [],
};

it('delivers an order once, from one file to the next process', async () => {
  const file = join(createFolder(), 'store.sqlite');
  const mailed: ReceiptMail[] = [];

  // The first process accepts the order, and ends before it sends the mail.
  const first = openFulfilment(file, mailed);
  first.store.putShop(lumen);
  const { deliveryId, status, plan } = await first.fulfilment.receive(order);
  first.store.close();
  expect({ status, sold: plan?.purchases.length, mailed }).toEqual({
    status: 'pending',
    sold: 1,
    mailed: [],
  });

  const next = openFulfilment(file, mailed);
  await next.fulfilment.runDue({ until: new Date(Date.now() + 60_000) });
  expect(mailed).toMatchObject([
    { to: { email: 'ana@example.com' }, items: [{ productName: 'Pads', fileCount: 1 }] },
  ]);
  expect(await next.store.find('lumen', deliveryId)).toMatchObject({ status: 'success', attempts: 1 });

  const again = await next.fulfilment.receive(order);
  await next.fulfilment.runDue({ until: new Date(Date.now() + 60_000) });
  next.store.close();
  expect([again.status, again.plan?.purchases.length, mailed.length]).toEqual(['success', 0, 1]);
});

it('lets one of two processes that share a file have a job', async () => {
  const file = join(createFolder(), 'store.sqlite');
  const one = createSqliteFulfilmentStore(file);
  const other = createSqliteFulfilmentStore(file);
  one.putShop(lumen);
  await createFulfilment({
    store: one,
    mailer: { send: async () => ({ kind: 'accepted', answer: '' }) },
  }).receive(order);
  const now = new Date(Date.now() + 60_000);
  const leasedUntil = new Date(now.getTime() + 60_000);
  const taken = await Promise.all([one.takeJob(now, leasedUntil), other.takeJob(now, leasedUntil)]);
  one.close();
  other.close();
  expect(taken.filter((job) => job !== null)).toMatchObject([
    { job: { kind: 'send-email', orgId: 'lumen' } },
  ]);
});

it('refuses what it cannot keep', async () => {
  const store = createSqliteFulfilmentStore(':memory:');
  onTestFinished(store.close);
  const body = { id: 'body', bytes: new Uint8Array(), headers: {} };
  const recording = { orgId: 'lumen', body, deliveries: [], jobs: [], proof: null, rejectedId: 'r-1' };
  await expect(store.record(recording)).rejects.toThrow('keeps no proofs and no rejected requests');
});

function openFulfilment(file: string, mailed: ReceiptMail[]) {
  const store = createSqliteFulfilmentStore(file);
  const mailer = {
    send: async (mail: ReceiptMail) => {
      mailed.push(mail);
      return { kind: 'accepted', answer: '250 OK' } as const;
    },
  };
  return { store, fulfilment: createFulfilment({ store, mailer }) };
}

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'handover-sqlite-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}
