import { LANGUAGES } from '@handover/domain';
import { describe, expect, test } from 'vitest';
import { listUntranslated } from '../../../test/untranslated.ts';
import { downloadPage } from '../src/customer/download-page.ts';
import {
  expiredPage,
  newLinkPage,
  newLinkThrottledPage,
  revokedPage,
} from '../src/customer/ended-link-pages.ts';
import { libraryPage } from '../src/customer/library-page.ts';
import { myPage } from '../src/customer/my-page.ts';
import { startPage } from '../src/customer/start-routes.ts';
import { type Wording, wordingOf } from '../src/messages/wording-of.ts';
import { failurePage, notFoundPage } from '../src/pages/plain-pages.ts';
import type { FailureKind } from '../src/requests/classify-failure.ts';

const NOW = new Date('2026-03-02T09:00:00Z');
const UNTIL = new Date('2026-03-02T09:20:00Z');
const DATA = [
  'ana@example.com',
  'Lumen Audio',
  'Pads',
  'pads.zip',
  'Ana Lima',
  'help@lumen.audio',
  'example.com',
  'UTC',
  '7F3K',
];

const PAGE = {
  linkId: 'link',
  orgId: 'org',
  purchaseId: 'purchase',
  createdAt: NOW,
  expiresAt: UNTIL,
  revokedAt: null,
  isReplaced: false,
  usedAt: null,
  organisation: { name: 'Lumen Audio', email: 'help@lumen.audio', language: 'en' },
  customer: { name: 'Ana Lima', email: 'ana@example.com' },
  orderNumber: '#1186',
  productName: 'Pads',
  version: { label: '1.0', files: [{ name: 'pads.zip', size: 5000, sha256: '00' }] },
  newerVersion: '1.1',
} as const;

const ITEM = {
  ...{ orgId: 'org', purchaseId: 'purchase', boughtAt: NOW, orderNumber: '#1186' },
  shop: { name: 'Lumen Audio', email: 'help@lumen.audio' },
  link: { id: 'link', expiresAt: UNTIL },
  productName: 'Pads',
  version: PAGE.version,
};
/** One that works, one without files, one that has expired, one whose links were replaced. */
const LIBRARY = {
  page: PAGE,
  items: [
    ITEM,
    { ...ITEM, version: null },
    { ...ITEM, link: { id: 'link', expiresAt: NOW }, orderNumber: null },
    { ...ITEM, link: null },
  ],
  token: 'token',
  now: NOW,
};

const failing = (kind: FailureKind) => (wording: Wording) =>
  failurePage(wording, {
    kind,
    status: 500,
    message: '',
    retryAfterSeconds: null,
    reference: '7F3K',
    canLoadAgain: true,
  });

/** Every page that a buyer can see, in each of its forms. */
const PAGES = {
  download: (wording: Wording) => downloadPage(wording, PAGE, 'token', NOW),
  'download without files': (wording: Wording) =>
    downloadPage(wording, { ...PAGE, orderNumber: null, version: null }, 'token', NOW),
  expired: (wording: Wording) => expiredPage(wording, PAGE, 'token'),
  'expired without a number': (wording: Wording) =>
    expiredPage(wording, { ...PAGE, orderNumber: null }, 'token'),
  'new link': (wording: Wording) => newLinkPage(wording, PAGE),
  'new link, too often': (wording: Wording) => newLinkThrottledPage(wording, PAGE, UNTIL, NOW),
  revoked: (wording: Wording) => revokedPage(wording, PAGE),
  replaced: (wording: Wording) => revokedPage(wording, { ...PAGE, isReplaced: true }),
  my: (wording: Wording) => myPage(wording, { kind: 'asked-nothing' }, ''),
  'my, noted': (wording: Wording) => myPage(wording, { kind: 'noted' }, 'ana@example.com'),
  'my, invalid': (wording: Wording) => myPage(wording, { kind: 'invalid-email' }, 'ana'),
  'my, too often': (wording: Wording) =>
    myPage(wording, { kind: 'throttled', of: 'address', until: UNTIL, now: NOW }, ''),
  'my, too often from a network': (wording: Wording) =>
    myPage(wording, { kind: 'throttled', of: 'network', until: UNTIL, now: NOW }, ''),
  library: (wording: Wording) =>
    libraryPage(wording, { seal: () => 'token' }, { ...LIBRARY, isOlder: true, older: 'id' }),
  'library with nothing': (wording: Wording) =>
    libraryPage(wording, { seal: () => 'token' }, { ...LIBRARY, items: [], isOlder: false, older: null }),
  'library that has closed': (wording: Wording) => myPage(wording, { kind: 'library-ended' }, ''),
  'not found': (wording: Wording) => notFoundPage(wording),
  busy: failing('busy'),
  slow: failing('slow'),
  'no database': failing('database'),
  broken: failing('server'),
  unreadable: failing('unreadable'),
  start: (wording: Wording) => startPage(wording, null),
};

const OTHERS = LANGUAGES.filter((language) => language !== 'en');

describe.each(Object.entries(PAGES))('the page “%s”', (_name, render) => {
  const english = String(render(wordingOf('en')));

  test.each(OTHERS)('leaves nothing in English in %s', (language) => {
    const page = String(render(wordingOf(language)));
    expect(listUntranslated(english, page, DATA)).toEqual([]);
    expect(page).toContain(`<html lang="${wordingOf(language).formats.locale}">`);
    expect(page).not.toMatch(/undefined|NaN|\[object/);
  });
});

test.each(OTHERS)('the page’s script says everything in %s, with the same values', (language) => {
  const { script } = wordingOf(language).messages;
  const valuesOf = (message: string) => (message.match(/\{\w+\}/g) ?? []).sort();
  for (const [name, english] of Object.entries(wordingOf('en').messages.script)) {
    const message = Object.entries(script).find(([key]) => key === name)?.[1] ?? '';
    expect([name, valuesOf(message)]).toEqual([name, valuesOf(english)]);
    if (/[a-z]{3,}/.test(english.replace(/\{\w+\}/g, ''))) expect(message).not.toBe(english);
  }
});

test('a text that was forgotten is found', () => {
  expect(listUntranslated('<p>Hello Ana</p>', '<p>Hello Ana</p>', ['Ana'])).toEqual(['Hello']);
  expect(listUntranslated('<p>Ana</p><p>Hello</p>', '<p>Ana</p><p>Hallo</p>', ['Ana'])).toEqual([]);
});

test('the remaining time is grammatical in each language, for one hour and for minutes', () => {
  const works = (minutes: number) =>
    LANGUAGES.map((language) => {
      const now = new Date(UNTIL.getTime() - minutes * 60_000);
      return /<strong>([^<]*)<\/strong>/.exec(
        String(downloadPage(wordingOf(language), PAGE, 'token', now)),
      )?.[1];
    });
  const plain = (words: readonly (string | undefined)[]) => words.map((word) => word?.replace(/[\s]/g, ' '));
  expect(plain(works(60))).toEqual([
    'another hour',
    'noch 1 Stunde',
    'encore valable 1 heure',
    '1 hora más',
    'mais 1 hora',
    'あと 1 時間',
  ]);
  expect(plain(works(20))).toEqual([
    'another 20 minutes',
    'noch 20 Minuten',
    'encore valable 20 minutes',
    '20 minutos más',
    'mais 20 minutos',
    'あと 20 分',
  ]);
});

test.each(LANGUAGES)(
  'the answer to a request for links is in the title and has the focus: %s',
  (language) => {
    const wording = wordingOf(language);
    const page = (kind: 'noted' | 'invalid-email' | 'asked-nothing') =>
      String(myPage(wording, { kind }, 'ana'));
    expect(page('noted')).toContain(`<title>${wording.messages.my.inbox} · `);
    expect(page('noted')).toMatch(/<div class="card answer"[^>]* tabindex="-1" autofocus>/);
    expect(page('invalid-email')).toContain(`<title>${wording.messages.my.invalid} · `);
    expect(page('invalid-email').match(/autofocus/g)).toHaveLength(1);
    expect(page('asked-nothing')).toContain(`<title>${wording.messages.my.title}</title>`);
  },
);

test.each(LANGUAGES)(
  'the answer names the typed address, and what to do if no mail comes: %s',
  (language) => {
    const wording = wordingOf(language);
    const page = String(myPage(wording, { kind: 'noted' }, 'ana@exmaple.com'));
    const answer = page.slice(page.indexOf('role="status"'));
    expect(answer).toContain('<bdi>ana@exmaple.com</bdi>');
    expect(answer).toContain(`<p>${wording.messages.my.noMail}</p>`);
  },
);

describe('the typography of the pages', () => {
  const textsOf = (language: (typeof LANGUAGES)[number]) =>
    Object.values(PAGES)
      .map((render) => String(render(wordingOf(language))).replace(/<style>.*?<\/style>/gs, ''))
      .join('\n')
      .replace(/<[^>]*>/g, '\n');

  test.each(LANGUAGES)('has typographic quotes and apostrophes in %s', (language) => {
    expect(textsOf(language)).not.toMatch(/&#39;|&quot;|\p{L}['"]|['"]\p{L}/u);
  });

  test('has no-break spaces in French', () => {
    expect(textsOf('fr')).not.toMatch(/[^\u202f]\p{L}[ \u00a0]?[;?!]| [:;?!»]|« |\u00a0[;?!]/u);
  });

  test('begins no line with a Japanese particle', () => {
    expect(textsOf('ja')).not.toMatch(/[^·] \p{Script=Hiragana}/u);
  });

  test('calls an e-mail by one name in German', () => {
    expect(textsOf('de')).not.toMatch(/(?<![-\p{L}])Mails?\b/u);
  });
});

test('a library says which version and whose files, and has no empty navigation', () => {
  const wording = wordingOf('de');
  const tokens = { seal: () => 'token' };
  const page = (older: string | null) =>
    String(libraryPage(wording, tokens, { ...LIBRARY, older, isOlder: false }));
  expect(page(null)).toContain('Version 1.0 · Bestellung #1186 · <span class="whole">Gekauft am <time');
  expect(page(null)).toContain('aria-label="Dateien: Pads"');
  expect(page(null)).not.toContain('<nav');
  expect(page('id')).toContain('<nav class="aside" aria-label="Ihre Bibliothek">');
});

test('several files can be downloaded at once, from a button that names their number, size and product', () => {
  const [file] = PAGE.version.files;
  const version = { label: '1.0', files: [file, { ...file, name: 'more.zip', size: 7000 }, file] };
  const wording = wordingOf('de');
  const library = (item: object) =>
    String(
      libraryPage(
        wording,
        { seal: () => 'token' },
        { ...LIBRARY, items: [{ ...ITEM, ...item }], isOlder: false, older: null },
      ),
    );
  const words = (page: string) => page.replace(/<svg.*?<\/svg>/gs, '').replace(/\u00a0/g, ' ');
  const both = { ...version, files: version.files.slice(1) };
  expect(words(library({ version }))).toContain(
    'Alle 3 Dateien herunterladen (17 kB)<span class="hidden"> Pads</span>',
  );
  expect(words(library({ version: both }))).toContain('Beide Dateien herunterladen (12 kB)');
  const page = words(String(downloadPage(wording, { ...PAGE, version }, 'token', NOW)));
  expect(page).toMatch(
    /<div class="all" data-all hidden>.*Alle 3 Dateien herunterladen \(17 kB\)<\/span><\/button>/,
  );
  for (const single of [library({}), String(downloadPage(wording, PAGE, 'token', NOW))]) {
    expect(single).not.toContain('data-all');
  }
});

test('each check of a file names the file to screen readers', () => {
  const page = String(downloadPage(wordingOf('en'), PAGE, 'token', NOW));
  expect(page).toContain('Check the file (SHA-256)<span class="hidden"> pads.zip</span>');
});
