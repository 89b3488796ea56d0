import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { beforeAll } from 'vitest';
import { findChromium } from './chromium.ts';
import { undoLater } from './undo.ts';

/** The two screen sizes for every page. */
export const SCREENS = {
  phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true },
  desktop: { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1, isMobile: false, hasTouch: false },
} as const;

export interface TestBrowser {
  open(options?: BrowserContextOptions): Promise<BrowserContext>;
}

/**
 * A Chromium for the tests of a file; they open their own windows in it, or share one. The files that run in one process
 * share it: it ends with that process.
 */
export function useBrowser(): TestBrowser {
  beforeAll(async () => {
    await launch();
  });
  return {
    open: async (options = {}) => {
      const context = await (await launch()).newContext({
        locale: 'en-GB',
        timezoneId: 'UTC',
        ...options,
      });
      undoLater(() => context.close());
      return context;
    },
  };
}

let launched: Promise<Browser> | null = null;

/** Again if it has crashed, so that only the tests of one file fail. */
async function launch(): Promise<Browser> {
  const browser = await launched?.catch(() => null);
  if (!browser?.isConnected()) launched = findChromium().then((options) => chromium.launch(options));
  return launched as Promise<Browser>;
}

/**
 * Everything that the rules of axe read, except colours: the markup within the root element, and where each element is
 * and whether it can be seen.
 */
export function readShape(page: Page): Promise<string> {
  return page.evaluate<string>(`JSON.stringify([
    document.documentElement.innerHTML,
    ...[...document.querySelectorAll('*')].map((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      const seen = element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
      return [x, y, width, height, seen];
    }),
  ])`);
}

/** How far the page can be scrolled sideways, in pixels. */
export function measureOverflow(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}

/** Saves a screenshot of the whole page in the folder that PICTURES names; does nothing without it. */
export async function takePicture(page: Page, name: string): Promise<void> {
  await keepPicture(name, () => page.screenshot({ fullPage: true, animations: 'disabled' }));
}

export async function keepPicture(name: string, take: () => Promise<Uint8Array>): Promise<void> {
  const folder = process.env.PICTURES;
  if (!folder) return;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${name}.png`), await take());
}
