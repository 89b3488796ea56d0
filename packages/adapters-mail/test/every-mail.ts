import { type AlertMail, createPlatforms, LANGUAGES } from '@handover/domain';
import { composeAlerts } from '../src/compose-email.ts';
import {
  type RenderedMail,
  readSender,
  renderDownloadLinkEmail,
  renderInvitation,
  renderNewDevice,
  renderReceipt,
  renderSignIn,
} from '../src/index.ts';
import { sampleAlertMail, sampleNotice } from './sample-alerts.ts';
import { sampleLinkItem, sampleLinks } from './sample-links.ts';
import { sampleItem, sampleReceipt } from './sample-receipt.ts';

const SENDER = readSender('Handover <orders@get.lumen.audio>');
const TO = { email: 'jo@example.com', name: 'Jo' };
const SECOND = sampleItem({ productName: 'Contemporary Orchestral Percussion', downloadUrl: 'https://s/2' });
const { shops } = sampleLinks();
const TWO_SHOPS = [...shops, ...shops.map((shop) => ({ ...shop, orgId: 'b', name: 'Nocturne' }))];

const LONG_ORDER = {
  libraryUrl: 'https://get.lumen.audio/my/AZLzqMQeesGSkQ7mZr2Xw9b1',
  shops: TWO_SHOPS.map((shop) => ({
    ...shop,
    items: [
      sampleLinkItem({ orderNumber: '#LUMEN-2026-001186', boughtAt: new Date('2026-09-28T12:00:00Z') }),
    ],
  })),
};

const ALERTS: Readonly<Record<string, AlertMail>> = {
  alert: sampleAlertMail(),
  'alert-rejected': sampleAlertMail({ alerts: [sampleNotice({ cause: 'rejected' })] }),
  alerts: sampleAlertMail({
    alerts: [
      sampleNotice(),
      sampleNotice({ cause: 'receipt-refused', reason: '550 5.1.1 There is no such mailbox.' }),
      sampleNotice({ cause: 'unreadable', orderNumber: null, customerEmail: null }),
    ],
    more: 9,
  }),
};

/** Every mail with a link, in each of its forms; the ones for buyers in every language. */
export const EVERY_MAIL: readonly (readonly [string, Pick<RenderedMail, 'html'>])[] = [
  ...Object.entries(ALERTS).flatMap(([name, mail]) => {
    const composed = composeAlerts(mail, SENDER, createPlatforms());
    return composed ? [[name, composed] as const] : [];
  }),
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
    [`library-long-${language}`, renderDownloadLinkEmail(sampleLinks({ language, ...LONG_ORDER }))] as const,
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
    'new-device',
    renderNewDevice({
      ...{ kind: 'new-device', mailId: 'm', orgId: 'o', to: TO, at: new Date(0) },
      ...{ client: 'Firefox on Windows, 203.0.113.0/24', url: 'https://get.lumen.audio/security' },
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
