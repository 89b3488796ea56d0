import type { AlertMail, AlertNotice } from '@handover/domain';

export const ALERT_MAIL_ID = '0192f3a8-c41e-7000-8000-000000000001';
export const LOG_URL = 'https://get.lumen.audio/dashboard/webhook-log';

export function sampleNotice(changes: Partial<AlertNotice> = {}): AlertNotice {
  return {
    cause: 'not-delivered',
    platform: 'storefront-b',
    orderNumber: '#1186',
    customerEmail: 'ana.lima@example.com',
    reason: 'No product is known for SKU PAD-9. Map it to a product, or ignore it.',
    at: new Date('2026-10-14T12:02:00Z'),
    url: `${LOG_URL}/${ALERT_MAIL_ID}`,
    ...changes,
  };
}

export function sampleAlertMail(changes: Partial<AlertMail> = {}): AlertMail {
  return {
    kind: 'alert',
    mailId: ALERT_MAIL_ID,
    orgId: '0192f3a8-c41e-7000-8000-0000000000aa',
    organisationName: 'Lumen Audio',
    to: ['owner@lumen.audio', 'second@lumen.audio'],
    alerts: [sampleNotice()],
    more: 0,
    logUrl: LOG_URL,
    ...changes,
  };
}
