import { LANGUAGES, type Language } from '@handover/domain';
import PostalMime from 'postal-mime';
import { describe, expect, it } from 'vitest';
import { listUntranslated } from '../../../test/untranslated.ts';
import { composeEmail } from '../src/compose-email.ts';
import { formatMessage } from '../src/format-message.ts';
import { renderDownloadLinkEmail, renderReceipt } from '../src/index.ts';
import { sampleLinks } from './sample-links.ts';
import { sampleItem, sampleReceipt } from './sample-receipt.ts';

const DATA = [
  'help@lumen.audio',
  'Lumen Audio',
  'Nocturne',
  'Felt Piano',
  'Glass Keys',
  'Ana',
  'EUR',
  'UTC',
  'get.lumen.audio/my',
];
const NO_FILES = { fileCount: 0, totalSize: 0 };
const SECOND = sampleItem({ productName: 'Glass Keys', fileCount: 1, downloadUrl: 'https://s/2' });
const { shops } = sampleLinks();
const NOCTURNE = shops.map((shop) => ({ ...shop, orgId: 'b', name: 'Nocturne' }));

/** Every mail for buyers, in all its forms. */
const MAILS = {
  'a receipt': (language: Language) => renderReceipt(sampleReceipt({ language })),
  'a receipt without files, name and number': (language: Language) =>
    renderReceipt(
      sampleReceipt({
        language,
        orderNumber: null,
        to: { name: '', email: 'x@example.com' },
        items: [sampleItem(NO_FILES)],
      }),
    ),
  'a receipt for two products': (language: Language) =>
    renderReceipt(sampleReceipt({ language, items: [sampleItem(), SECOND] })),
  'a receipt for three products, one without files': (language: Language) =>
    renderReceipt(sampleReceipt({ language, items: [sampleItem(), SECOND, sampleItem(NO_FILES)] })),
  'a new link': (language: Language) => renderDownloadLinkEmail(sampleLinks({ language })),
  'a library': (language: Language) =>
    renderDownloadLinkEmail(sampleLinks({ language, libraryUrl: 'https://s/my/1', leftOut: true })),
  'new links of two shops': (language: Language) =>
    renderDownloadLinkEmail(sampleLinks({ language, shops: [...shops, ...NOCTURNE], leftOut: true })),
};

describe.each(Object.entries(MAILS))('%s', (_name, render) => {
  const english = render('en');

  it.each(LANGUAGES.filter((language) => language !== 'en'))(
    'leaves nothing in English in %s',
    (language) => {
      const { subject, html, text } = render(language);
      expect(listUntranslated(english.subject, subject, DATA)).toEqual([]);
      expect(listUntranslated(english.html, html, DATA)).toEqual([]);
      expect(listUntranslated(english.text, text, DATA)).toEqual([]);
      expect(`${subject}${html}${text}`).not.toMatch(/undefined|null|NaN|\[object/);
    },
  );
});

it('names its language in the page and in its header', async () => {
  const sender = { address: 'orders@get.lumen.audio', domain: 'get.lumen.audio' };
  for (const [language, locale] of [
    ['en', 'en-GB'],
    ['pt', 'pt-BR'],
    ['ja', 'ja'],
  ] as const) {
    for (const mail of [sampleReceipt({ language }), sampleLinks({ language })]) {
      const message = composeEmail(mail, sender);
      if (!message) throw new Error('The sample has an address.');
      const email = await PostalMime.parse(formatMessage(message, new Date(0)));
      expect(email.headers.find(({ key }) => key === 'content-language')?.value).toBe(locale);
      expect(email.html).toContain(`<html lang="${locale}"`);
    }
  }
});

it('says until when the links work, with the date and the shop’s time zone', () => {
  const berlin = { language: 'de', timeZone: 'Europe/Berlin' } as const;
  for (const { html, text } of [
    renderReceipt(sampleReceipt(berlin)),
    renderDownloadLinkEmail(sampleLinks(berlin)),
  ]) {
    for (const part of [html, text]) expect(part).toContain('bis Freitag, 16. Oktober, 16:02 Uhr MESZ');
  }
});

it('falls back to the time of UTC where the runtime does not know the zone any more', () => {
  const { text } = renderReceipt(sampleReceipt({ timeZone: 'Mars/Olympus' }));
  expect(text).toContain('until Friday 16 October at 14:02 UTC');
});

it.each(LANGUAGES)('has the quotes, apostrophes and spaces of %s', (language) => {
  for (const render of Object.values(MAILS)) {
    // A subject has plain spaces only.
    const words = render(language).text.replace(/https?:\S+/g, '');
    expect(words).not.toMatch(/\p{L}['"]|['"]\p{L}/u);
    if (language === 'fr') expect(words).not.toMatch(/\p{L}[ \u00a0]?[;?!]| [:;?!»]|« /u);
    if (language === 'ja') expect(words).not.toMatch(/ \p{Script=Hiragana}/u);
    if (language === 'de') expect(words).not.toMatch(/(?<![-\p{L}])Mails?\b/u);
  }
});

it('links each shop’s address as mail programs read it', () => {
  const { html } = MAILS['new links of two shops']('en');
  expect(html).toContain('href="mailto:help@lumen.audio"');
});

it('sets amounts and sizes as the language does', () => {
  const { text } = renderReceipt(sampleReceipt({ language: 'fr' }));
  expect(text.replace(/\s/g, ' ')).toContain('3 fichiers, 6,3 Go au total 49,00 EUR');
});

it('addresses nobody by the first name alone in German and Japanese', () => {
  for (const language of ['de', 'ja'] as const) {
    const mails = [
      renderReceipt(sampleReceipt({ language })),
      renderDownloadLinkEmail(sampleLinks({ language })),
    ];
    for (const { text } of mails) expect(text.split('\n')[0]).not.toContain('Ana');
  }
});

it.each([
  ['de', 'Bestellung #1186 vom '],
  ['fr', 'Commande #1186 du '],
  ['es', 'Pedido #1186 del '],
  ['pt', 'Pedido #1186 de '],
] as const)('joins the order and its date as %s does', (language, words) => {
  expect(renderReceipt(sampleReceipt({ language, orderNumber: '#1186' })).text).toContain(words);
});

it.each([
  ['en', 'Your two products', 'all three files'],
  ['de', 'Ihre beiden Produkte', 'allen drei Dateien'],
  ['fr', 'Vos deux produits', 'les trois fichiers'],
  ['es', 'Sus dos productos', 'los tres archivos'],
  ['pt', 'Seus dois produtos', 'os três arquivos'],
  ['ja', '2 点の製品', '3 個のファイル'],
] as const)('writes small numbers as a sentence of %s does', (language, products, files) => {
  const write = (text: string) => text.replace(/\s/g, ' ');
  expect(write(MAILS['a receipt for two products'](language).text)).toContain(products);
  expect(write(MAILS['a receipt'](language).text)).toContain(files);
  const many = sampleReceipt({ language, items: [sampleItem({ fileCount: 14 })] });
  expect(renderReceipt(many).text).toMatch(/14\s/);
});

it('needs no elision before the name of a shop in French', () => {
  const { text } = renderReceipt(
    sampleReceipt({
      language: 'fr',
      organisation: { ...sampleReceipt().organisation, name: 'Orange Audio' },
    }),
  );
  expect(text).not.toMatch(/\b(de|que) Orange/);
  expect(text).toContain('chez Orange Audio');
});
