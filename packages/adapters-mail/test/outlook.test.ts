import { expect, it } from 'vitest';
import { renderDownloadLinkEmail, renderReceipt, renderSignIn } from '../src/index.ts';
import { sampleLinks } from './sample-links.ts';
import { sampleItem, sampleReceipt } from './sample-receipt.ts';

/** Outlook for Windows draws mails with Word, which knows little CSS. */
const MAILS = {
  receipt: renderReceipt(sampleReceipt()),
  'receipt of two': renderReceipt(
    sampleReceipt({ items: [sampleItem(), sampleItem({ productName: 'Pads' })] }),
  ),
  links: renderDownloadLinkEmail(sampleLinks()),
  'sign-in': renderSignIn({
    ...{ kind: 'sign-in', mailId: 'm', orgId: null, to: { email: 'jo@example.com', name: 'Jo' } },
    ...{ requestedAt: new Date(0), url: 'https://get.lumen.audio/sign-in/token' },
  }),
};

it.each(Object.entries(MAILS))(
  'has room around the words of each button of the %s, where Word ignores that of a link',
  (_, { html }) => {
    const cells = [
      ...html.matchAll(/<td bgcolor="[^"]*" style="([^"]*)">\s*<a [^>]*style="[^"]*padding:([^;]*)/g),
    ];
    expect(cells.length).toBeGreaterThan(0);
    for (const [, style, padding] of cells) expect(style).toContain(`mso-padding-alt:${padding}`);
  },
);

it.each(Object.entries(MAILS))('names a font of Windows for the %s, and hides its preview', (_, { html }) => {
  expect(html).toMatch(/<!--\[if mso\]><style>[^<]*font-family: 'Segoe UI', Arial, sans-serif !important/);
  expect(html).toMatch(/<div style="display:none;mso-hide:all;/);
});

it('is not clipped by Gmail, which shows 102 kB, for an order of sixty products', () => {
  const items = Array.from({ length: 60 }, (_, at) =>
    sampleItem({
      productName: `Contemporary Orchestral Percussion ${at}`,
      downloadUrl: `https://downloads.lumen.audio/d/${'A'.repeat(64)}${at}`,
    }),
  );
  expect(Buffer.byteLength(renderReceipt(sampleReceipt({ items })).html)).toBeLessThan(102_000);
});
