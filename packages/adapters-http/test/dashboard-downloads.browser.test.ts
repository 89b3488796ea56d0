import { BY_JANA } from '@handover/domain/testing';
import { expect, test } from 'vitest';
import { runAxe, takePicture, useBrowser } from '../../../test/browser.ts';
import { expectAccessible } from '../../../test/every-view.ts';
import { openDashboard } from './open-dashboard.ts';
import { openInBrowser } from './open-in-browser.ts';
import { deliverOrder, download } from './sell-purchases.ts';

const browser = useBrowser();

async function open(role: 'owner' | 'member' = 'member') {
  const it = await openDashboard();
  return { ...it, ...(await openInBrowser(it, browser, { role })) };
}

type Opened = Awaited<ReturnType<typeof open>>;

const BUYERS = ['Ana Lima', 'Jo Reed', 'Øyvind Åsen', 'Maximiliane von Hohenstaufen-Wittelsbach'];

/** A list in every state, longer than a page; the last goes on just now. */
async function fill(it: Opened) {
  const { orgId } = it.shop;
  for (let number = 1; number <= 60; number += 1) {
    it.clock.advance(61_000);
    const name = BUYERS[number % BUYERS.length] ?? '';
    const email = `${name.split(' ')[0]?.toLowerCase()}@example.com`;
    const { linkId, purchaseId } = await deliverOrder(it, {
      orderId: `${number}`,
      customer: { name, email },
    });
    await download(it, linkId, number % 4 === 0 ? 3 : 5, number % 3 === 0);
    if (number % 10 !== 9) continue;
    const entry = {
      id: it.ports.ids.next(),
      at: it.clock.now(),
      kind: 'link-revoked',
      subjectId: purchaseId,
    } as const;
    await it.ports.purchases.revoke(orgId, purchaseId, { ...entry, ...BY_JANA, summary: 'Revoked.' });
  }
  const { linkId } = await deliverOrder(it, { orderId: 'large' });
  return sendPart(it, linkId);
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
const STATES: Readonly<Record<string, (it: Opened) => Promise<string>>> = {
  'downloads-empty': async () => '/dashboard/downloads',
  'downloads-full': async (it) => {
    await fill(it);
    return '/dashboard/downloads';
  },
  'downloads-no-match': async () => '/dashboard/downloads?q=ana.lma%40',
  'download-running': async (it) => {
    const { linkId } = await deliverOrder(it);
    return `/dashboard/downloads/${await sendPart(it, linkId)}`;
  },
  'download-revoked': async (it) => {
    const { linkId, purchaseId } = await deliverOrder(it);
    const sessionId = await sendPart(it, linkId);
    it.clock.advance(600_000);
    const entry = {
      id: it.ports.ids.next(),
      at: it.clock.now(),
      kind: 'link-revoked',
      subjectId: purchaseId,
    } as const;
    await it.ports.purchases.revoke(it.shop.orgId, purchaseId, { ...entry, ...BY_JANA, summary: 'Revoked.' });
    return `/dashboard/downloads/${sessionId}`;
  },
};

test.each(Object.keys(STATES))('nothing bars anyone from %s', async (name) => {
  const it = await open();
  await it.go((await STATES[name]?.(it)) ?? '');
  await expectAccessible(it.page, name);
});

test('a member sees a download go on without loading the page, and takes its links back', async () => {
  const it = await open();
  const { linkId } = await deliverOrder(it);
  const sessionId = await sendPart(it, linkId);
  await it.go('/dashboard/downloads');
  await it.page.getByText('72 %').waitFor();
  const ranges = [{ start: 0, end: 2_900_000_000 }];
  const sent = { version: '1.0', name: 'felt-piano-kontakt-library-part-2.zip', size: 2_900_000_000, ranges };
  await it.ports.sessions.addSent(it.shop.orgId, sessionId, sent, it.clock.now());
  await it.page.getByText('Sent whole').last().waitFor();
  await it.page.getByRole('link', { name: 'Ana Lima' }).click();
  await it.page.getByRole('heading', { level: 1, name: 'Pads for Ana Lima' }).waitFor();
  await it.page.getByRole('button', { name: 'Revoke' }).click();
  const dialog = it.page.getByRole('dialog', { name: 'Revoke this purchase?' });
  await dialog.getByText('can get no new one until you restore it').waitFor();
  expect(await runAxe(it.page)).toEqual([]);
  await takePicture(it.page, 'download-revoke');
  await dialog.getByRole('button', { name: 'Revoke the purchase' }).click();
  await it.page.getByRole('button', { name: 'Restore' }).click();
  await it.page.getByRole('button', { name: 'Revoke' }).waitFor();
});
