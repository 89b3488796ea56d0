import { isDeepStrictEqual } from 'node:util';
import type { CDPSession, Page } from 'playwright-core';
import { expect } from 'vitest';
import { findBarriers, keepPicture, measureOverflow, SCREENS } from './browser.ts';

type Screen = keyof typeof SCREENS;
type Colours = 'light' | 'dark';

/** One way of looking at a page. */
export interface View {
  /** As messages and pictures call it: `phone-dark`. */
  readonly name: `${Screen}-${Colours}`;
  readonly colours: Colours;
  /** Makes the screen that wide until the next view. */
  narrow(width: number): Promise<void>;
  /** Like takePicture in browser.ts, which would show the page on the screen that it was opened on. */
  takePicture(name: string): Promise<void>;
}

/** In such an order that little has to change from one to the next: a page takes its time to follow. */
const VIEWS = [
  ['desktop', 'light'],
  ['desktop', 'dark'],
  ['phone', 'dark'],
  ['phone', 'light'],
] as const;

/**
 * Nothing bars anyone from the open page, and nothing makes it scroll sideways, on any screen and in any colours, nor
 * on the narrowest of phones. All that is wrong is said, with the name of the page and of the view.
 */
export async function judgeEveryWay(page: Page, name: string): Promise<void> {
  await lookEveryWay(page, async (view) => {
    const seen = `${name}-${view.name}`;
    // What lies under the bar of phones is out of reach only until one scrolls.
    await page.evaluate('scrollTo(0, 0)');
    expect.soft(await findBarriers(page), seen).toEqual([]);
    expect.soft(await measureOverflow(page), `${seen} scrolls sideways`).toBe(0);
    await view.takePicture(seen);
    if (view.name !== 'phone-light') return;
    await view.narrow(320);
    expect.soft(await measureOverflow(page), `${seen}, 320 pixels wide, scrolls sideways`).toBe(0);
  });
}

/**
 * Shows an open page on each screen in each of the colours, one after the other and without loading it again: it has
 * to follow by itself. Afterwards it is shown as before; only a mouse that hovers is not back until its next load.
 */
export async function lookEveryWay(
  page: Page,
  look: (view: View) => Promise<void>,
  screens: readonly Screen[] = ['desktop', 'phone'],
): Promise<void> {
  const before = await readShown(page);
  const session = await page.context().newCDPSession(page);
  for (const [screen, colours] of VIEWS) {
    if (!screens.includes(screen)) continue;
    const shown = shownOn(screen, colours);
    await show(page, session, shown);
    await look({
      name: `${screen}-${colours}`,
      colours,
      narrow: (width) => show(page, session, { ...shown, width }),
      takePicture: (name) => keepPicture(name, () => capture(session)),
    });
  }
  await show(page, session, before);
}

interface Shown {
  readonly width: number;
  readonly height: number;
  readonly deviceScaleFactor: number;
  readonly isPhone: boolean;
  readonly isDark: boolean;
  readonly isCalm: boolean;
}

function shownOn(screen: Screen, colours: Colours): Shown {
  const { viewport, deviceScaleFactor, isMobile } = SCREENS[screen];
  // With less motion, colours turn at once.
  return { ...viewport, deviceScaleFactor, isPhone: isMobile, isDark: colours === 'dark', isCalm: true };
}

/** How the page is shown, as it sees it itself. */
function readShown(page: Page): Promise<Shown> {
  return page.evaluate<Shown>(`({
    width: screen.width,
    height: screen.height,
    deviceScaleFactor: devicePixelRatio,
    isPhone: matchMedia('(pointer: coarse)').matches,
    isDark: matchMedia('(prefers-color-scheme: dark)').matches,
    isCalm: matchMedia('(prefers-reduced-motion)').matches,
  })`);
}

async function show(page: Page, session: CDPSession, wanted: Shown): Promise<void> {
  const { isDark, isCalm, ...screen } = await readShown(page);
  const { isDark: wantsDark, isCalm: wantsCalm, ...wantedScreen } = wanted;
  if (!isDeepStrictEqual(screen, wantedScreen)) await changeScreen(session, wanted);
  if (isDark !== wantsDark || isCalm !== wantsCalm) await changeColours(page, wanted);
  expect(await readShown(page)).toEqual(wanted);
}

/** As Playwright does it itself, but only for a whole context and before it has pages. */
async function changeScreen(session: CDPSession, wanted: Shown): Promise<void> {
  const { width, height, deviceScaleFactor, isPhone } = wanted;
  await session.send('Emulation.setDeviceMetricsOverride', {
    width,
    height,
    screenWidth: width,
    screenHeight: height,
    deviceScaleFactor,
    mobile: isPhone,
    screenOrientation: { angle: 0, type: isPhone ? 'portraitPrimary' : 'landscapePrimary' },
  });
  // Once a picture was taken there is no touch any more, and Chromium believes that there is.
  await session.send('Emulation.setTouchEmulationEnabled', { enabled: false });
  if (isPhone) await session.send('Emulation.setTouchEmulationEnabled', { enabled: true });
}

/** Done when the page was told. Its own scripts listened earlier, and so they heard of it earlier. */
async function changeColours(page: Page, { isDark, isCalm }: Shown): Promise<void> {
  const colorScheme = isDark ? 'dark' : 'light';
  await page.evaluate(`{
    const query = matchMedia('(prefers-color-scheme: ${colorScheme})');
    window.coloursTold = new Promise((told) => {
      if (query.matches) told();
      else query.addEventListener('change', () => told(), { once: true });
    });
    undefined;
  }`);
  await page.emulateMedia({ colorScheme, reducedMotion: isCalm ? 'reduce' : 'no-preference' });
  await page.evaluate('window.coloursTold');
}

/** Of the whole page. */
async function capture(session: CDPSession): Promise<Uint8Array> {
  const { data } = await session.send('Page.captureScreenshot', { captureBeyondViewport: true });
  return Buffer.from(data, 'base64');
}
