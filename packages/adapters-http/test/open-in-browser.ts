import type { Role } from '@handover/domain';
import type { BrowserContext, BrowserContextOptions, Page, Response } from 'playwright-core';
import { openUnpainted, SCREENS, type TestBrowser } from '../../../test/browser.ts';
import type { OpenedDashboard } from './open-dashboard.ts';
import { listen } from './over-the-wire.ts';

export interface InBrowser {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Without a slash at its end. */
  readonly site: string;
  /** Opens a page of the site by its path. */
  go(path: string): Promise<Response | null>;
}

interface Options extends BrowserContextOptions {
  /** Of another organisation than the shop's. */
  readonly orgId?: string;
  /** An owner, unless it is said. */
  readonly role?: Role;
  /** It is only measured: see openUnpainted. */
  readonly isUnpainted?: boolean;
}

/** Starts the dashboard and a signed-in browser; no page is open yet. */
export async function openInBrowser(
  dashboard: OpenedDashboard,
  browser: TestBrowser,
  { orgId, role = 'owner', isUnpainted = false, ...options }: Options = {},
): Promise<InBrowser> {
  const site = await findSite(dashboard);
  const { cookies } = await dashboard.signIn(role, orgId);
  const context = await browser.open({ ...SCREENS.desktop, ...options });
  const held = [...cookies].map(([name, value]) => ({ name, value, url: site, httpOnly: true }));
  await context.addCookies(held);
  const page = await (isUnpainted ? openUnpainted(context) : context.newPage());
  return { page, context, site, go: (path) => page.goto(`${site}${path}`) };
}

/** Where it listens; it begins to if it did not yet. */
export async function findSite({ app }: OpenedDashboard): Promise<string> {
  const address = app.server.address();
  const port = typeof address === 'object' && address ? address.port : await listen(app);
  return `http://127.0.0.1:${port}`;
}

/** What the page's scripts wait for comes after a tenth of the time, from its next load on; a toast stays as long as before. */
export async function hurry(page: Page): Promise<void> {
  await page.addInitScript(`for (const name of ['setTimeout', 'setInterval']) {
    const wait = window[name];
    window[name] = (turn, ms = 0, ...rest) => wait(turn, ms === 6000 ? ms : ms / 10, ...rest);
  }`);
}
