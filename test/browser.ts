import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type CDPSession,
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
 * share it, if they start it with the same arguments: it ends with that process.
 */
export function useBrowser(args: readonly string[] = []): TestBrowser {
  beforeAll(async () => {
    await launch(args);
  });
  return {
    open: async (options = {}) => {
      const context = await (await launch(args)).newContext({
        locale: 'en-GB',
        timezoneId: 'UTC',
        ...options,
      });
      undoLater(() => context.close());
      return context;
    },
  };
}

/** Of a browser with unpainted pages. */
export const UNPAINTED = ['--run-all-compositor-stages-before-draw'];

/**
 * A page that is laid out as any other, and not painted: painting takes a third of the time of a page that is only measured, on
 * many screens. It has no frames but those of
 * preferColours, so nothing can be pressed on it. Without a picture to keep, and where the browser can do so.
 */
export async function openUnpainted(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  const browser = context.browser();
  if (process.env.PICTURES || !browser) return page;
  const { targetInfo } = await (await context.newCDPSession(page)).send('Target.getTargetInfo');
  const { browserContextId = '' } = targetInfo;
  const target = { url: 'about:blank', browserContextId, enableBeginFrameControl: true };
  const session = await browser.newBrowserCDPSession();
  const opening = context.waitForEvent('page');
  const isMade = await session.send('Target.createTarget', target).then(
    () => true,
    () => false,
  );
  await session.detach();
  if (!isMade) {
    opening.catch(() => undefined);
    return page;
  }
  const unpainted = await opening;
  framesOf.set(unpainted, await context.newCDPSession(unpainted));
  await page.close();
  return unpainted;
}

/** Of pages that are not painted. */
const framesOf = new WeakMap<Page, CDPSession>();

/** Changes what the page's reader prefers. Resolves when the page got the event: its own scripts listened earlier, so they got it earlier. */
export async function preferColours(
  page: Page,
  colours: { readonly colorScheme: 'light' | 'dark'; readonly reducedMotion?: 'reduce' | 'no-preference' },
): Promise<void> {
  await page.evaluate(`{
    const query = matchMedia('(prefers-color-scheme: ${colours.colorScheme})');
    window.coloursTold = new Promise((told) => {
      if (query.matches) told();
      else query.addEventListener('change', () => told(), { once: true });
    });
    undefined;
  }`);
  await page.emulateMedia(colours);
  let isTold = false;
  const told = page.evaluate('window.coloursTold').finally(() => {
    isTold = true;
  });
  const frames = framesOf.get(page);
  while (frames && !isTold) await frames.send('HeadlessExperimental.beginFrame', { noDisplayUpdates: true });
  await told;
}

/** Whether its own scripts and styles turned the page dark. */
export function looksDark(page: Page): Promise<boolean> {
  return page.evaluate<boolean>(`{
    const [red, green, blue] = getComputedStyle(document.body).backgroundColor.match(/\\d+/g);
    Number(red) + Number(green) + Number(blue) < 3 * 128;
  }`);
}

const launched = new Map<string, Promise<Browser>>();

/** Again if it has crashed, so that only the tests of one file fail. */
async function launch(args: readonly string[]): Promise<Browser> {
  const key = args.join(' ');
  const running = launched.get(key);
  if (running && (await running.catch(() => null))?.isConnected()) return running;
  const launching = findChromium().then((options) =>
    chromium.launch({ ...options, args: [...(options.args ?? []), ...args] }),
  );
  launched.set(key, launching);
  return launching;
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
