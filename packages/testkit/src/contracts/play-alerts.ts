import {
  ALERT_DELAY_MS,
  type Alert,
  alertOfRejection,
  deliverRejected,
  fulfilOrder,
  type Order,
  type RejectedDelivery,
  recordDeliveries,
} from '@handover/domain';
import { claimEmail, emailOf } from '../complete-emails.ts';
import { makeLine, makeOrder, makeReceived } from '../samples.ts';
import type { OpenedShop } from './harness.ts';
import { listEmailJobs, sellByOrder } from './shop-actions.ts';

/** The pause between two mails. */
export const PAUSE_MS = 15 * ALERT_DELAY_MS;

/** Helpers that raise, mail and dismiss alerts in an organisation. */
export function playAlerts(opened: OpenedShop) {
  const { stores, shop, clock } = opened;
  const { orgId } = shop;
  const source = { orgId, platform: 'storefront-a', connectionId: shop.connection.id } as const;
  const receive = async (changes: Partial<Order>) => (await sellByOrder(opened, changes)).deliveryId;
  /** A request with a valid signature of the shop, as a store sees it. */
  const rejectedReader = {
    read: ({ bytes, headers, receivedAt }: RejectedDelivery) => ({
      ...source,
      receivedAt,
      bytes,
      headers,
      content: {
        kind: 'translated',
        entries: [{ kind: 'order', order: makeOrder(shop, REJECTED) }],
      } as const,
    }),
  };
  const ports = { ...opened, rejectedReader };
  return {
    fail: () => receive({ orderId: '1', lines: [makeLine('unknown')] }),
    receive: (orderId: string, email: string) => receive({ orderId, customer: { email, name: 'Ana' } }),
    receiveUnreadable: async (): Promise<string> => {
      const content = { kind: 'unreadable', problem: 'It is not JSON.' } as const;
      const received = makeReceived(shop, clock.now(), content);
      const recorded = await recordDeliveries(opened, received, 'in-request');
      return recorded.kind === 'recorded' ? (recorded.deliveries[0]?.id ?? '') : '';
    },
    /** A request with two events that cannot be read. Returns the first entry. */
    receiveTwoUnreadable: async (): Promise<string> => {
      const unreadable = { kind: 'error', orderId: null, reason: 'It names no order.' } as const;
      const content = { kind: 'translated', entries: [unreadable, unreadable] } as const;
      const recorded = await recordDeliveries(opened, makeReceived(shop, clock.now(), content), 'in-request');
      return recorded.kind === 'recorded' ? (recorded.deliveries[0]?.id ?? '') : '';
    },
    /** Runs the entry in a process that can read its order. */
    findOrder: (id: string) => fulfilOrder(opened, makeOrder(shop, { orderId: id }), { id, attempts: 0 }),
    reject: (isForged = false) => reject(ports, isForged),
    deliver: () => deliverRejected(ports, orgId, 'storefront-a'),
    /** The number that is counted, and the number that is listed. */
    summary: async (): Promise<readonly number[]> => {
      const [row] = await stores.rejected.summary(orgId);
      return [row?.kept ?? 0, (await stores.rejected.list(orgId, 'storefront-a', new Date(0))).length];
    },
    dismiss: (subject: string, seenAt: Date) =>
      stores.dismissals.dismiss(orgId, [
        {
          subject,
          seenAt,
          seenCount: 1,
          reason: 'A test.',
          by: 'jana@example.com',
          at: clock.now(),
        },
      ]),
    countMails: async () => (await listAlertJobs(opened)).length,
    /** Sends the collecting mail, and returns the deliveries or orders that it names. */
    mail: (answer: 'sent' | 'try-again' = 'sent') => mail(opened, answer),
  };
}

async function reject(
  opened: OpenedShop & Parameters<typeof alertOfRejection>[0],
  isForged: boolean,
): Promise<{ readonly rejected: RejectedDelivery; readonly alert: Alert | null }> {
  const { stores, clock, ids } = opened;
  const { orgId } = opened.shop;
  const reason = 'It fits no secret.';
  const rejected = {
    id: ids.next(),
    orgId,
    platform: 'storefront-a',
    receivedAt: clock.now(),
    source: 'a network',
    reason,
    bytes: new Uint8Array([123, 125]),
    headers: {},
    secretFingerprint: null,
    order: { orderId: REJECTED.orderId, normalizedEmail: 'ana@example.com' },
  };
  const alert = isForged ? null : await alertOfRejection(opened, rejected);
  const facts = { orgId, platform: 'storefront-a', count: 1, at: clock.now(), reason };
  await stores.rejected.record({ ...facts, kept: rejected, alert });
  return { rejected, alert };
}

async function mail(opened: OpenedShop, answer: 'sent' | 'try-again'): Promise<readonly (string | null)[]> {
  const { stores, shop, clock } = opened;
  clock.advance(ALERT_DELAY_MS);
  const jobs = await listAlertJobs(opened);
  await opened.dropJobs(jobs);
  const mailId = jobs[0]?.emailId ?? '';
  const at = clock.now();
  const claim = await claimEmail(stores, shop.orgId, mailId, at);
  const told = emailOf(claim, 'alert')?.alerts ?? [];
  if (claim.kind !== 'claimed') return [];
  const outcome = { kind: answer, at, answer: '451', reason: 'Not yet.', nextTryAt: at };
  await stores.outgoingEmails.complete(shop.orgId, mailId, claim.claimId, outcome);
  clock.advance(PAUSE_MS);
  return told.map(({ deliveryId, orderNumber }) => deliveryId ?? orderNumber);
}

async function listAlertJobs(opened: OpenedShop) {
  return (await listEmailJobs(opened, 'alert')).filter(({ orgId }) => orgId === opened.shop.orgId);
}

const REJECTED = { orderId: '1', orderNumber: '#1252' };
