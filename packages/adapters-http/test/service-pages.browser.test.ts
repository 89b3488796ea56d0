import type { Outbox, OutboxMail } from '@handover/adapters-http';
import { DomainError } from '@handover/domain';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useBrowser } from '../../../test/browser.ts';
import { expectAccessible } from '../../../test/every-view.ts';
import { openDashboard } from './open-dashboard.ts';
import { openInBrowser } from './open-in-browser.ts';
import { openTestShop } from './open-test-shop.ts';
import { listen } from './over-the-wire.ts';
import { sellPads } from './sell-pads.ts';

const browser = useBrowser();

const MAIL: OutboxMail = {
  name: 'a mail.eml',
  sentAt: new Date('2026-03-02T09:00:00Z'),
  from: 'Lumen Audio <orders@example.com>',
  to: 'Maximiliane Friederike von Hohenstaufen <maximiliane.von.hohenstaufen-wittelsbach+orders@example.museum>',
  replyTo: 'help@lumen.audio',
  subject: 'Your download: The Complete Orchestral Percussion and Prepared Piano Collection',
  html: '<!doctype html><html lang="en"><head><title>Your download</title></head><body><main><h1>Pads</h1></main></body></html>',
  text: 'Open http://shop.test/d/x',
};

const gone = async (): Promise<never> => {
  throw new DomainError('store-unavailable', 'The database cannot be reached.');
};

async function openMails(page: Page, mails: readonly OutboxMail[]): Promise<void> {
  const outbox: Outbox = { list: async () => mails, read: async () => MAIL };
  const { app } = await openTestShop(undefined, { outbox });
  await page.goto(`http://127.0.0.1:${await listen(app)}/dev/mail`);
}

/** The pages of the service itself, and those that say that something went wrong. */
const PAGES: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  reference: async (page) => {
    await page.goto(`http://127.0.0.1:${await listen((await openTestShop()).app)}/docs`);
    const left = async (part: string) => (await page.locator(part).first().boundingBox())?.x;
    expect(await left('.operation .words > p')).toBe(await left('.operation .operation-head'));
  },
  'dev-mail-empty': (page) => openMails(page, []),
  'dev-mail': (page) => openMails(page, [MAIL]),
  'dev-mail-one': async (page) => {
    await openMails(page, [MAIL]);
    await page.getByRole('link', { name: /Your download/ }).click();
    await page.getByText('help@lumen.audio').waitFor();
  },
  'nowhere-to-buyers': async (page) => {
    await page.goto(`http://127.0.0.1:${await listen((await openTestShop()).app)}/nowhere`);
  },
  'away-to-buyers': async (page) => {
    const sale = await sellPads();
    Object.assign(sale.ports.links, { findPage: gone, find: gone });
    const answer = await page.goto(`http://127.0.0.1:${await listen(sale.app)}/d/${sale.token}`);
    expect(answer?.status()).toBe(503);
  },
};

test.each(Object.entries(PAGES))('the page “%s” is accessible on every screen', async (name, open) => {
  const page = await (await browser.open()).newPage();
  await open(page);
  expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
  await expectAccessible(page, `service-${name}`);
});

test('the dashboard says that it is away on a page that can be read on every screen', async () => {
  const dashboard = await openDashboard(({ purchases }) => ({ purchases: { ...purchases, search: gone } }));
  const { page, go } = await openInBrowser(dashboard, browser);
  const answer = await go('/dashboard/purchases');
  expect(answer?.status()).toBe(503);
  await expectAccessible(page, 'dashboard-away');
});
