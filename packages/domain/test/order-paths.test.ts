import type { EmailMessage, Job, MailAnswer, Order, ReceiptMail } from '@handover/domain';
import { fulfilOrder, mapSku, redeliver, sendEmail, updateProduct } from '@handover/domain';
import {
  createCountingIds,
  createFakeComposing,
  makeLine,
  makeOrder,
  publishProduct,
  recordOrder,
  sendsEmail,
} from '@handover/testkit';
import { describe, expect, it } from 'vitest';
import { openShopInMemory } from './open-shop-in-memory.ts';

/** A shop that sells Pads and Keys, and has Drums as a draft; its orders, its log and its mail. */
async function openTrade() {
  const ports = await openShopInMemory();
  const { shop, stores } = ports;
  await publishProduct(ports, shop.orgId, 'Keys');
  const drums = await publishProduct(ports, shop.orgId, 'Drums');
  const setDrums = (status: 'draft' | 'published') =>
    updateProduct({ ...ports, products: stores.products }, shop.orgId, drums.product.id, { status });
  await setDrums('draft');
  const orders = new Map<string, Order>();
  const mails: ReceiptMail[] = [];

  /** Takes an order in as a request does that is answered once it is fulfilled. */
  async function send(changes: Partial<Order> = {}, own: Partial<typeof ports> = {}) {
    const order = makeOrder(shop, changes);
    const { id } = await recordOrder({ ...ports, ...own }, order);
    orders.set(id, order);
    await fulfilOrder({ ...ports, ...own, fulfilment: stores.fulfilment }, order, { id, attempts: 0 });
    return id;
  }

  function again(deliveryId: string) {
    const reader = { read: () => orders.get(deliveryId) ?? null };
    return redeliver({ ...ports, ...stores, orders: reader }, shop.orgId, deliveryId);
  }

  /** Every receipt that is due goes to a mail server that answers so. */
  async function mailAll(kind: MailAnswer['kind'] = 'accepted') {
    const mailer = {
      send: async (mail: EmailMessage) => {
        if (mail.kind === 'receipt') mails.push(mail);
        return { kind, answer: `the server’s words: ${kind}` };
      },
    };
    for (const job of await stores.queuedJobs()) {
      if (!sendsEmail('receipt')(job) || job.startAfter > ports.clock.now()) continue;
      await sendEmail({ ...createFakeComposing(), ...ports, ...stores, mailer }, job);
      stores.finishJob(job);
    }
  }

  const entry = (deliveryId: string) => stores.deliveries.show(shop.orgId, deliveryId);
  async function listBought() {
    const bought: string[] = [];
    for await (const { productSlug, orderId } of stores.purchases.list(shop.orgId)) {
      bought.push(`${productSlug} of ${orderId}`);
    }
    return bought.sort();
  }
  const listMailed = () => mails.map(({ items }) => items.map(({ productName }) => productName).sort());
  return { ...ports, shop, setDrums, send, again, mailAll, entry, listBought, listMailed, mails };
}

const lines = (...skus: readonly string[]) => ({ lines: skus.map((sku) => makeLine(sku)) });

describe('an order', () => {
  it('that is mixed delivers what it can, and the held rest once it is published, under a receipt of its own', async () => {
    const { send, again, entry, mailAll, setDrums, listBought, listMailed } = await openTrade();
    const id = await send(lines('pads', 'drums', 'nobody-knows'));
    await mailAll();
    expect(await entry(id)).toMatchObject({
      status: 'held',
      reason: expect.stringContaining('“Drums” is still a draft'),
      lines: [{ outcome: 'delivered' }, { outcome: 'held' }, { outcome: 'unmatched' }],
    });
    expect(await listBought()).toEqual(['pads of 5001']);

    await setDrums('published');
    await again(id);
    await mailAll();
    expect(await entry(id)).toMatchObject({
      status: 'success',
      lines: [{ outcome: 'already-delivered' }, { outcome: 'delivered' }, { outcome: 'unmatched' }],
    });
    expect(listMailed()).toEqual([['Pads'], ['Drums']]);
  });

  it('of unknown SKUs only is an error that sells nothing, until one of them is mapped', async () => {
    const { send, again, entry, shop, stores, listBought, mailAll, listMailed } = await openTrade();
    const id = await send(lines('gift', 'mug'));
    expect(await entry(id)).toMatchObject({ status: 'error', lines: [{ sku: 'gift' }, { sku: 'mug' }] });
    expect([await listBought(), (await stores.queuedJobs()).map(emailKindOf)]).toEqual([[], ['alert']]);

    await mapSku(stores, shop.orgId, { sku: 'GIFT', platform: null, productId: shop.product.id });
    await again(id);
    await mailAll();
    expect(await entry(id)).toMatchObject({ status: 'success' });
    expect([await listBought(), listMailed()]).toEqual([['pads of 5001'], [['Pads']]]);
  });

  it('without an address is an error that sells nothing, however often it is delivered again', async () => {
    const { send, again, entry, stores, listBought } = await openTrade();
    const id = await send({ customer: { email: null, name: 'Ana' } });
    await again(id);
    const reason = 'The order came without an e-mail address.';
    expect(await entry(id)).toMatchObject({ status: 'error', reason, lines: [] });
    expect([await listBought(), (await stores.queuedJobs()).map(emailKindOf)]).toEqual([[], ['alert']]);
  });

  it('that two processes take in at once is one purchase, one receipt, and a success in both entries', async () => {
    const { send, entry, mailAll, listBought, listMailed } = await openTrade();
    const ids = await Promise.all([
      send({}, { ids: createCountingIds(7) }),
      send({}, { ids: createCountingIds(8) }),
    ]);
    const outcomes = await Promise.all(ids.map(async (id) => (await entry(id))?.lines[0]?.outcome));
    expect(outcomes.sort()).toEqual(['already-delivered', 'delivered']);
    await mailAll();
    expect(await Promise.all(ids.map(async (id) => (await entry(id))?.status))).toEqual([
      'success',
      'success',
    ]);
    expect([await listBought(), listMailed()]).toEqual([['pads of 5001'], [['Pads']]]);
  });

  it('that comes again while its receipt is on its way waits for that one', async () => {
    const { send, entry, mailAll, listBought, listMailed } = await openTrade();
    const ids = [await send(), await send()];
    expect(await entry(ids[1] ?? '')).toMatchObject({ status: 'pending', note: 'Already delivered.' });
    await mailAll();
    expect(await Promise.all(ids.map(async (id) => (await entry(id))?.status))).toEqual([
      'success',
      'success',
    ]);
    expect([await listBought(), listMailed()]).toEqual([['pads of 5001'], [['Pads']]]);
  });

  it('that comes again while its receipt waits for a better hour has it sent now', async () => {
    const { send, entry, mailAll, listMailed } = await openTrade();
    const first = await send();
    await mailAll('try-again');
    expect(await entry(first)).toMatchObject({
      status: 'pending',
      reason: expect.stringContaining('try-again'),
    });
    const second = await send();
    await mailAll();
    expect([(await entry(first))?.status, (await entry(second))?.status]).toEqual(['success', 'success']);
    expect(listMailed()).toHaveLength(2);
  });

  it('whose receipt was refused has it sent again when it comes again', async () => {
    const { send, entry, mailAll, listBought, mails } = await openTrade();
    const first = await send();
    await mailAll('refused');
    expect(await entry(first)).toMatchObject({ status: 'error', reason: expect.stringContaining('refused') });
    const second = await send();
    await mailAll();
    expect(await entry(second)).toMatchObject({
      status: 'success',
      note: 'Already delivered. Its receipt was never sent, so it is sent again.',
    });
    expect(new Set(mails.map(({ mailId }) => mailId)).size).toBe(1);
    expect([await listBought(), mails.length]).toEqual([['pads of 5001'], 2]);
  });

  it('whose product is published while it is being held is delivered after all', async () => {
    const trade = await openTrade();
    const { stores, setDrums, shop } = trade;
    const order = makeOrder(shop, lines('drums'));
    const { id } = await recordOrder(trade, order);
    const commits: string[] = [];
    const fulfilment = {
      ...stores.fulfilment,
      commit: async (plan: Parameters<typeof stores.fulfilment.commit>[0]) => {
        if (commits.length === 0) await setDrums('published');
        const answer = await stores.fulfilment.commit(plan);
        commits.push(`${plan.delivery.status} ${answer}`);
        return answer;
      },
    };
    await fulfilOrder({ ...trade, fulfilment }, order, { id, attempts: 0 });
    expect(commits).toEqual(['held changed-meanwhile', 'pending committed']);
    expect(await trade.listBought()).toEqual(['drums of 5001']);
  });

  it('is delivered once by a thousand redeliveries', async () => {
    const { send, again, entry, mailAll, listBought, listMailed } = await openTrade();
    const id = await send();
    await mailAll();
    for (let time = 0; time < 500; time += 1) await Promise.all([again(id), send()]);
    await mailAll();
    expect(await entry(id)).toMatchObject({ status: 'success', note: 'Already delivered.' });
    expect([await listBought(), listMailed()]).toEqual([['pads of 5001'], [['Pads']]]);
  });

  it('that comes line by line becomes a purchase for each, with every link mailed', async () => {
    const { send, entry, mailAll, listBought, mails } = await openTrade();
    const ids = [await send(lines('pads')), await send(lines('keys'))];
    await mailAll();
    expect(await listBought()).toEqual(['keys of 5001', 'pads of 5001']);
    const links = mails.flatMap(({ items }) => items.map(({ downloadUrl }) => downloadUrl));
    expect([mails.length, new Set(links).size]).toEqual([2, 2]);
    expect(await Promise.all(ids.map(async (id) => (await entry(id))?.status))).toEqual([
      'success',
      'success',
    ]);
  });

  it('of one shop is not that of another, though both count from 1', async () => {
    const { send, mailAll, listBought, listMailed } = await openTrade();
    await send({ orderId: '727' });
    await send({ orderId: '727', connectionId: 'another shop' });
    await mailAll();
    expect(await listBought()).toEqual(['pads of 727', 'pads of 727']);
    expect(listMailed()).toHaveLength(2);
  });
});

function emailKindOf(job: Job): string {
  return job.kind === 'send-email' ? job.emailKind : job.kind;
}
