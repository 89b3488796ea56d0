import type { MailAnswer } from '@handover/domain';
import { fulfilOrder, recordSale, resendReceipt, revokeLink, sendEmail } from '@handover/domain';
import {
  BY_JANA,
  createFakeComposing,
  makeLine,
  makeOrder,
  publishProduct,
  recordOrder,
} from '@handover/testkit';
import { describe, expect, it } from 'vitest';
import { openShopInMemory } from './open-shop-in-memory.ts';

const EMAIL = 'ana@example.com';

/** An order of two products, whose receipt the mail server has answered so. */
async function openSold(answer: MailAnswer = { kind: 'accepted', answer: '250 OK' }) {
  const ports = await openShopInMemory();
  const { shop, stores } = ports;
  await publishProduct(ports, shop.orgId, 'Keys');
  const order = makeOrder(shop, { lines: [makeLine('pads'), makeLine('keys')] });
  const { id } = await recordOrder(ports, order);
  const plan = await fulfilOrder({ ...ports, fulfilment: stores.fulfilment }, order, { id, attempts: 0 });
  const receiptId = plan.receipt?.id ?? '';
  const mailer = { send: async () => answer };
  const sending = { ...createFakeComposing(), ...ports, ...stores, mailer };
  await sendEmail(sending, { orgId: shop.orgId, emailId: receiptId });
  const [{ id: purchaseId } = { id: '' }] = plan.purchases;
  const find = async () => (await stores.mailings.find(shop.orgId, purchaseId))?.receipt ?? null;
  const resend = async (mailings = stores.mailings, seen?: Awaited<ReturnType<typeof find>>) =>
    resendReceipt({ ...ports, mailings }, shop.orgId, purchaseId, {
      by: BY_JANA,
      seen: seen === undefined ? await find() : seen,
    });
  const summaries = async () =>
    (await stores.activity.list(shop.orgId, { subjectId: purchaseId, before: null, limit: 9 })).map(
      ({ summary, actor }) => `${actor}: ${summary}`,
    );
  return { ...ports, plan, purchaseId, resend, summaries };
}

describe('a receipt that somebody sends again', () => {
  it('is noted in the activity log of its purchase', async () => {
    const sent = await openSold();
    expect(await sent.resend()).toEqual({ kind: 'queued', email: EMAIL, isRetriedNow: false });
    expect(await sent.summaries()).toContain(
      `jana@example.com: The receipt is sent to ${EMAIL} again. The one before was accepted: “250 OK”.`,
    );
    const pending = await openSold({ kind: 'try-again', answer: '451' });
    expect(await pending.resend()).toEqual({ kind: 'queued', email: EMAIL, isRetriedNow: true });
    expect(await pending.summaries()).toContain(
      `jana@example.com: The receipt to ${EMAIL} is tried again at once.`,
    );
  });

  it('is not sent while its purchase is revoked, and is while only another one is', async () => {
    const { plan, shop, resend, ...ports } = await openSold();
    await revokeLink(ports, shop.orgId, plan.links[1]?.id ?? '', BY_JANA);
    expect(await resend()).toMatchObject({ kind: 'queued' });
    await revokeLink(ports, shop.orgId, plan.links[0]?.id ?? '', BY_JANA);
    expect(await resend()).toEqual({ kind: 'revoked' });
  });

  it('is done before where the caller has seen none, and there is one by now', async () => {
    const { stores, resend } = await openSold();
    expect(await resend(stores.mailings, null)).toEqual({
      kind: 'done-before',
      email: EMAIL,
      status: 'sent',
    });
  });

  it('is on its way already where it is due', async () => {
    const { resend } = await openSold({ kind: 'try-again', answer: '451' });
    await resend();
    expect(await resend()).toEqual({ kind: 'done-before', email: EMAIL, status: 'pending' });
  });

  it('is sent though somebody else changed the mail at the same moment', async () => {
    const { stores, resend } = await openSold();
    let changes = 1;
    const mailings = {
      ...stores.mailings,
      renew: async (...of: Parameters<typeof stores.mailings.renew>) => {
        changes -= 1;
        return changes >= 0 ? ('changed-meanwhile' as const) : stores.mailings.renew(...of);
      },
    };
    expect(await resend(mailings)).toMatchObject({ kind: 'queued' });
  });

  it('is given up, in an error that says so, where its facts never stand still', async () => {
    const { stores, resend } = await openSold();
    const mailings = { ...stores.mailings, renew: async () => 'changed-meanwhile' as const };
    await expect(resend(mailings)).rejects.toMatchObject({
      code: 'contended',
      message: 'The receipt could not be sent again: it kept changing.',
    });
  });

  it('is the first one of a sale that was recorded without', async () => {
    const { shop, ...ports } = await openShopInMemory();
    const form = {
      customerId: 'new',
      newCustomer: { name: 'Ana Lima', email: EMAIL },
      productId: shop.product.id,
      amount: '49.00',
      currency: 'EUR',
      paymentMethod: 'custom',
      sendEmail: false,
    };
    const origin = { orgId: shop.orgId, source: 'dashboard', idempotencyKey: null, by: BY_JANA } as const;
    const sale = await recordSale(ports, origin, form);
    const purchaseId = sale.kind === 'recorded' ? sale.purchaseId : '';
    const resent = await resendReceipt(ports, shop.orgId, purchaseId, { by: BY_JANA, seen: null });
    expect(resent).toEqual({ kind: 'queued', email: EMAIL, isRetriedNow: false });
  });
});
