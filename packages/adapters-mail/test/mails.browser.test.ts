import { LANGUAGES } from '@handover/domain';
import { expect, test } from 'vitest';
import { measureOverflow, runAxe, takePicture, useBrowser } from '../../../test/browser.ts';
import {
  type RenderedMail,
  renderDownloadLinkEmail,
  renderInvitation,
  renderReceipt,
  renderSignIn,
} from '../src/index.ts';
import { sampleLinks } from './sample-links.ts';
import { sampleItem, sampleReceipt } from './sample-receipt.ts';

const browser = useBrowser();

const TO = { email: 'jo@example.com', name: 'Jo' };
const SECOND = sampleItem({ productName: 'Contemporary Orchestral Percussion', downloadUrl: 'https://s/2' });
const { shops } = sampleLinks();
const TWO_SHOPS = [...shops, ...shops.map((shop) => ({ ...shop, orgId: 'b', name: 'Nocturne' }))];

/** Every mail with a link, in each of its forms; the ones for buyers in every language. */
const MAILS: readonly (readonly [string, RenderedMail])[] = [
  ...LANGUAGES.flatMap((language) => [
    [`receipt-${language}`, renderReceipt(sampleReceipt({ language }))] as const,
    [
      `receipt-two-${language}`,
      renderReceipt(sampleReceipt({ language, items: [sampleItem(), SECOND] })),
    ] as const,
    [`link-${language}`, renderDownloadLinkEmail(sampleLinks({ language }))] as const,
    [
      `library-${language}`,
      renderDownloadLinkEmail(
        sampleLinks({
          language,
          shops: TWO_SHOPS,
          libraryUrl: 'https://get.lumen.audio/my/AZLzqMQeesGSkQ7mZr2Xw9b1',
        }),
      ),
    ] as const,
    [
      `links-${language}`,
      renderDownloadLinkEmail(sampleLinks({ language, shops: TWO_SHOPS, leftOut: true })),
    ] as const,
  ]),
  [
    'sign-in',
    renderSignIn({
      ...{ kind: 'sign-in', mailId: 'm', orgId: null, to: TO, requestedAt: new Date(0) },
      url: 'https://get.lumen.audio/sign-in/token',
    }),
  ],
  [
    'invitation',
    renderInvitation({
      ...{ kind: 'invitation', mailId: 'm', orgId: 'o', organisationName: 'Lumen Audio', inviter: 'Jana' },
      ...{ role: 'member', to: TO, expiresAt: new Date(0), url: 'https://get.lumen.audio/invitations/token' },
    }),
  ],
];

test('every mail is accessible, and fits on a screen of 320 pixels', async () => {
  const page = await (await browser.open({ viewport: { width: 640, height: 800 } })).newPage();
  for (const [name, { html }] of MAILS) {
    await page.setContent(html);
    expect.soft(await runAxe(page, 'all'), name).toEqual([]);
    await takePicture(page, `mail-${name}`);
    await page.setViewportSize({ width: 320, height: 640 });
    expect.soft(await measureOverflow(page), `${name} scrolls sideways`).toBe(0);
    await takePicture(page, `mail-${name}-320`);
    await page.setViewportSize({ width: 640, height: 800 });
  }
});
