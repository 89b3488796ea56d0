import type { PendingEmail } from '@handover/domain';
import { expect, it } from 'vitest';
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
