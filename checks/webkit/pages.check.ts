import { expect, test } from 'vitest';
import { fillLongest } from '../../packages/adapters-http/test/fill-longest.ts';
import { listPages } from '../../packages/adapters-http/test/list-pages.ts';
import { openDashboard } from '../../packages/adapters-http/test/open-dashboard.ts';
import { findSite } from '../../packages/adapters-http/test/open-in-browser.ts';
import { measureLayout } from '../../test/measure-layout.ts';
import { startWebKit, type WebKit } from './webkit.ts';

const WIDTHS = [2560, 1440, 1024, 768, 400];
/** Narrower windows have a bar above the page instead of the sidebar. */
const PHONE_BELOW = 768;
const SHOWS_SIDEBAR = `document.querySelector("header.side")?.checkVisibility() ?? innerWidth >= ${PHONE_BELOW}`;

test('every page of the dashboard fits windows that become narrow, however long its texts are', async () => {
  const dashboard = await openDashboard();
  await fillLongest(dashboard);
  const paths = await listPages(dashboard);
  const site = await findSite(dashboard);
  const { cookies } = await dashboard.signIn('owner');
  const problems: string[] = [];
  let window = await openSignedIn(site, cookies);
  for (const [kind, path] of paths) {
    try {
      problems.push(...(await lookAt(window, `${site}${path}`)).map((problem) => `${kind} ${problem}`));
    } catch (error) {
      problems.push(`${kind}: ${error}`);
      await window.close();
      window = await openSignedIn(site, cookies);
    }
  }
  await window.close();
  expect(problems).toEqual([]);
});

async function openSignedIn(site: string, cookies: ReadonlyMap<string, string>): Promise<WebKit> {
  const window = await startWebKit();
  await window.open(`${site}/dashboard/sign-in`);
  await window.addCookies(cookies);
  return window;
}

async function lookAt(window: WebKit, url: string): Promise<readonly string[]> {
  const problems: string[] = [];
  await window.open(url);
  for (const width of WIDTHS) {
    await window.resize(width);
    for (const problem of await measureLayout(window)) {
      // WebKit breaks ids after any hyphen, and counts the blank before a word that begins a line.
      if (!problem.startsWith('broken word')) problems.push(`at ${width}: ${problem}`);
    }
    const isWide = await window.evaluate(SHOWS_SIDEBAR);
    if (isWide !== width >= PHONE_BELOW) problems.push(`at ${width}: has the styles of another width`);
  }
  return problems;
}
