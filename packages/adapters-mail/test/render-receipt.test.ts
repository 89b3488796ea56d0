import type { ReceiptMail } from '@handover/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../../test/any-character.ts';
import { renderReceipt } from '../src/index.ts';
import { readable } from './readable.ts';
import { sampleItem, sampleReceipt } from './sample-receipt.ts';

function hrefs(html: string): string[] {
  return [...html.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href);
}

function render(changes: Partial<ReceiptMail> = {}) {
  const { subject, html, text } = renderReceipt(sampleReceipt(changes));
  return { subject, html, text, page: readable(html) };
}

describe('a receipt for one product', () => {
  const { subject, html, text, page } = render();
  const { downloadUrl } = sampleItem();

  it('has this text', () => {
    expect(subject).toBe('Your download: Felt Piano');
    expect(page).toBe(
      'Lumen Audio Thank you, Ana. Felt Piano is ready. ' +
        'One button opens your download page, with all three files. Download Felt Piano ' +
        'The link works for 48 hours, until Friday 16 October at 14:02 UTC, and each time you open it the 48 hours start again. ' +
        'Expired? Get a new one at any time: get.lumen.audio/my ' +
        'Felt Piano 2.1 49.00 EUR 3 files, 6.3 GB in all Order #1186, 14 October 2026 ' +
        'Something wrong? Just reply, a person at Lumen Audio reads it. ' +
        `Button does nothing? Paste this into your browser: ${downloadUrl}`,
    );
  });

  it('breaks no line of its heading within the name of a product, where the sentence fits on one', () => {
    const [first, second] = html.match(/<span style="display:inline-block">[^<]*/g) ?? [];
    expect(first).toContain('>Thank you, Ana.');
    expect(second).toContain('>Felt Piano is ready.');
  });

  // WebKit 2.50 ends the process of a page with `pretty` text in which a long word, such as the address of /my, follows one.
  it('has no line break in text that Apple Mail lays out as pretty', () => {
    const [card = ''] = html.match(/class="card"[\s\S]*?<td class="below"/) ?? [];
    const broken = [...card.matchAll(/<p style="([^"]*)">(?:(?!<\/p>)[\s\S])*<br>/g)];
    expect(broken.map(([, style = '']) => style)).toEqual([expect.stringContaining('text-wrap:wrap')]);
  });

  it('has a plain-text part with the same sentences', () => {
    expect(text).toBe(`Thank you, Ana. Felt Piano is ready.

One link opens your download page, with all three files.

Felt Piano 2.1
3 files, 6.3 GB in all
49.00 EUR
${downloadUrl}

The link works for 48 hours, until Friday 16 October at 14:02 UTC, and each time you open it the 48 hours start again.
Expired? Get a new one at any time: https://get.lumen.audio/my

Order #1186, 14 October 2026

Something wrong? Just reply, a person at Lumen Audio reads it.

--\u0020
Lumen Audio
`);
  });

  it('has one button, the page for new links, and the plain link', () => {
    expect(hrefs(html)).toEqual([downloadUrl, sampleReceipt().myUrl, downloadUrl]);
  });

  it('is a light page without images, scripts or external resources', () => {
    expect(html).toMatch(/^<!doctype html>\n<html lang="en-GB"/);
    expect(html).toContain('<meta name="color-scheme" content="light">');
    expect(html).toContain('<title>Your download: Felt Piano</title>');
    expect(html).toContain('display:none');
    expect(html).not.toMatch(/<img|<script|<link|url\(|\ssrc=|@import/);
    expect(html).not.toMatch(/undefined|null|NaN|\[object/);
  });
});

describe('a receipt for several products', () => {
  const items = [
    sampleItem(),
    sampleItem({
      productName: 'Glass Keys',
      fileCount: 1,
      totalSize: 812_000_000,
      downloadUrl: 'https://s/2',
    }),
    sampleItem({ productName: 'Pads', version: null, currency: 'XXX', downloadUrl: 'https://s/3' }),
  ];
  const { subject, html, text, page } = render({ items });

  it('has a button for each product', () => {
    expect(subject).toBe('Your downloads from Lumen Audio');
    expect(page).toContain(
      'Thank you, Ana. Your three products are ready. Each button opens the download page of one product. ' +
        'Felt Piano 2.1 3 files, 6.3 GB in all · 49.00 EUR Download ' +
        'Glass Keys 2.1 1 file, 812 MB · 49.00 EUR Download Pads 3 files, 6.3 GB in all Download ' +
        'Each link works for 48 hours, until Friday 16 October at 14:02 UTC, and each time you open it the 48 hours start again.',
    );
    expect(page).toContain(`Buttons do nothing? Paste these into your browser: Felt Piano 2.1`);
    const urls = items.map(({ downloadUrl }) => downloadUrl);
    expect(hrefs(html)).toEqual([...urls, sampleReceipt().myUrl, ...urls]);
    expect(html).toContain('aria-label="Download Glass Keys 2.1"');
    for (const url of urls) expect(text.split('\n')).toContain(url);
  });

  it('names both in the subject when there are two, unless it gets too long', () => {
    const [first = sampleItem(), second = sampleItem()] = items;
    expect(render({ items: [first, second] }).subject).toBe('Your downloads: Felt Piano and Glass Keys');
    const long = sampleItem({ productName: 'Contemporary '.repeat(6) });
    expect(render({ items: [first, long] }).subject).toBe('Your downloads from Lumen Audio');
  });
});

describe('a receipt leaves out unknown parts', () => {
  it('the reply address, when nobody reads replies', () => {
    const { page, text } = render({ organisation: { name: 'Lumen Audio', replyTo: null } });
    for (const words of [page, text]) expect(words).not.toMatch(/reply/i);
    expect(page).toContain('get.lumen.audio/my Felt Piano 2.1');
  });

  it('the order number', () => {
    expect(render({ orderNumber: null }).page).toContain('Ordered on 14 October 2026');
    expect(render({ orderNumber: ' ' }).page).toContain('Ordered on 14 October 2026');
  });

  it('files that do not exist yet', () => {
    const { page, subject } = render({ items: [sampleItem({ fileCount: 0, totalSize: 0 })] });
    expect(subject).toBe('Your download: Felt Piano');
    expect(page).toContain(
      'Felt Piano is yours. Its files are not there yet. They will appear on your download page. ' +
        'Open the download page',
    );
    expect(page).toContain('No files yet');
    expect(page).not.toMatch(/0 files|0 bytes|ready/);
  });

  it.each([
    ['49.00', 'EUR', '49.00 EUR'],
    ['49', 'EUR', '49.00 EUR'],
    ['49.5', 'EUR', '49.50 EUR'],
    ['49.0000', 'EUR', '49.00 EUR'],
    ['49.005', 'EUR', '49.005 EUR'],
    ['1200', 'JPY', '1,200 JPY'],
    ['1200.00', 'JPY', '1,200 JPY'],
    ['1.5', 'KWD', '1.500 KWD'],
    ['49.00', 'XXX', null],
    ['49.00', 'euro', null],
    ['0.00', 'EUR', null],
    ['-5.00', 'EUR', null],
    ['about 5', 'EUR', null],
    ['', 'EUR', null],
  ])('shows an amount of %s %s as %s', (amount, currency, words) => {
    const { page, text } = render({ items: [sampleItem({ amount, currency })] });
    expect(page).toContain(words ? `Felt Piano 2.1 ${words} 3 files` : 'Felt Piano 2.1 3 files');
    expect(text.includes(`in all\n${words ?? 'https://'}`)).toBe(true);
  });
});

describe('the words for files', () => {
  it.each([
    [1, 'with your file.', '1 file, 3.1 MB'],
    [2, 'with both files.', '2 files, 3.1 MB in all'],
    [10, 'with all ten files.', '10 files, 3.1 MB in all'],
    [14, 'with all 14 files.', '14 files, 3.1 MB in all'],
  ])('%i', (fileCount, lead, files) => {
    const { page } = render({ items: [sampleItem({ fileCount, totalSize: 3_100_000 })] });
    expect(page).toContain(`One button opens your download page, ${lead}`);
    expect(page).toContain(files);
  });

  it.each([
    [0, '0 bytes'],
    [1, '1 byte'],
    [999, '999 bytes'],
    [1000, '1 kB'],
    [12_400, '12.4 kB'],
    [999_499, '999 kB'],
    [999_501, '1 MB'],
    [99_960, '100 kB'],
    [3_140_000, '3.1 MB'],
    [104_400_000, '104 MB'],
    [999_960_000, '1 GB'],
    [6_300_000_000, '6.3 GB'],
    [2_000_000_000_000, '2 TB'],
  ])('%i bytes', (totalSize, words) => {
    expect(render({ items: [sampleItem({ fileCount: 1, totalSize })] }).page).toContain(`1 file, ${words} `);
  });
});

describe('the greeting', () => {
  it.each([
    ['Ana Lima', 'Ana'],
    ['  ana   lima ', 'ana'],
    ['Lima, Ana Maria', 'Ana'],
    ['Ana Lima, PhD', 'Ana'],
    ['Dr. Ana Lima', 'Ana'],
    ['Jean-Luc O’Neill', 'Jean-Luc'],
    ["D'Angelo", "D'Angelo"],
    ['Žofie', 'Žofie'],
    ['山田太郎', '山田太郎'],
    ['José\u0301', 'José\u0301'],
    ['山田 太郎', null],
    ['김 민수', null],
    ['マリア ロペス', 'マリア'],
    ['', null],
    ['ana.lima', null],
    ['ANA.LIMA', null],
    ['A. Lima', null],
    ['A Lima', null],
    ['Mr', null],
    ['Acme, Inc', null],
    ['ana@example.com', null],
    ['http://evil.example/win', null],
    ['evil.example', null],
    ['<b>Ana</b>', null],
    ['4ever', null],
    ['A'.repeat(31), null],
  ])('for “%s” is %s', (name, said) => {
    const { page, text } = render({ to: { email: 'ana.lima@example.com', name } });
    const greeting = said ? `Thank you, ${said}. Felt` : 'Thank you. Felt';
    expect(page).toContain(greeting);
    expect(text).toContain(greeting);
  });
});

describe('foreign text', () => {
  const foreign = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 200 }),
    fc
      .array(
        fc.constantFrom(
          '<',
          '>',
          '"',
          "'",
          '&',
          '=',
          '!',
          '\r\n',
          '\0',
          '$',
          '{x}',
          '</td>',
          'x',
          ' ',
          '-->',
        ),
      )
      .map((parts) => parts.join('')),
  );

  it('never becomes markup or a new line', () => {
    const shape = (html: string) => html.replace(/>[^<]*/g, '>').replace(/aria-label="[^"]*"/g, '');
    const expected = render({ items: [sampleItem(), sampleItem()] });
    fc.assert(
      fc.property(foreign, foreign, (name, other) => {
        const item = sampleItem({ productName: name, version: other });
        const rendered = renderReceipt(
          sampleReceipt({
            organisation: { name: other, replyTo: 'help@lumen.audio' },
            to: { email: 'ana@example.com', name },
            orderNumber: other,
            items: [item, item],
          }),
        );
        expect(shape(rendered.html)).toBe(shape(expected.html));
        expect(rendered.subject).not.toMatch(/[\p{Cc}]/u);
        expect([...rendered.subject].length).toBeLessThanOrEqual(150);
        expect(rendered.text.split('\n')).toHaveLength(expected.text.split('\n').length);
      }),
      { numRuns: 500 },
    );
  });

  it('that is long gets our own button label', () => {
    const productName = 'The Complete Orchestral Percussion Collection';
    expect(render({ items: [sampleItem({ productName })] }).page).toContain('Open the download page');
  });
});
