import { limitMails, type Mailer, sendEmail } from '@handover/domain';
import { expect, test } from 'vitest';
import { decodeHtml, openDashboard } from './open-dashboard.ts';
import { deliverOrder } from './sell-purchases.ts';

/** A shop whose one mail of this hour is sent, with a receipt that waits. */
async function openPostponed() {
  const dashboard = await openDashboard();
  const { purchaseId, deliveryId, receiptId } = await deliverOrder(dashboard);
  const { clock, ports, shop } = dashboard;
  const mailer = limitMails({} as Mailer, { ...ports, clock, maxMailsPerHour: 1 });
  const hour = new Date(Math.floor(clock.now().getTime() / 3_600_000) * 3_600_000);
  await ports.mailCounts.take(shop.orgId, hour, 1);
  const sent = await sendEmail({ ...ports, siteUrl: '', mailer }, { orgId: shop.orgId, emailId: receiptId });
  expect(sent).toMatchObject({ answer: { kind: 'postponed' } });
  return { ...dashboard, purchaseId, deliveryId, owner: await dashboard.signIn('owner') };
}

test('a receipt beyond the limit shows as waiting on the overview, in the log and on its purchase', async () => {
  const { owner, purchaseId, deliveryId } = await openPostponed();
  const overview = decodeHtml((await owner.get('/dashboard/overview')).body);
  expect(overview).toContain('One receipt waits');
  expect(overview).toContain('It is sent after 10:00 UTC, and none is lost.');
  const log = decodeHtml((await owner.get(`/dashboard/webhook-log/${deliveryId}`)).body);
  expect(log).toContain('The limit of 1 mails an hour is reached, so this one waits until 10:00 UTC.');
  expect(log).toContain('Pending');
  const purchase = decodeHtml((await owner.get(`/dashboard/purchases/${purchaseId}`)).body);
  expect(purchase).toContain('Your organisation has sent as many mails as it may in one hour.');
});
