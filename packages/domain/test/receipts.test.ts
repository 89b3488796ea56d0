import type { EmailMessage, MailAnswer, ReceiptMail } from '@handover/domain';
import { fulfilOrder, sendEmail } from '@handover/domain';
import { createFakeComposing, makeOrder, recordOrder, sendsEmail } from '@handover/testkit';
import { describe, expect, it } from 'vitest';
import { openShopInMemory } from './open-shop-in-memory.ts';

const HOUR = 60 * 60 * 1000;

async function soldOrder(answer: () => MailAnswer) {
  const ports = await openShopInMemory();
  const { shop, stores } = ports;
  const order = makeOrder(shop);
  const { id } = await recordOrder(ports, order);
  const plan = await fulfilOrder({ ...ports, fulfilment: stores.fulfilment }, order, { id, attempts: 0 });
  const mails: ReceiptMail[] = [];
  const mailer = {
    send: async (mail: EmailMessage) => {
      if (mail.kind === 'receipt') mails.push(mail);
      return answer();
    },
  };
  const send = () =>
    sendEmail(
      { ...createFakeComposing(), ...ports, outgoingEmails: stores.outgoingEmails, mailer },
      { orgId: shop.orgId, emailId: plan.receipt?.id ?? '' },
    );
  const delivery = () => stores.deliveries.find(shop.orgId, id);
  return { ...ports, plan, mails, send, delivery };
}

const accepted = { kind: 'accepted', answer: '250 OK' } as const;
const busy = { kind: 'try-again', answer: '451 busy' } as const;

describe('a receipt', () => {
  it('is mailed once with the link, however often it is asked for', async () => {
    const { send, mails, delivery, plan } = await soldOrder(() => accepted);
    expect(await send()).toMatchObject({ kind: 'answered', answer: accepted, end: 'completed' });
    expect(await send()).toEqual({ kind: 'not-pending' });
    expect(mails).toMatchObject([
      { to: { email: 'ana@example.com' }, orderNumber: '#1001', items: [{ productName: 'Pads' }] },
    ]);
    expect(mails[0]?.organisation).toEqual({
      name: 'Lumen Audio',
      replyTo: expect.stringMatching(/@example\.com$/),
    });
    expect(mails[0]?.items[0]?.downloadUrl).toContain(plan.links[0]?.id);
    expect(await delivery()).toMatchObject({ status: 'success' });
  });

  it('refused by the mail server is an error at once, in the server’s words', async () => {
    const { send, delivery } = await soldOrder(() => ({ kind: 'refused', answer: '550 no such box' }));
    await send();
    expect(await delivery()).toMatchObject({
      status: 'error',
      reason: 'The mail server refused the receipt: “550 no such box”',
    });
  });

  it('that the mail server does not take is tried again with growing pauses, and given up after three days', async () => {
    const { send, delivery, stores, clock } = await soldOrder(() => busy);
    const began = clock.now().getTime();
    const pauses: number[] = [];
    while ((await delivery())?.status === 'pending') {
      // As the worker that claims it does.
      for (const job of await stores.queuedJobs()) stores.finishJob(job);
      expect(await send()).toMatchObject({ kind: 'answered', answer: busy, end: 'completed' });
      const jobs = (await stores.queuedJobs()).filter(sendsEmail('receipt'));
      const next = jobs.at(-1)?.startAfter.getTime() ?? 0;
      if (next <= clock.now().getTime()) break;
      pauses.push(next - clock.now().getTime());
      clock.advance(next - clock.now().getTime());
    }
    expect(pauses[0]).toBe(5000);
    expect(pauses).toEqual([...pauses].sort((a, b) => a - b));
    expect(Math.max(...pauses)).toBe(HOUR);
    expect(clock.now().getTime() - began).toBeGreaterThan(70 * HOUR);
    expect(clock.now().getTime() - began).toBeLessThanOrEqual(72 * HOUR);
    expect(await delivery()).toMatchObject({
      status: 'error',
      reason: 'The receipt could not be mailed for three days. The last answer: “451 busy”',
    });
  });

  it('shows the last answer while it waits', async () => {
    const { send, delivery } = await soldOrder(() => busy);
    await send();
    expect(await delivery()).toMatchObject({
      status: 'pending',
      reason: 'The mail server did not take the receipt: “451 busy” It is tried again automatically.',
    });
  });
});
