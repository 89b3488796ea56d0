import type { Locator, Page } from 'playwright-core';

/** Somebody who uses the pages with a mouse and a keyboard, and what it took so far. */
export interface Person {
  readonly page: Page;
  readonly effort: { clicks: number; fields: number };
  /** The entry of the dashboard's menu. */
  goTo(name: string): Promise<void>;
  /** A button or link of that name, the first on the page. */
  press(name: string | RegExp): Promise<void>;
  click(target: Locator): Promise<void>;
  type(label: string | RegExp, text: string): Promise<void>;
  choose(label: string, option: string): Promise<void>;
  /** The click opens the system's dialog, which is not counted. */
  chooseFile(target: Locator, path: string): Promise<void>;
  /** Presses a link of that name, and waits for the whole file. */
  download(name: string | RegExp): Promise<void>;
  /** Waits for what shows that it worked. */
  see(text: string | RegExp): Promise<void>;
}

/** Nothing is clicked that a person could not click now: the browser waits for it to be visible, still and enabled. */
export function createPerson(page: Page): Person {
  const effort = { clicks: 0, fields: 0 };
  const click = async (target: Locator) => {
    await target.click();
    effort.clicks += 1;
  };
  const named = (name: string | RegExp) =>
    page.getByRole('link', { name }).or(page.getByRole('button', { name })).locator('visible=true').first();
  return {
    page,
    effort,
    click,
    goTo: (name) =>
      click(
        page
          .getByRole('navigation', { name: 'Pages' })
          .getByRole('link', { name })
          .locator('visible=true')
          .first(),
      ),
    press: (name) => click(named(name)),
    type: async (label, text) => {
      await page
        .getByLabel(label, { exact: typeof label === 'string' })
        .locator('visible=true')
        .first()
        .fill(text);
      effort.fields += 1;
    },
    choose: async (label, option) => {
      const field = page.getByLabel(label, { exact: true }).first();
      const value = await field.locator('option', { hasText: option }).first().getAttribute('value');
      await field.selectOption(value ?? '');
      effort.clicks += 1;
    },
    chooseFile: async (target, path) => {
      await target.setInputFiles(path);
      effort.clicks += 1;
    },
    download: async (name) => {
      const [download] = await Promise.all([page.waitForEvent('download'), click(named(name))]);
      await download.path();
    },
    see: (text) => page.getByText(text).locator('visible=true').first().waitFor(),
  };
}
