import { isDeepStrictEqual } from 'node:util';
import type { CDPSession, Page } from 'playwright-core';
import { expect } from 'vitest';
import { keepPicture, looksDark, measureOverflow, preferColours, readShape, SCREENS } from './browser.ts';
import { measureLayout } from './measure-layout.ts';
import { runAxe } from './run-axe.ts';

type Screen = keyof typeof SCREENS;
type Colours = 'light' | 'dark';

/** One combination of screen and colour scheme. */
export interface View {
  /** Its name in messages and screenshots: `phone-dark`. */
  readonly name: `${Screen}-${Colours}`;
  readonly colours: Colours;
  /** Sets the width of the screen until the next view. */
  narrow(width: number): Promise<void>;
  /** Like takePicture in browser.ts, which would use the screen on which the page was opened. */
  takePicture(name: string): Promise<void>;
}

/** Ordered so that little changes from one to the next: a page takes time to follow. */
const VIEWS = [
  ['desktop', 'light'],
  ['desktop', 'dark'],
  ['phone', 'dark'],
  ['phone', 'light'],
] as const;

/**
 * Checks that the open page has no accessibility violation and does not scroll sideways, on every screen and in every
 * colour scheme, and can be read from the narrowest phone to the widest screen. It reports all violations with the page and the
 * view.
 */
export async function expectAccessible(page: Page, name: string): Promise<void> {
  let checked = '';
  await lookEveryWay(page, async (view) => {
    const seen = `${name}-${view.name}`;
    // Content under the bar of phones is only unreachable until the page is scrolled.
    await page.evaluate('scrollTo(0, 0)');
    const shape = await readShape(page);
    // The other colours of the same screen: the rules that read no colour would read the same again.
    expect.soft(await runAxe(page, shape === checked ? 'colours' : 'all'), seen).toEqual([]);
    checked = shape;
    expect.soft(await measureOverflow(page), `${seen} scrolls sideways`).toBe(0);
    await view.takePicture(seen);
    for (const width of OTHER_WIDTHS[view.name] ?? []) {
      await view.narrow(width);
      expect.soft(await measureLayout(page), `${seen}, ${width} pixels wide`).toEqual([]);
      await view.takePicture(`${name}-w${width}`);
    }
  });
}

/** Looked at once: what cannot be read in one colour scheme cannot be read in the other. */
const OTHER_WIDTHS: Readonly<Partial<Record<View['name'], readonly number[]>>> = {
  'desktop-dark': [768, 1024, 1440, 2560],
  // First as wide as it is by then.
  'phone-light': [390, 320],
};

/**
 * Shows an open page on each screen and in each colour scheme without a reload: the page must follow by itself.
 * Afterwards it is shown as before, except that a hovering mouse is not restored until the next load.
 */
export async function lookEveryWay(
  page: Page,
  look: (view: View) => Promise<void>,
  screens: readonly Screen[] = ['desktop', 'phone'],
): Promise<void> {
  const before = await readShown(page);
  const session = await page.context().newCDPSession(page);
  // A screenshot shows the emulation of its own session.
  await sizeScreen(session, before);
  for (const [screen, colours] of VIEWS) {
    if (!screens.includes(screen)) continue;
    const shown = shownOn(screen, colours);
    await show(page, session, shown);
    const name = `${screen}-${colours}` as const;
    expect(await looksDark(page), `${name} looks dark`).toBe(colours === 'dark');
    await look({
      name,
      colours,
      narrow: (width) => show(page, session, { ...shown, screen: { ...shown.screen, width } }),
      takePicture: (picture) => keepPicture(picture, () => capture(session, shown)),
    });
  }
  await show(page, session, before);
}

interface Shown {
  readonly screen: {
    readonly width: number;
    readonly height: number;
    readonly deviceScaleFactor: number;
    readonly isPhone: boolean;
  };
  readonly colours: { readonly isDark: boolean; readonly isCalm: boolean };
}

function shownOn(screen: Screen, colours: Colours): Shown {
  const { viewport, deviceScaleFactor, isMobile } = SCREENS[screen];
  return {
    screen: { ...viewport, deviceScaleFactor, isPhone: isMobile },
    // With reduced motion, colours change at once.
    colours: { isDark: colours === 'dark', isCalm: true },
  };
}

/** The emulation as the page itself sees it. */
function readShown(page: Page): Promise<Shown> {
  return page.evaluate<Shown>(`({
    screen: {
      width: screen.width,
      height: screen.height,
      deviceScaleFactor: devicePixelRatio,
      isPhone: matchMedia('(pointer: coarse)').matches,
    },
    colours: {
      isDark: matchMedia('(prefers-color-scheme: dark)').matches,
      isCalm: matchMedia('(prefers-reduced-motion)').matches,
    },
  })`);
}

async function show(page: Page, session: CDPSession, wanted: Shown): Promise<void> {
  const { screen, colours } = await readShown(page);
  if (!isDeepStrictEqual(screen, wanted.screen)) await sizeScreen(session, wanted);
  if (screen.isPhone !== wanted.screen.isPhone) await emulateTouch(session, wanted);
  if (!isDeepStrictEqual(colours, wanted.colours)) {
    const { isDark, isCalm } = wanted.colours;
    const reducedMotion = isCalm ? 'reduce' : 'no-preference';
    await preferColours(page, { colorScheme: isDark ? 'dark' : 'light', reducedMotion });
  }
  expect(await readShown(page)).toEqual(wanted);
}

/** As Playwright does it, but Playwright can do it only for a whole context before it has pages. */
async function sizeScreen(session: CDPSession, { screen }: Shown): Promise<void> {
  const { width, height, deviceScaleFactor, isPhone } = screen;
  await session.send('Emulation.setDeviceMetricsOverride', {
    width,
    height,
    screenWidth: width,
    screenHeight: height,
    deviceScaleFactor,
    mobile: isPhone,
    screenOrientation: { angle: 0, type: isPhone ? 'portraitPrimary' : 'landscapePrimary' },
  });
}

async function emulateTouch(session: CDPSession, { screen }: Shown): Promise<void> {
  // Off first: after a screenshot there is no touch any more, but Chromium assumes that there is.
  await session.send('Emulation.setTouchEmulationEnabled', { enabled: false });
  if (screen.isPhone) await session.send('Emulation.setTouchEmulationEnabled', { enabled: true });
}

/** Of the whole page. */
async function capture(session: CDPSession, shown: Shown): Promise<Uint8Array> {
  const { data } = await session.send('Page.captureScreenshot', { captureBeyondViewport: true });
  if (shown.screen.isPhone) await emulateTouch(session, shown);
  return Buffer.from(data, 'base64');
}
