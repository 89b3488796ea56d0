import { readFile } from 'node:fs/promises';
import { LANGUAGES } from '@handover/domain';
import { sendsEmail } from '@handover/testkit';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useBrowser } from '../../../test/browser.ts';
import { expectAccessible } from '../../../test/every-view.ts';
import { openExpired, openLibrary, openRevoked } from './open-buyer-pages.ts';
import { openFeltPiano } from './open-felt-piano.ts';
import { openTestShop } from './open-test-shop.ts';
import { listen } from './over-the-wire.ts';
import { sellPads } from './sell-pads.ts';

const browser = useBrowser();

async function askTooOften(page: Page): Promise<void> {
  for (let tried = 0; tried < 4; tried += 1) {
    await page.getByLabel('E-mail address').fill('ana@example.com');
    await page.getByRole('button', { name: 'Mail me my links' }).click();
  }
}

/** Every page that buyers see, by how they get there. */
const PAGES: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  download: async (page) => {
    await page.goto((await openFeltPiano()).address);
    await page.getByText('Check the file (SHA-256)').nth(1).click();
  },
  'download-newer-version': async (page) => {
    await page.goto((await openFeltPiano({ newerVersion: '2.2' })).address);
  },
  'download-no-files': async (page) => {
    const sale = await sellPads((found) => ({ ...found, version: null }));
    await page.goto(`http://127.0.0.1:${await listen(sale.app)}/d/${sale.token}`);
  },
  expired: async (page) => {
    await page.goto((await openExpired()).address);
  },
  'expired-asked': async (page) => {
    await page.goto((await openExpired()).address);
    await page.getByRole('button', { name: 'Mail me a new link' }).click();
    await page.getByRole('heading', { name: 'Look in your inbox' }).waitFor();
  },
  'expired-throttled': async (page) => {
    const { address } = await openExpired();
    for (let tried = 0; tried < 4; tried += 1) {
      await page.goto(address);
      await page.getByRole('button', { name: 'Mail me a new link' }).click();
    }
    await page.getByRole('heading', { name: 'The new link has already been sent' }).waitFor();
  },
  revoked: async (page) => {
    await page.goto(await openRevoked());
  },
  replaced: async (page) => {
    await page.goto(await openRevoked(true));
  },
  unknown: async (page) => {
    await page.goto(`${(await openExpired()).address}x`);
  },
  start: async (page) => {
    await page.goto(new URL('/', (await openExpired()).address).href);
  },
  'start-trial': async (page) => {
    const outbox = { list: async () => [], read: async () => null };
    const { app } = await openTestShop(undefined, { outbox });
    await page.goto(`http://127.0.0.1:${await listen(app)}/`);
  },
  library: async (page) => {
    await page.goto(await openLibrary(0));
  },
  'library-of-several': async (page) => {
    await page.goto(await openLibrary(0, { apart: 1 }));
    await page.getByRole('button', { name: 'Download both files' }).waitFor();
  },
  'library-replaced': async (page) => {
    await page.goto(await openLibrary(1, { apart: 1, isReplaced: true }));
    await page.getByRole('button', { name: 'Mail me my links' }).waitFor();
  },
  'library-closed': async (page) => {
    await page.goto(await openLibrary(48));
  },
  my: async (page) => {
    await page.goto(new URL('/my', (await openExpired()).address).href);
  },
  'my-noted': async (page) => {
    await page.goto(new URL('/my', (await openExpired()).address).href);
    await page.getByLabel('E-mail address').fill('ana.lima@example.com');
    await page.getByRole('button', { name: 'Mail me my links' }).click();
    await page.getByRole('heading', { name: 'Look in your inbox' }).waitFor();
  },
  'my-mistyped': async (page) => {
    await page.goto(new URL('/my', (await openExpired()).address).href);
    await page.getByLabel('E-mail address').fill('ana.lima@gmial.com');
    await page.getByRole('button', { name: 'Mail me my links' }).click();
    await page.getByRole('button', { name: 'Mail my links there' }).waitFor();
  },
  'my-invalid': async (page) => {
    await page.goto(new URL('/my', (await openExpired()).address).href);
    await page.getByLabel('E-mail address').fill('ana.lima');
    await page.getByRole('button', { name: 'Mail me my links' }).click();
    await page.getByText('Write the whole address').waitFor();
  },
  'my-throttled': async (page) => {
    await page.goto(new URL('/my', (await openExpired()).address).href);
    await askTooOften(page);
    await page.getByRole('heading', { name: 'Too many requests for this address' }).waitFor();
  },
};

test.each(Object.entries(PAGES))('the page “%s” is accessible on every screen', async (name, open) => {
  const page = await (await browser.open()).newPage();
  await open(page);
  expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
  await expectAccessible(page, name);
});

/** The longest words and the widest characters. */
const LONG_LANGUAGES = ['de-DE', 'ja-JP'];

/** Of each page as it first opens: what is pressed on it is told by its English words. */
const FIRST_PAGES = [
  'download',
  'download-newer-version',
  'download-no-files',
  'expired',
  'revoked',
  'replaced',
  'unknown',
  'start',
  'my',
  'library',
];

test.each(LANGUAGES)(
  'the button for all files holds its words on the narrowest phone, in %s',
  async (locale) => {
    const page = await (await browser.open({ locale, viewport: { width: 320, height: 640 } })).newPage();
    await page.goto((await openFeltPiano()).address);
    const button = page.locator('[data-all] button');
    await button.waitFor();
    // Wider than the words of any language: this machine may have no Japanese font, and its characters no width.
    await button.evaluate((shown) => shown.append('のファイルをまとめてダウンロード'));
    expect(await button.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  },
);

test('Japanese breaks its lines between phrases, except within the sentences of a phone', async () => {
  const page = await (await browser.open({ locale: 'ja-JP' })).newPage();
  await page.goto((await openExpired()).address);
  const breaks = (selector: string) =>
    page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).wordBreak`);
  for (const [width, ofSentences] of [
    [320, 'normal'],
    [1280, 'auto-phrase'],
  ] as const) {
    await page.setViewportSize({ width, height: 640 });
    expect([await breaks('.lead strong'), await breaks('h1'), await breaks('.button')]).toEqual([
      ofSentences,
      'auto-phrase',
      'auto-phrase',
    ]);
  }
});

test.each(LONG_LANGUAGES)('the pages fit on every screen in %s', async (locale) => {
  const page = await (await browser.open({ locale })).newPage();
  for (const name of FIRST_PAGES) {
    if (name === 'download') await page.goto((await openFeltPiano({ newerVersion: '2.2' })).address);
    else await PAGES[name]?.(page);
    expect(await page.evaluate('document.documentElement.lang')).toBe(locale.slice(0, 2));
    await expectAccessible(page, `${name}-${locale.slice(0, 2)}`);
  }
});

test.each(['Mail me a new link', 'Mail me my links'])(
  '“%s”, pressed twice in a hurry, sends its form once, and again when its page is shown again',
  async (name) => {
    const { address } = await openExpired();
    const page = await (await browser.open()).newPage();
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') sent.push(request.url());
    });
    if (name === 'Mail me a new link') await page.goto(address);
    else {
      await page.goto(new URL('/my', address).href);
      await page.getByLabel('E-mail address').fill('ana@example.com');
    }
    await page.getByRole('button', { name }).dblclick();
    await page.getByText('Look in your inbox').waitFor();
    expect(sent).toHaveLength(1);
    await page.goBack();
    await page.getByRole('button', { name }).click();
    await page.getByText('Look in your inbox').waitFor();
    expect(sent).toHaveLength(2);
  },
);

test('a page says its times as the clock of its reader does, and without JavaScript with their zone', async () => {
  const feltPiano = await openFeltPiano();
  const open = async (address: string, locale: string, timezoneId: string, javaScriptEnabled = true) => {
    const page = await (await browser.open({ locale, timezoneId, javaScriptEnabled })).newPage();
    await page.goto(address);
    return page;
  };
  const read = async (...reader: [locale: string, timezoneId: string, javaScriptEnabled?: boolean]) =>
    (await (await open(feltPiano.address, ...reader)).locator('time').textContent()) ?? '';
  expect(await read('en-GB', 'Asia/Tokyo', false)).toMatch(/^Wednesday 4\u00a0March at 09:\d\d UTC$/);
  expect(await read('en-GB', 'Asia/Tokyo')).toMatch(/^Wednesday 4\u00a0March at 18:\d\d$/);
  expect(await read('de', 'Europe/Berlin')).toMatch(/^Mittwoch, 4\.\u00a0März, 10:\d\d Uhr$/);
  expect(await read('es', 'Europe/Madrid')).toMatch(/^miércoles 4\u00a0de marzo a las 10:\d\d$/);
  expect(await read('ja', 'America/Los_Angeles')).toMatch(/^3月4日水曜日 0?1:\d\d$/);
  expect(await read('fr', 'Europe/Paris')).toMatch(/^mercredi 4\u00a0mars à 10:\d\d$/);
  expect(await read('pt-BR', 'America/Sao_Paulo')).toMatch(/^quarta-feira, 4\u00a0de março, às 06:\d\d$/);
  const library = await openLibrary(0);
  for (const [zone, day] of [
    ['Asia/Tokyo', 4],
    ['Pacific/Pago_Pago', 3],
  ] as const) {
    const page = await open(library, 'de', zone);
    expect(await page.getByText('Gekauft am').first().textContent()).toContain(`am ${day}. März 2026`);
  }
});

test('the download page says the same without JavaScript, and its links download', async () => {
  const feltPiano = await openFeltPiano({ newerVersion: '2.2' });
  const words: string[] = [];
  for (const javaScriptEnabled of [true, false]) {
    const page = await (await browser.open({ javaScriptEnabled })).newPage();
    await page.goto(feltPiano.address);
    words.push(await readWords(page, 'main'));
    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download felt-piano-manual.pdf' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('felt-piano-manual.pdf');
    expect(await readFile(await download.path())).toEqual(feltPiano.files.manual.content);
  }
  // One button for all files needs the script; every file has a link of its own.
  const all = 'Download all 3 files (6.4 MB) ';
  expect(words[0]).toContain(all);
  // Only the script knows the reader's clock, so only the page without it names a zone.
  expect(words[1]?.replace(/(?<=at \d\d:\d\d) UTC/, '')).toBe(words[0]?.replace(all, ''));
  expect(words[1]).toContain(' UTC');
});

test('everything on the page is reachable by keyboard, in reading order', async () => {
  const page = await (await browser.open()).newPage();
  const feltPiano = await openFeltPiano();
  await page.goto(feltPiano.address);
  const reached: string[] = [];
  for (let pressed = 0; pressed < 8; pressed += 1) {
    await page.keyboard.press('Tab');
    reached.push(plain(await page.evaluate('document.activeElement.textContent')));
  }
  expect(reached).toEqual([
    'Download all 3 files (6.4 MB)',
    'Download felt-piano-2.1-win.zip',
    'Check the file (SHA-256) felt-piano-2.1-win.zip',
    'Download felt-piano-2.1-mac.zip',
    'Check the file (SHA-256) felt-piano-2.1-mac.zip',
    'Download felt-piano-manual.pdf',
    'Check the file (SHA-256) felt-piano-manual.pdf',
    'help@lumen.audio',
  ]);
});

test('the expired page’s button, pressed by keyboard, mails a new link to the address that it names', async () => {
  const page = await (await browser.open({ javaScriptEnabled: false })).newPage();
  const expired = await openExpired();
  await page.goto(expired.address);
  expect(await readWords(page, 'main')).toContain('a…\u2060@example.com');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Look in your inbox' }).waitFor();
  expect((await expired.stores.queuedJobs()).filter(sendsEmail('links'))).toHaveLength(1);
});

/** What is seen of a part of the page. */
async function readWords(page: Page, selector: string): Promise<string> {
  return plain(await page.evaluate(`document.querySelector('${selector}').innerText`));
}

function plain(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
