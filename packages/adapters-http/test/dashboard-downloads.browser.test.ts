import { correctAddress, revokePurchase } from '@handover/domain';
import { BY_JANA } from '@handover/testkit';
import { expect, test } from 'vitest';
import { takePicture, useBrowser } from '../../../test/browser.ts';
import { expectAccessible } from '../../../test/every-view.ts';
import { runAxe } from '../../../test/run-axe.ts';
import { openDashboard } from './open-dashboard.ts';
import { openInBrowser } from './open-in-browser.ts';
import { deliverOrder, download } from './sell-purchases.ts';

const browser = useBrowser();

async function open(role: 'owner' | 'member' = 'member') {
  const dashboard = await openDashboard();
  return { ...dashboard, ...(await openInBrowser(dashboard, browser, { role })) };
}

type Opened = Awaited<ReturnType<typeof open>>;

const BUYERS = ['Ana Lima', 'Jo Reed', 'Øyvind Åsen', 'Maximiliane von Hohenstaufen-Wittelsbach'];

/** A list in every state, longer than a page; the last goes on just now. */
async function fill(opened: Opened) {
  const { orgId } = opened.shop;
  for (let number = 1; number <= 60; number += 1) {
    opened.clock.advance(61_000);
    const name = BUYERS[number % BUYERS.length] ?? '';
    const email = `${name.split(' ')[0]?.toLowerCase()}@example.com`;
    const { linkId, purchaseId } = await deliverOrder(opened, {
      orderId: `${number}`,
      customer: { name, email },
    });
    await download(opened, linkId, number % 4 === 0 ? 3 : 5, number % 3 === 0);
    if (number % 10 !== 9) continue;
    await revokePurchase(opened.ports, orgId, purchaseId, BY_JANA);
  }
  const { linkId } = await deliverOrder(opened, { orderId: 'large' });
  return sendPart(opened, linkId);
}

/** Two files of which much is missing still. */
async function sendPart({ ports, shop, clock }: Opened, linkId: string): Promise<string> {
  const request = {
    sessionId: ports.ids.next(),
    joining: null,
    client: 'companion',
    at: clock.now(),
  } as const;
  const sessionId = (await ports.sessions.begin(shop.orgId, linkId, request)) ?? '';
  clock.advance(9000);
  for (const [name, size, end] of [
    ['felt-piano-kontakt-library-part-1.zip', 3_100_000_000, 3_100_000_000],
    ['felt-piano-kontakt-library-part-2.zip', 2_900_000_000, 1_240_000_000],
  ] as const) {
    const sent = { version: '1.0', name, size, ranges: [{ start: 0, end }] };
    await ports.sessions.addSent(shop.orgId, sessionId, sent, clock.now());
  }
  return sessionId;
}

/** Every state of the part's pages: how it comes about, and where it is seen. */
const STATES: Readonly<Record<string, (opened: Opened) => Promise<string>>> = {
  'downloads-empty': async () => '/dashboard/downloads',
  'downloads-full': async (opened) => {
    await fill(opened);
    return '/dashboard/downloads';
  },
  'downloads-no-match': async () => '/dashboard/downloads?q=ana.lma%40',
  'download-running': async (opened) => {
    const { linkId } = await deliverOrder(opened);
    return `/dashboard/downloads/${await sendPart(opened, linkId)}`;
  },
  'download-revoked': async (opened) => {
    const { linkId, purchaseId } = await deliverOrder(opened);
    const sessionId = await sendPart(opened, linkId);
    opened.clock.advance(600_000);
    await revokePurchase(opened.ports, opened.shop.orgId, purchaseId, BY_JANA);
    return `/dashboard/downloads/${sessionId}`;
  },
  'downloads-corrected': async (opened) => {
    await downloadBeforeCorrection(opened);
    return '/dashboard/downloads';
  },
  'download-corrected': async (opened) => `/dashboard/downloads/${await downloadBeforeCorrection(opened)}`,
};

async function downloadBeforeCorrection(opened: Opened): Promise<string> {
  const email = 'maximiliane.hohenstaufen@exmaple.com';
  const customer = { name: 'Maximiliane von Hohenstaufen', email };
  const { linkId, purchaseId } = await deliverOrder(opened, { customer });
  const sessionId = await sendPart(opened, linkId);
  opened.clock.advance(600_000);
  const right = 'maximiliane.hohenstaufen@example.com';
  const change = { by: BY_JANA, seen: email };
  await correctAddress(opened.ports, opened.shop.orgId, purchaseId, right, change);
  return sessionId;
}

test.each(Object.keys(STATES))('%s is accessible', async (name) => {
  const opened = await open();
  await opened.go((await STATES[name]?.(opened)) ?? '');
  await expectAccessible(opened.page, name);
});

test('a member watches a download without reloading the page, and revokes its links', async () => {
  const opened = await open();
  const { linkId } = await deliverOrder(opened);
  const sessionId = await sendPart(opened, linkId);
  await opened.go('/dashboard/downloads');
  await opened.page.getByText('72 %').waitFor();
  const ranges = [{ start: 0, end: 2_900_000_000 }];
  const sent = { version: '1.0', name: 'felt-piano-kontakt-library-part-2.zip', size: 2_900_000_000, ranges };
  await opened.ports.sessions.addSent(opened.shop.orgId, sessionId, sent, opened.clock.now());
  await opened.page.getByText('Sent whole').last().waitFor();
  await opened.page.getByRole('link', { name: 'Ana Lima' }).click();
  await opened.page.getByRole('heading', { level: 1, name: 'Pads for Ana Lima' }).waitFor();
  await opened.page.getByRole('button', { name: 'Revoke' }).click();
  const dialog = opened.page.getByRole('dialog', { name: 'Revoke this purchase?' });
  await dialog.getByText('can get no new one until you restore it').waitFor();
  expect(await runAxe(opened.page)).toEqual([]);
  await takePicture(opened.page, 'download-revoke');
  await dialog.getByRole('button', { name: 'Revoke the purchase' }).click();
  await opened.page.getByRole('button', { name: 'Restore' }).click();
  await opened.page.getByRole('button', { name: 'Revoke' }).waitFor();
});
