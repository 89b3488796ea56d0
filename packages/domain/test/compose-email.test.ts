import type { PendingEmail } from '@handover/domain';
import { expect, it } from 'vitest';
import { type ComposePorts, composeEmail } from '../src/email/compose-email.ts';

it('each alert of a mail has the address of its delivery, or of the purchases where it has none', async () => {
  const mail = {
    ...{ kind: 'alert', id: 'mail-1', orgId: 'org-1', organisationName: 'Halo Audio', to: [], more: 0 },
    alerts: [{ deliveryId: 'delivery-1' }, { deliveryId: null }],
  } as unknown as PendingEmail;
  const ports = { siteUrl: 'https://get.example.com' } as ComposePorts;
  expect(await composeEmail(mail, ports, new Date(0))).toMatchObject({
    alerts: [
      { url: 'https://get.example.com/dashboard/webhook-log/delivery-1' },
      { url: 'https://get.example.com/dashboard/purchases' },
    ],
    logUrl: 'https://get.example.com/dashboard/webhook-log',
  });
});
