import type { Page } from 'playwright-core';
import { SCREENS, type TestBrowser } from '../../../test/browser.ts';
import type { FeltPiano } from './open-felt-piano.ts';
import { hurry } from './open-in-browser.ts';

/** Opens the page of a download link. `script` runs before those of the page. */
export async function openDownloadPage(
  browser: TestBrowser,
  feltPiano: FeltPiano,
  script = '',
): Promise<Page> {
  const context = await browser.open(SCREENS.desktop);
  await context.addInitScript(script);
  const page = await context.newPage();
  await hurry(page);
  await page.goto(feltPiano.address);
  return page;
}

/** The row of a file. */
export function line(page: Page, name: string) {
  return page.getByRole('listitem').filter({ hasText: name });
}

/** When the link was used. */
export async function findUsed(feltPiano: FeltPiano): Promise<Date | null> {
  const named = feltPiano.ports.tokens.open(feltPiano.token);
  return (await feltPiano.ports.links.find(named?.orgId ?? '', named?.linkId ?? ''))?.usedAt ?? null;
}
