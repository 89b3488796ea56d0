import { createProduct, resendReceipt, restorePurchase, revokePurchase, sendEmail } from '@handover/domain';
import { sampleOrder } from '@handover/platform-storefront-a/testing';
import { BY_JANA, createFakeComposing, makeLine, publishProduct } from '@handover/testkit';
import { expect, test } from 'vitest';
import { takePicture, useBrowser } from '../../../test/browser.ts';
import { expectAccessible } from '../../../test/every-view.ts';
import { runAxe } from '../../../test/run-axe.ts';
import { sendBody } from './fill-log.ts';
import { openDashboard } from './open-dashboard.ts';
import { hurry, openInBrowser } from './open-in-browser.ts';
import { completeReceipt, deliverOrder, download, sellByHand, sendUnmatched } from './sell-purchases.ts';

const browser = useBrowser();

async function open(options: Parameters<typeof openInBrowser>[2] = {}) {
  const dashboard = await openDashboard();
  return { ...dashboard, ...(await openInBrowser(dashboard, browser, options)) };
}

type Opened = Awaited<ReturnType<typeof open>>;

const BUYERS = ['Ana Lima', 'Jo Reed', 'Øyvind Åsen', 'Maximiliane von Hohenstaufen-Wittelsbach'];

/** Five hundred purchases, in every state that a list can show. */
async function fill(opened: Opened) {
  for (let number = 1; number <= 500; number += 1) {
    opened.clock.advance(61_000);
    const name = BUYERS[number % BUYERS.length] ?? '';
    const customer = { name, email: `${name.split(' ')[0]?.toLowerCase()}@example.com` };
    const order = { orderId: `${number}`, orderNumber: `#${1000 + number}`, customer };
    const { purchaseId, linkId, receiptId } = await deliverOrder(opened, order);
    if (number % 5 !== 0)
      await completeReceipt(opened, receiptId, number % 7 === 0 ? 'refused' : 'sent', '550 no');
    if (number % 3 === 0) await download(opened, linkId, 5, true);
    if (number % 11 === 0) await revokePurchase(opened.ports, opened.shop.orgId, purchaseId, BY_JANA);
  }
}

/** Every state of the part's pages: how it comes about, and where it is seen. */
const STATES: Readonly<Record<string, (opened: Opened) => Promise<string>>> = {
  'purchases-empty': async () => '/dashboard/purchases',
  'purchases-full': async (opened) => {
    await fill(opened);
    await sendUnmatched(opened, 'TAPE-LOOPS', '9001');
    await sendUnmatched(opened, 'NOCTURNE-STRINGS-2', '9002');
    return '/dashboard/purchases';
  },
  'purchases-no-match': async (opened) => {
    await deliverOrder(opened);
    await sellByHand(opened, 'Jo Reed', 'jo@example.org');
    return '/dashboard/purchases?q=ana.lma@';
  },
  'purchase-whole': async (opened) => {
    const { linkId, receiptId, purchaseId } = await deliverOrder(opened, { orderNumber: '#1186' });
    opened.clock.advance(1400);
    await completeReceipt(opened, receiptId, 'sent', '250 2.0.0 OK, queued');
    opened.clock.advance(400_000);
    await download(opened, linkId, 2, false);
    opened.clock.advance(7_200_000);
    await download(opened, linkId, 5, true);
    return `/dashboard/purchases/${purchaseId}`;
  },
  'purchase-waiting': async (opened) => `/dashboard/purchases/${(await deliverOrder(opened)).purchaseId}`,
  'purchase-trouble': async (opened) => {
    const { receiptId, purchaseId, linkId } = await deliverOrder(opened);
    await completeReceipt(opened, receiptId, 'refused', '550 5.1.1 <ana@example.com>: no such mailbox here');
    await download(opened, linkId, 2, false);
    opened.clock.advance(600_000);
    return `/dashboard/purchases/${purchaseId}`;
  },
  'purchase-revoked': async (opened) => {
    const purchaseId = await sellByHand(opened, 'Jo Reed', 'jo@example.org');
    await revokePurchase(opened.ports, opened.shop.orgId, purchaseId, BY_JANA);
    return `/dashboard/purchases/${purchaseId}`;
  },
  'purchase-refunded': async (opened) => {
    const { purchaseId } = await deliverOrder(opened, { orderId: '5001', orderNumber: '#1186' });
    await sendBody(opened, sampleOrder({ id: '5001', financial_status: 'refunded' }));
    return `/dashboard/purchases/${purchaseId}`;
  },
  'purchases-refunded': async (opened) => {
    await deliverOrder(opened, { orderId: '5001', orderNumber: '#1186' });
    await deliverOrder(opened, { orderId: '5002', orderNumber: '#1187' });
    await sendBody(opened, sampleOrder({ id: '5001', financial_status: 'refunded' }));
    return '/dashboard/purchases?from=2026-03-01';
  },
  'purchase-left-out': async (opened) => {
    const { ports, shop } = opened;
    await publishProduct({ ...ports, stores: opened.stores }, shop.orgId, 'Keys');
    const { receiptId, purchaseId } = await deliverOrder(opened, {
      lines: [makeLine('PADS'), makeLine('KEYS')],
    });
    await revokePurchase(ports, shop.orgId, purchaseId, BY_JANA);
    const mailer = { send: async () => ({ kind: 'accepted', answer: '250 OK' }) as const };
    await sendEmail(
      { ...createFakeComposing(), ...ports, mailer },
      { orgId: shop.orgId, emailId: receiptId },
    );
    opened.clock.advance(600_000);
    await restorePurchase(ports, shop.orgId, purchaseId, BY_JANA);
    return `/dashboard/purchases/${purchaseId}`;
  },
  'purchase-e-mail': async (opened) => {
    const { receiptId, purchaseId } = await deliverOrder(opened, { orderNumber: '#1186' });
    await completeReceipt(opened, receiptId, 'sent', '250 2.0.0 OK, queued');
    return `/dashboard/purchases/${purchaseId}/e-mail`;
  },
  'purchase-resend': async (opened) =>
    `/dashboard/purchases/${(await deliverOrder(opened)).purchaseId}/resend`,
  'purchase-replaced': async (opened) => {
    const { receiptId, purchaseId, linkId } = await deliverOrder(opened);
    await completeReceipt(opened, receiptId, 'sent', '250 2.0.0 OK, queued');
    await download(opened, linkId, 5, false);
    opened.clock.advance(600_000);
    const seen = { id: receiptId, status: 'sent' } as const;
    const { orgId } = opened.shop;
    await resendReceipt(opened.ports, orgId, purchaseId, { by: BY_JANA, seen, replacesLinks: true });
    return `/dashboard/purchases/${purchaseId}`;
  },
  'purchase-replace': async (opened) =>
    `/dashboard/purchases/${(await deliverOrder(opened)).purchaseId}/resend?replace=yes`,
  'purchase-address': async (opened) =>
    `/dashboard/purchases/${(await deliverOrder(opened)).purchaseId}/address`,
  'purchase-record': async () => '/dashboard/purchases/record',
  unmatched: async (opened) => {
    await sendUnmatched(opened, 'TAPE-LOOPS', '1');
    await sendUnmatched(opened, 'tape-loops', '2');
    await sendUnmatched(opened, 'NOCTURNE-STRINGS-2', '3');
    return '/dashboard/purchases/unmatched';
  },
  'unmatched-none': async () => '/dashboard/purchases/unmatched',
  'unmatched-map': async (opened) => {
    await createProduct(opened.ports, opened.shop.orgId, { name: 'Tape Loops', slug: 'tape' });
    await sendUnmatched(opened, 'TAPE-LOOPS', '1');
    return '/dashboard/purchases/unmatched/map?sku=tape-loops';
  },
};

test.each(Object.entries(STATES))('%s is accessible', async (name, bringAbout) => {
  const opened = await open();
  await opened.go(await bringAbout(opened));
  await expectAccessible(opened.page, name);
});

test('a sale is recorded without a script, and problems appear beside their fields', async () => {
  const opened = await open({ javaScriptEnabled: false });
  await opened.go('/dashboard/purchases');
  await opened.page.getByRole('link', { name: 'Record a sale' }).click();
  await opened.page.getByLabel('Buyer’s e-mail address').fill('jo@example.org');
  await opened.page.getByLabel('Buyer’s name').fill('Jo Reed');
  await opened.page.getByLabel('Amount').fill('1,250');
  await opened.page.getByLabel('Payment method').fill('cash');
  await opened.page.getByRole('button', { name: 'Record the sale' }).click();
  await opened.page.getByText('It must have at most 2 digits after the point in EUR: 49.00.').waitFor();
  await takePicture(opened.page, 'purchase-record-problem');
  await opened.page.getByLabel('Amount').fill('49,00');
  await opened.page.getByRole('button', { name: 'Record the sale' }).click();
  await opened.page.getByRole('heading', { level: 1, name: 'Pads for Jo Reed' }).waitFor();
});

test('a purchase is revoked by keyboard after a confirmation, and restored', async () => {
  const opened = await open();
  const { purchaseId } = await deliverOrder(opened);
  await opened.go(`/dashboard/purchases/${purchaseId}`);
  await opened.page.getByRole('button', { name: 'Revoke' }).first().focus();
  await opened.page.keyboard.press('Enter');
  const dialog = opened.page.getByRole('dialog', { name: 'Revoke this purchase?' });
  await dialog.getByRole('heading', { name: 'Revoke this purchase?' }).waitFor();
  expect(await runAxe(opened.page)).toEqual([]);
  await takePicture(opened.page, 'purchase-revoke-dialog');
  await dialog.getByRole('button', { name: 'Revoke the purchase' }).focus();
  await opened.page.keyboard.press('Enter');
  await opened.page.getByRole('button', { name: 'Restore' }).click();
  await opened.page.getByRole('button', { name: 'Revoke' }).first().waitFor();
});

test('the page of a purchase follows its receipt without a reload, and then rests', async () => {
  const opened = await open();
  const { purchaseId, receiptId } = await deliverOrder(opened);
  await hurry(opened.page);
  await opened.go(`/dashboard/purchases/${purchaseId}`);
  await opened.page.evaluate(`window.isTheSamePage = true`);
  await opened.page.getByText('Receipt pending').first().waitFor();
  await completeReceipt(opened, receiptId, 'refused', '550 5.1.1 no such mailbox');
  await opened.page.getByText('Receipt refused').first().waitFor();
  await opened.page.locator('#purchase-now-final').waitFor();
  expect(await opened.page.evaluate('window.isTheSamePage')).toBe(true);
  expect(await opened.page.locator('[data-purchase-now][hx-trigger]').count()).toBe(0);
});

test('a dialog stays open while the page behind it follows its receipt', async () => {
  const opened = await open();
  const { purchaseId, receiptId } = await deliverOrder(opened);
  await hurry(opened.page);
  await opened.go(`/dashboard/purchases/${purchaseId}`);
  const dialog = opened.page.getByRole('dialog', { name: 'Revoke this purchase?' });
  await opened.page.getByRole('button', { name: 'Revoke purchase of Ana Lima' }).click();
  await completeReceipt(opened, receiptId, 'sent', '250 OK');
  // Three polls are due.
  await opened.page.evaluate(`new Promise((done) => {
    let due = 0;
    document.addEventListener('htmx:before:request', () => (due += 1) === 3 && setTimeout(done, 1000));
  })`);
  expect(await dialog.getByRole('heading', { name: 'Revoke this purchase?' }).isVisible()).toBe(true);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await opened.page.getByText('The mail server answered “250 OK”.').waitFor();
});

test('a dialog stays open that is opened while the refresh behind it arrives', async () => {
  const opened = await open();
  const { purchaseId, receiptId } = await deliverOrder(opened);
  await hurry(opened.page);
  // Its first bytes have come, and the others come when the test says so.
  await opened.page.addInitScript(`window.arriving = new Promise((begun) => {
    const { text } = Response.prototype;
    Response.prototype.text = async function () {
      await new Promise((resume) => { window.resume = resume; begun(); });
      return text.call(this);
    };
  });
  window.ended = new Promise((end) => document.addEventListener('htmx:finally:request', end, { once: true }));`);
  await opened.go(`/dashboard/purchases/${purchaseId}`);
  await completeReceipt(opened, receiptId, 'sent', '250 OK');
  await opened.page.evaluate('window.arriving');
  await opened.page.getByRole('button', { name: 'Revoke purchase of Ana Lima' }).click();
  const heading = opened.page.getByRole('heading', { name: 'Revoke this purchase?' });
  await heading.waitFor();
  await opened.page.evaluate('window.resume(), window.ended.then(() => {})');
  expect(await heading.isVisible()).toBe(true);
});

test('the earlier links stay open while the page follows a receipt, and when it arrives', async () => {
  const opened = await open();
  const { purchaseId, receiptId } = await deliverOrder(opened);
  await completeReceipt(opened, receiptId, 'sent', '250 OK');
  opened.clock.advance(60_000);
  const seen = { id: receiptId, status: 'sent' } as const;
  await resendReceipt(opened.ports, opened.shop.orgId, purchaseId, { by: BY_JANA, seen });
  await hurry(opened.page);
  await opened.go(`/dashboard/purchases/${purchaseId}`);
  const link = opened.page.locator('.earlier-links').getByText('Made 1 min ago');
  await opened.page.getByText('1 earlier link').click();
  await link.waitFor();
  opened.clock.advance(60_000);
  // A poll has come.
  await opened.page.locator('.earlier-links').getByText('Made 2 min ago').waitFor();
  const resent = await opened.ports.purchases.show(opened.shop.orgId, purchaseId);
  await completeReceipt(opened, resent?.receipt?.id ?? '', 'sent', '250 Queued');
  await opened.page.getByText('The mail server answered “250 Queued”.').waitFor();
  await opened.page.locator('.earlier-links').getByText('Made 2 min ago').waitFor();
});

test('the e-mail of a purchase is seen in its frame, with its own styles and no way out', async () => {
  const opened = await open();
  const { purchaseId } = await deliverOrder(opened);
  await opened.go(`/dashboard/purchases/${purchaseId}`);
  await opened.page.getByRole('link', { name: 'See the e-mail' }).click();
  const mail = opened.page.frameLocator('iframe');
  await mail.getByText('Pads').first().waitFor();
  const frame = opened.page.frames().find((one) => one.url().endsWith('/e-mail/html'));
  const colour = await frame?.evaluate(`getComputedStyle(document.querySelector('p a')).color`);
  expect(colour).toBe('rgb(39, 89, 214)');
  expect(await mail.getByRole('link').count()).toBe(0);
});

test('an unmatched SKU is mapped, starting at the chip', async () => {
  const opened = await open();
  await sendUnmatched(opened, 'TAPE-LOOPS', '1');
  await opened.go('/dashboard/purchases');
  await opened.page.getByRole('link', { name: '1 unmatched SKU' }).click();
  await opened.page.getByRole('link', { name: 'TAPE-LOOPS' }).click();
  await opened.page.getByLabel('Product').selectOption({ label: 'Pads' });
  await opened.page.getByRole('button', { name: 'Map and deliver 1 order' }).click();
  await opened.page.getByRole('heading', { name: 'Every SKU is matched' }).waitFor();
});
