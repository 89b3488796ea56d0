import { AUTOMATIC, deleteTestPurchase, fulfilOrder, linkExpiry } from '@handover/domain';
import { BY_JANA, claimEmail, makeOrder, recordOrder } from '@handover/testkit';
import { beforeEach, expect, it } from 'vitest';
import { clock, ids, opened, openShopAnew, ports, shop } from './shop-of-the-test.ts';
import { whileLocked } from './while-locked.ts';

openShopAnew(beforeEach);

it('a test purchase is deleted while its receipt is claimed', async () => {
  const { purchaseId, receiptId } = await sellTest();
  const results = await whileLocked('delivery_lines where purchase_id = $1', purchaseId, [
    () => deleteTestPurchase(ports(), shop.orgId, purchaseId, BY_JANA),
    () => claimEmail(opened.stores, shop.orgId, receiptId, clock.now()),
  ]);
  expect(results).toMatchObject([{ value: 'deleted' }, { value: { kind: 'not-pending' } }]);
});

it('a test purchase is deleted while a new link to it is asked for, and none is made afterwards', async () => {
  const { purchaseId, linkId } = await sellTest();
  const results = await whileLocked('download_links where id = $1', linkId, [
    () => requestLink(purchaseId),
    () => deleteTestPurchase(ports(), shop.orgId, purchaseId, BY_JANA),
  ]);
  expect(results).toMatchObject([{ value: 'queued' }, { value: 'deleted' }]);
  expect(await requestLink(purchaseId)).toBe('revoked');
});

it('a test purchase is deleted while bytes of its first file are recorded', async () => {
  const { orgId } = shop;
  const { purchaseId, linkId } = await sellTest();
  const { sessions } = opened.stores;
  const at = clock.now();
  const sessionId = await sessions.begin(orgId, linkId, {
    ...{ sessionId: ids.next(), joining: null, client: 'browser', at },
  });
  const file = { version: '1.0', name: 'pads.zip', size: 9, ranges: [{ start: 0, end: 5 }] };
  const results = await whileLocked('download_sessions where id = $1', sessionId ?? '', [
    () => sessions.addSent(orgId, sessionId ?? '', file, at),
    () => deleteTestPurchase(ports(), orgId, purchaseId, BY_JANA),
  ]);
  expect(results).toMatchObject([{ status: 'fulfilled' }, { value: 'deleted' }]);
});

async function sellTest() {
  const order = makeOrder(shop);
  const { id } = await recordOrder(ports(), order, { isTest: true });
  const { purchases, links, receipt } = await fulfilOrder(ports(), order, { id, attempts: 0 });
  return {
    purchaseId: purchases[0]?.id ?? '',
    linkId: links[0]?.id ?? '',
    receiptId: receipt?.id ?? '',
  };
}

function requestLink(purchaseId: string) {
  const { orgId } = shop;
  const at = clock.now();
  const summary = 'A new link was requested.';
  return opened.stores.downloadLinkEmails.requestOne({
    mailId: ids.next(),
    orgId,
    language: null,
    link: { id: ids.next(), orgId, purchaseId, createdAt: at, expiresAt: linkExpiry(at) },
    activity: { id: ids.next(), at, kind: 'link-requested', subjectId: purchaseId, summary, ...AUTOMATIC },
    at,
  });
}
