import type { PendingEmail } from '@handover/domain';
import { createFakeComposing } from '@handover/testkit';
import { describe, expect, it } from 'vitest';
import { type ComposePorts, composeEmail } from '../src/email/compose-email.ts';

it('each alert of a mail has the address of its delivery, of the purchases where it has none, or of the list of its kind', async () => {
  const mail = {
    ...{ kind: 'alert', id: 'mail-1', orgId: 'org-1', organisationName: 'Halo Audio', to: [], more: 0 },
    alerts: [{ deliveryId: 'delivery-1' }, { deliveryId: null }, ...OF_A_KIND],
  } as unknown as PendingEmail;
  const ports = { siteUrl: 'https://get.example.com' } as ComposePorts;
  expect(await composeEmail(mail, ports, new Date(0))).toMatchObject({
    alerts: [
      { url: 'https://get.example.com/dashboard/webhook-log/delivery-1' },
      { url: 'https://get.example.com/dashboard/purchases' },
      { url: 'https://get.example.com/dashboard/webhook-log/delivery-2' },
      { url: 'https://get.example.com/dashboard/webhook-log?status=error' },
      { url: 'https://get.example.com/dashboard/settings/integrations/storefront-b/rejected' },
    ],
    logUrl: 'https://get.example.com/dashboard/webhook-log',
  });
});

const OF_A_KIND = [
  { cause: 'unreadable', deliveryId: 'delivery-2', orderNumber: '7' },
  { cause: 'unreadable', deliveryId: 'delivery-3', orderNumber: null },
  { cause: 'rejected', deliveryId: null, orderNumber: '#1252', platform: 'storefront-b' },
];

describe('a mail with new links', () => {
  const item = { productName: 'Pads', linkId: 'link-1' };
  const shop = {
    orgId: 'org-1',
    name: 'Halo Audio',
    email: 'shop@example.com',
    language: 'de',
    items: [item],
  };
  const mail = {
    ...{ kind: 'links', id: 'mail-1', to: { email: 'ana@example.com', name: 'Ana' }, language: null },
    ...{ leftOut: false, opensLibrary: true, shops: [{ ...shop, timeZone: 'Europe/Berlin' }] },
  };
  const composing = createFakeComposing();
  const libraryUrl = (...words: readonly string[]) => `https://get.example.com/my/${words.join('/')}`;
  const ports = { ...composing, tokens: { ...composing.tokens, libraryUrl } };
  const compose = (changes: object, others: object = {}) =>
    composeEmail({ ...mail, ...changes } as unknown as PendingEmail, { ...ports, ...others }, new Date(0));

  it('leads to the library by its newest link, in the language and the time zone of its first shop', async () => {
    expect(await compose({})).toMatchObject({
      libraryUrl: 'https://get.example.com/my/org-1/link-1/ana@example.com',
      language: 'de',
      timeZone: 'Europe/Berlin',
    });
  });

  it('leads to no library without a link, without pages for one, or if it is about one purchase', async () => {
    expect(await compose({ shops: [] })).toMatchObject({ libraryUrl: null, timeZone: 'UTC' });
    expect(await compose({ shops: [{ ...shop, items: [] }] })).toMatchObject({ libraryUrl: null });
    const { libraryUrl: _, ...tokens } = ports.tokens;
    expect(await compose({}, { tokens })).toMatchObject({ libraryUrl: null });
    expect(await compose({ opensLibrary: false })).toMatchObject({ libraryUrl: null });
  });
});

it('a mail about a sign-in on a new device leads to the sessions, and one about a sign-in to that', async () => {
  const at = new Date(0);
  const device = {
    kind: 'new-device',
    id: 'mail-1',
    orgId: 'org-1',
    to: 'jana@example.com',
    client: 'Firefox',
    at,
  };
  const ports = createFakeComposing('https://get.example.com');
  expect(await composeEmail(device as unknown as PendingEmail, ports, at)).toEqual({
    ...{
      kind: 'new-device',
      mailId: 'mail-1',
      orgId: 'org-1',
      to: 'jana@example.com',
      client: 'Firefox',
      at,
    },
    url: 'https://get.example.com/dashboard/settings/security',
  });
  const signIn = { kind: 'sign-in', id: 'mail-2', orgId: null, to: 'jana@example.com', requestedAt: at };
  expect(await composeEmail(signIn as unknown as PendingEmail, ports, at)).toEqual({
    ...{ kind: 'sign-in', mailId: 'mail-2', orgId: null, to: 'jana@example.com', requestedAt: at },
    url: ports.signInTokens.url('mail-2'),
  });
});
