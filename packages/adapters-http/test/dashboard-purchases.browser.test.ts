import { createProduct } from '@handover/domain';
import { BY_JANA } from '@handover/domain/testing';
import { expect, test } from 'vitest';
import { runAxe, takePicture, useBrowser } from '../../../test/browser.ts';
import { expectAccessible } from '../../../test/every-view.ts';
import { openDashboard } from './open-dashboard.ts';
import { openInBrowser } from './open-in-browser.ts';
import { completeReceipt, deliverOrder, download, sellByHand, sendUnmatched } from './sell-purchases.ts';

const browser = useBrowser();

async function open(options: Parameters<typeof openInBrowser>[2] = {}) {
  const it = await openDashboard();
  return { ...it, ...(await openInBrowser(it, browser, options)) };
}

type Opened = Awaited<ReturnType<typeof open>>;

const BUYERS = ['Ana Lima', 'Jo Reed', 'Øyvind Åsen', 'Maximiliane von Hohenstaufen-Wittelsbach'];

/** Five hundred purchases, in every state that a list can show. */
async function fill(it: Opened) {
  for (let number = 1; number <= 500; number += 1) {
    it.clock.advance(61_000);
    const name = BUYERS[number % BUYERS.length] ?? '';
    const customer = { name, email: `${name.split(' ')[0]?.toLowerCase()}@example.com` };
    const order = { orderId: `${number}`, orderNumber: `#${1000 + number}`, customer };
    const { purchaseId, linkId, receiptId } = await deliverOrder(it, order);
    if (number % 5 !== 0)
      await completeReceipt(it, receiptId, number % 7 === 0 ? 'refused' : 'sent', '550 no');
    if (number % 3 === 0) await download(it, linkId, 5, true);
    if (number % 11 === 0) {
      const at = it.clock.now();
      const entry = { id: it.ports.ids.next(), at, kind: 'link-revoked', subjectId: purchaseId } as const;
      await it.ports.purchases.revoke(it.shop.orgId, purchaseId, {
        ...entry,
        ...BY_JANA,
        summary: 'Revoked.',
      });
    }
  }
}

/** Every state of the part's pages: how it comes about, and where it is seen. */
const STATES: Readonly<Record<string, (it: Opened) => Promise<string>>> = {
  'purchases-empty': async () => '/dashboard/purchases',
  'purchases-full': async (it) => {
    await fill(it);
    await sendUnmatched(it, 'TAPE-LOOPS', '9001');
    await sendUnmatched(it, 'NOCTURNE-STRINGS-2', '9002');
    return '/dashboard/purchases';
  },
  'purchases-no-match': async (it) => {
    await deliverOrder(it);
    await sellByHand(it, 'Jo Reed', 'jo@example.org');
    return '/dashboard/purchases?q=ana.lma@';
  },
  'purchase-whole': async (it) => {
    const { linkId, receiptId, purchaseId } = await deliverOrder(it, { orderNumber: '#1186' });
    it.clock.advance(1400);
    await completeReceipt(it, receiptId, 'sent', '250 2.0.0 OK, queued');
    it.clock.advance(400_000);
    await download(it, linkId, 2, false);
    it.clock.advance(7_200_000);
    await download(it, linkId, 5, true);
    return `/dashboard/purchases/${purchaseId}`;
  },
  'purchase-waiting': async (it) => `/dashboard/purchases/${(await deliverOrder(it)).purchaseId}`,
  'purchase-trouble': async (it) => {
    const { receiptId, purchaseId, linkId } = await deliverOrder(it);
    await completeReceipt(it, receiptId, 'refused', '550 5.1.1 <ana@example.com>: no such mailbox here');
    await download(it, linkId, 2, false);
    it.clock.advance(600_000);
    return `/dashboard/purchases/${purchaseId}`;
  },
  'purchase-revoked': async (it) => {
    const purchaseId = await sellByHand(it, 'Jo Reed', 'jo@example.org');
    const entry = { id: it.ports.ids.next(), at: it.clock.now(), subjectId: purchaseId } as const;
    const action = { ...entry, kind: 'link-revoked', summary: 'Revoked.', ...BY_JANA } as const;
    await it.ports.purchases.revoke(it.shop.orgId, purchaseId, action);
    return `/dashboard/purchases/${purchaseId}`;
  },
  'purchase-resend': async (it) => `/dashboard/purchases/${(await deliverOrder(it)).purchaseId}/resend`,
  'purchase-address': async (it) => `/dashboard/purchases/${(await deliverOrder(it)).purchaseId}/address`,
  'purchase-record': async () => '/dashboard/purchases/record',
  unmatched: async (it) => {
    await sendUnmatched(it, 'TAPE-LOOPS', '1');
    await sendUnmatched(it, 'tape-loops', '2');
    await sendUnmatched(it, 'NOCTURNE-STRINGS-2', '3');
    return '/dashboard/purchases/unmatched';
  },
  'unmatched-none': async () => '/dashboard/purchases/unmatched',
  'unmatched-map': async (it) => {
    await createProduct(it.ports, it.shop.orgId, { name: 'Tape Loops', slug: 'tape' });
    await sendUnmatched(it, 'TAPE-LOOPS', '1');
    return '/dashboard/purchases/unmatched/map?sku=tape-loops';
  },
};

test.each(Object.entries(STATES))('%s bars nobody', async (name, bringAbout) => {
  const it = await open();
  await it.go(await bringAbout(it));
  await expectAccessible(it.page, name);
});

test('a sale is recorded without a script, and what is wrong stands at its field', async () => {
  const it = await open({ javaScriptEnabled: false });
  await it.go('/dashboard/purchases');
  await it.page.getByRole('link', { name: 'Record a sale' }).click();
  await it.page.getByLabel('Buyer’s e-mail address').fill('jo@example.org');
  await it.page.getByLabel('Buyer’s name').fill('Jo Reed');
  await it.page.getByLabel('Amount').fill('1,250');
  await it.page.getByLabel('Payment method').fill('cash');
  await it.page.getByRole('button', { name: 'Record the sale' }).click();
  await it.page.getByText('It must have at most 2 digits after the point in EUR: 49.00.').waitFor();
  await takePicture(it.page, 'purchase-record-problem');
  await it.page.getByLabel('Amount').fill('49,00');
  await it.page.getByRole('button', { name: 'Record the sale' }).click();
  await it.page.getByRole('heading', { level: 1, name: 'Pads for Jo Reed' }).waitFor();
});

test('a purchase is revoked by keyboard, once the loss was named, and restored', async () => {
  const it = await open();
  const { purchaseId } = await deliverOrder(it);
  await it.go(`/dashboard/purchases/${purchaseId}`);
  await it.page.getByRole('button', { name: 'Revoke' }).first().focus();
  await it.page.keyboard.press('Enter');
  const dialog = it.page.getByRole('dialog', { name: 'Revoke this purchase?' });
  await dialog.getByRole('heading', { name: 'Revoke this purchase?' }).waitFor();
  expect(await runAxe(it.page)).toEqual([]);
  await takePicture(it.page, 'purchase-revoke-dialog');
  await dialog.getByRole('button', { name: 'Revoke the purchase' }).focus();
  await it.page.keyboard.press('Enter');
  await it.page.getByRole('button', { name: 'Restore' }).click();
  await it.page.getByRole('button', { name: 'Revoke' }).first().waitFor();
});

test('an unmatched SKU is mapped from the chip on', async () => {
  const it = await open();
  await sendUnmatched(it, 'TAPE-LOOPS', '1');
  await it.go('/dashboard/purchases');
  await it.page.getByRole('link', { name: '1 unmatched SKU' }).click();
  await it.page.getByRole('link', { name: 'TAPE-LOOPS' }).click();
  await it.page.getByLabel('Product').selectOption({ label: 'Pads' });
  await it.page.getByRole('button', { name: 'Map and deliver 1 order' }).click();
  await it.page.getByRole('heading', { name: 'Every SKU is matched' }).waitFor();
});
