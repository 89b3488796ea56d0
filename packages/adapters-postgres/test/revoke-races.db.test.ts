import { NO_ORGANISATION, recordSale, resendReceipt, revokePurchase } from '@handover/domain';
import {
  BY_JANA,
  createCountingIds,
  createFakeApiKeys,
  createManualClock,
  openShop,
} from '@handover/testkit';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { openTestStores, type TestStores } from '../src/testing/index.ts';

let opened: TestStores;

beforeAll(async () => {
  opened = await openTestStores(inject('postgres'));
});

afterAll(() => opened.close());

it('what is revoked stays revoked, though new links are asked for at the same moment', async () => {
  const { stores } = opened;
  const clock = createManualClock();
  const ids = createCountingIds();
  const ports = { ...stores, clock, ids };
  const { orgId, product } = await openShop({ stores, clock, ids, apiKeys: createFakeApiKeys() });
  for (let round = 0; round < 20; round += 1) {
    const email = `ana-${round}@example.com`;
    const sold = await recordSale(
      ports,
      { orgId, source: 'dashboard', idempotencyKey: null, by: BY_JANA },
      {
        customerId: 'new',
        newCustomer: { name: 'Ana Lima', email },
        productId: product.id,
        amount: '49.00',
        currency: 'EUR',
        paymentMethod: 'cash',
        sendEmail: false,
      },
    );
    if (sold.kind !== 'recorded') throw new Error(sold.kind);
    const mailId = ids.next();
    await stores.downloadLinkEmails.requestAll({ mailId, email, at: clock.now() });
    clock.advance(1000);
    await Promise.all([
      resendReceipt(ports, orgId, sold.purchaseId, { by: BY_JANA, seen: null }),
      revokePurchase(ports, orgId, sold.purchaseId, BY_JANA),
      stores.outgoingEmails.claim(NO_ORGANISATION, mailId, clock.now(), () => ids.next()),
    ]);
    const record = await stores.purchases.show(orgId, sold.purchaseId);
    expect(record?.links.filter(({ revokedAt }) => revokedAt === null)).toEqual([]);
  }
});
