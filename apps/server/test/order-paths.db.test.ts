import { signedSample as signCartA } from '@handover/platform-cart-a/testing';
import { signedSample as signCheckoutAClassic } from '@handover/platform-checkout-a-classic/testing';
import { expect, it } from 'vitest';
import { addProduct, setProductStatus } from '../../../test/shop-api.ts';
import { receiptsAmong } from './support/mail-server.ts';
import { runCliForJson } from './support/server-process.ts';
import { openOwnShop, shareServer } from './support/shared-server.ts';
import { listPurchases, sendOrder, until } from './support/shop.ts';

const shared = shareServer();

async function openTrade() {
  const { mailServer, environment, server, shop, ownerEmail } = await openOwnShop(shared());
  const headers = { authorization: `Bearer ${shop.apiKey}` };
  const addDraft = async (name: string, slug: string) =>
    (await addProduct(server.url, shop.apiKey, { name, slug, file: shop.file })).id;
  /** Retries as platforms do, until it is accepted. */
  const send = (orderId: string, changes?: Parameters<typeof sendOrder>[3]) =>
    until(async () => (await sendOrder(server.url, shop.orgId, orderId, changes)).body.deliveryId);
  const again = async (deliveryId: string) =>
    (await fetch(`${server.url}/api/deliveries/${deliveryId}/redeliver`, { method: 'POST', headers })).status;
  /** Polls the log until the entry has that status. */
  const entryThatIs = (deliveryId: string, status: string) =>
    until(async () => {
      const response = await fetch(`${server.url}/api/deliveries`, { headers });
      const entries = (await response.json()) as readonly ListedEntry[];
      return entries.find((entry) => entry.id === deliveryId && entry.status === status);
    });
  const listBought = async () =>
    (await listPurchases(server.url, shop.apiKey))
      .map(({ orderId, productSlug }) => `${orderId} ${productSlug}`)
      .sort();
  return {
    mailServer,
    environment,
    server,
    shop,
    ownerEmail,
    addDraft,
    send,
    again,
    entryThatIs,
    listBought,
  };
}

interface ListedEntry {
  readonly id: string;
  readonly status: string;
  readonly reason: string | null;
  readonly note: string | null;
  readonly skus: readonly { readonly outcome: string }[];
}

it('mixed, unknown, held and refused orders, and orders without an address, end as the rules say', async () => {
  const trade = await openTrade();
  const { mailServer, server, shop, addDraft, send, again, entryThatIs, listBought } = trade;
  const drums = await addDraft('Drums', 'drums');

  const mixed = await send('1', { skus: ['felt-piano', 'drums', 'nobody-knows'] });
  const outcomes = (await entryThatIs(mixed, 'held')).skus.map(({ outcome }) => outcome);
  expect(outcomes).toEqual(['delivered', 'held', 'unmatched']);
  const unknown = await send('2', { skus: ['nobody-knows'] });
  expect((await entryThatIs(unknown, 'error')).reason).toContain('No product is known for SKU nobody-knows.');
  const nameless = await send('3', { email: null });
  expect((await entryThatIs(nameless, 'error')).reason).toBe('The order came without an e-mail address.');

  shared().mailServer.unknown.add('gone@example.com');
  const refused = await send('4', { email: 'gone@example.com' });
  expect((await entryThatIs(refused, 'error')).reason).toContain('No such mailbox');
  shared().mailServer.unknown.clear();
  const repeated = await send('4', { email: 'gone@example.com' });
  expect((await entryThatIs(repeated, 'success')).note).toContain('Its receipt was never sent');

  // Published just as an order arrives: it is held or delivered, and bought once when it is delivered again.
  const [racing] = await Promise.all([
    send('5', { skus: ['drums'] }),
    setProductStatus(server.url, shop.apiKey, drums, 'published'),
  ]);
  expect(await Promise.all([again(racing), again(mixed), again(racing)])).toEqual([200, 200, 200]);
  await entryThatIs(racing, 'success');
  await entryThatIs(mixed, 'success');
  expect(await listBought()).toEqual(['1 drums', '1 felt-piano', '4 felt-piano', '5 drums']);
  expect(receiptsAmong(mailServer.mails)).toHaveLength(4);
});

it('an order that is repeated while its receipt is pending, and a thousand times later, is mailed once', async () => {
  const { mailServer, send, entryThatIs, listBought, ownerEmail } = await openTrade();
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const reached = new Promise<void>((resolve) => {
    shared().mailServer.beforeAccepting = ({ replyTo }) => {
      if (replyTo?.[0]?.address !== ownerEmail) return;
      resolve();
      return held;
    };
  });
  const first = await send('5001');
  await reached;
  const second = await send('5001');
  expect((await entryThatIs(second, 'pending')).note).toBe('Already delivered.');
  release();
  await entryThatIs(first, 'success');
  await entryThatIs(second, 'success');

  for (let round = 0; round < 40; round += 1) {
    const ids = await Promise.all(Array.from({ length: 25 }, () => send('5001')));
    expect(new Set(ids).size).toBe(25);
  }
  expect(await listBought()).toEqual(['5001 felt-piano']);
  await send('5002');
  const mails = await mailServer.waitForMails(2);
  expect(mails.map(({ text }) => /Order #(\d+)/.exec(text ?? '')?.[1])).toEqual(['5001', '5002']);
});

it('an order that checkout-a-classic and cart-a send line by line becomes a purchase and a mailed link for each', async () => {
  const { mailServer, environment, server, shop, addDraft, listBought } = await openTrade();
  await setProductStatus(server.url, shop.apiKey, await addDraft('Soft Keys', 'soft-keys'), 'published');
  const senders = { 'checkout-a-classic': signCheckoutAClassic, 'cart-a': signCartA };
  for (const [platform, sign] of Object.entries(senders)) {
    const set = [
      'integration',
      'set',
      '--org',
      shop.orgId,
      '--platform',
      platform,
      '--secret',
      'the-secret-of-the-shop',
    ];
    await runCliForJson(environment, set);
    const posts = ['felt-piano', 'soft-keys'].map(async (sku) => {
      const { headers, body, query } = sign('the-secret-of-the-shop', {
        orderId: '81',
        email: `${platform}@example.com`,
        sku,
      });
      const address = new URL(`${server.url}/webhooks/${shop.orgId}/${platform}`);
      for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
      return (await fetch(address, { method: 'POST', headers, body: Buffer.from(body) })).status;
    });
    expect([platform, ...(await Promise.all(posts))]).toEqual([platform, 200, 200]);
  }
  const mails = await mailServer.waitForMails(4);
  const orders = ['81 felt-piano', '81 soft-keys', 'samcart:81 felt-piano', 'samcart:81 soft-keys'];
  expect(await listBought()).toEqual(orders);
  const links = mails.map(({ text }) => /http:\S+\/d\/[\w-]+/.exec(text ?? '')?.[0]);
  const urls = (await listPurchases(server.url, shop.apiKey)).map(({ downloadUrl }) => downloadUrl);
  expect(links.sort()).toEqual(urls.sort());
});

it('a delivered purchase stays with its order when its SKU is ignored afterwards', async () => {
  const { mailServer, environment, server, shop } = await openOwnShop(shared());
  const sku = (...words: readonly string[]) =>
    runCliForJson(environment, ['sku', ...words, '--org', shop.orgId, '--sku', 'PAD-1']);
  const call = async (method: string, path: string): Promise<unknown> => {
    const headers = { 'x-api-key': shop.apiKey };
    return (await fetch(`${server.url}/api${path}`, { method, headers })).json();
  };
  const send = async () => (await sendOrder(server.url, shop.orgId, '1', { skus: ['PAD-1'] })).body;

  await sku('map', '--product', shop.productId);
  const { deliveryId } = await send();
  await until(async () => (await listPurchases(server.url, shop.apiKey))[0]?.receiptSentAt);
  await sku('ignore');
  const bought = { status: 'success', skus: [{ sku: 'PAD-1', outcome: 'already-delivered' }] };
  expect(await call('POST', `/deliveries/${deliveryId}/redeliver`)).toMatchObject(bought);
  expect(await call('GET', `/deliveries/${deliveryId}`)).toMatchObject(bought);
  expect((await send()).status).toBe('success');
  expect(await listPurchases(server.url, shop.apiKey)).toHaveLength(1);
  expect(mailServer.mails).toHaveLength(1);
});
