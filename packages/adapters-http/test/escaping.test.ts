import { LANGUAGES } from '@handover/domain';
import type { Html } from '@handover/html';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { downloadPage } from '../src/customer/download-page.ts';
import { expiredPage, revokedPage } from '../src/customer/ended-link-pages.ts';
import { mailListPage, mailPage } from '../src/dev-mail/dev-mail-routes.ts';
import { wordingOf } from '../src/messages/wording-of.ts';

const NOW = new Date('2026-03-02T09:00:00Z');

const hostile = fc.oneof(
  fc.constantFrom(
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    "' onclick='x",
    '</title><b>',
    '&lt;',
    '!',
  ),
  fc.string({ unit: 'grapheme', minLength: 1 }),
  fc.string({
    unit: fc.constantFrom('<', '>', '"', "'", '&', '=', '!', '$', '{', '}', '/', ' ', 'a'),
    minLength: 1,
  }),
);

function pageWith(text: string) {
  return {
    linkId: 'link',
    orgId: 'org',
    purchaseId: 'purchase',
    createdAt: NOW,
    expiresAt: new Date(NOW.getTime() + 1000),
    revokedAt: null,
    isReplaced: false,
    usedAt: null,
    organisation: { name: text, email: text, language: 'en' as const },
    customer: { name: text, email: text },
    orderNumber: text,
    productName: text,
    version: { label: text, files: [{ name: text, size: 5, sha256: text }] },
    newerVersion: text,
  };
}

/** The tags of a page in their order, attributes without their values. */
function skeleton(page: string): readonly string[] {
  return (page.match(/<[^>]*>/g) ?? []).map((tag) => tag.replace(/="[^"]*"/g, '='));
}

const pages: readonly [string, (text: string) => Html][] = [
  ...LANGUAGES.flatMap((language): [string, (text: string) => Html][] => {
    const wording = wordingOf(language);
    return [
      [`the download page (${language})`, (text) => downloadPage(wording, pageWith(text), text, NOW)],
      [`the expired page (${language})`, (text) => expiredPage(wording, pageWith(text), text)],
      [`the revoked page (${language})`, (text) => revokedPage(wording, pageWith(text))],
    ];
  }),
  ['the list of mail', (text) => mailListPage([{ name: text, subject: text, to: text, sentAt: NOW }])],
  [
    'a mail',
    (text) =>
      mailPage({
        name: text,
        subject: text,
        to: text,
        from: text,
        replyTo: text,
        sentAt: NOW,
        html: text,
        text,
      }),
  ],
];

test.each(pages)('escapes every name: %s', (_name, render) => {
  const plain = skeleton(String(render('a')));
  fc.assert(
    fc.property(hostile, (text) => {
      const page = String(render(text));
      expect(new Set(skeleton(page))).toEqual(new Set(plain));
      expect(page.match(/<script(?! type="module" src="\/assets\/)/i)).toBeNull();
    }),
  );
});

test('shows a name as it was given', () => {
  const page = String(downloadPage(wordingOf('en'), pageWith('Tom & <Jerry> "1" = \'2\'!'), 'token', NOW));
  expect(page).toContain('<h1><bdi>Tom &#38; &#60;Jerry&#62; &#34;1&#34; &#61; &#39;2&#39;!</bdi></h1>');
});
