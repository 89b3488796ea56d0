import { ALERT_PATIENCE_MS } from '../../alerts/when-to-mail.ts';
import { fulfilOrder } from '../../fulfilment/fulfil-order.ts';
import type { Order } from '../../orders/order.ts';
import type { ClaimEnd } from '../../receipts/mail-claim.ts';
import { makeLine, makeOrder, openShop, recordOrder } from '../samples.ts';
import type { MailShop } from './harness.ts';
import { openInviter } from './invite.ts';

const LATER_MS = 60 * 60 * 1000;
export const ENDINGS = ['for-good', 'try-again'] as const;

type Ending = (typeof ENDINGS)[number];

/** One mail that is due, whatever kind it is of. */
export interface DueMail {
  claim(): Promise<{ readonly kind: string; readonly claimId?: string; readonly at?: Date }>;
  settle(claimId: string, ending: Ending): Promise<ClaimEnd>;
  release(claimId: string): Promise<void>;
  /** The same, as another organisation would ask; null for mails that belong to none. */
  readonly elsewhere: Pick<DueMail, 'settle' | 'release'> | null;
}

/** Each kind of mail, due in a shop that is new. */
export const DUE_MAILS: Readonly<Record<string, (opened: MailShop) => Promise<DueMail>>> = {
  'a receipt': async (opened) => {
    const { stores, shop, clock } = opened;
    const receiptId = (await fulfil(opened, makeOrder(shop))).receipt?.id ?? '';
    const { receipts } = stores;
    const as = (orgId: string) => ({
      settle: (claimId: string, ending: Ending) =>
        receipts.settle(orgId, receiptId, claimId, outcomeOf(ending, clock.now())),
      release: (claimId: string) => receipts.release(orgId, receiptId, claimId),
    });
    return {
      claim: () => receipts.claim(shop.orgId, receiptId, clock.now()),
      ...as(shop.orgId),
      elsewhere: as((await openShop(opened, 'Other')).orgId),
    };
  },

  'a mail of alerts': async (opened) => {
    const { stores, shop, clock } = opened;
    await fulfil(opened, makeOrder(shop, { lines: [makeLine('unknown')] }));
    const job = (await opened.queuedJobs()).find(({ kind }) => kind === 'send-alerts');
    const mailId = job?.kind === 'send-alerts' ? job.mailId : '';
    clock.advance(ALERT_PATIENCE_MS);
    const { alerts } = stores;
    const as = (orgId: string) => ({
      settle: (claimId: string, ending: Ending) =>
        alerts.settle(orgId, mailId, claimId, outcomeOf(ending, clock.now())),
      release: (claimId: string) => alerts.release(orgId, mailId, claimId),
    });
    return {
      claim: () => alerts.claim(shop.orgId, mailId, clock.now()),
      ...as(shop.orgId),
      elsewhere: as((await openShop(opened, 'Other')).orgId),
    };
  },

  'a mail with new links': async (opened) => {
    const { stores, shop, clock, ids } = opened;
    await fulfil(opened, makeOrder(shop));
    const mailId = ids.next();
    const { linkMails } = stores;
    await linkMails.requestAll({ mailId, email: 'ana@example.com', at: clock.now() });
    return {
      claim: () => linkMails.claim(mailId, clock.now(), () => ids.next()),
      settle: (claimId, ending) =>
        linkMails.settle(
          mailId,
          claimId,
          ending === 'for-good' ? { kind: 'done' } : { kind: ending, nextTryAt: later(clock.now()) },
        ),
      release: (claimId) => linkMails.release(mailId, claimId),
      elsewhere: null,
    };
  },

  'the mail of an invitation': async (opened) => {
    const inviter = await openInviter(opened);
    const { orgId } = inviter;
    const id = await inviter.invited('jo@example.com');
    const { clock } = opened;
    const { invitations } = opened.stores;
    const as = (ofOrg: string) => ({
      settle: (claimId: string, ending: Ending) =>
        invitations.settleMail(
          ofOrg,
          id,
          claimId,
          ending === 'for-good'
            ? { kind: 'sent', answer: '250' }
            : { kind: ending, answer: '451', nextTryAt: later(clock.now()) },
        ),
      release: (claimId: string) => invitations.releaseMail(ofOrg, id, claimId),
    });
    return {
      claim: () => invitations.claimMail(orgId, id, clock.now()),
      ...as(orgId),
      elsewhere: as((await openShop(opened, 'Other')).orgId),
    };
  },
};

function outcomeOf(ending: Ending, at: Date) {
  return ending === 'for-good'
    ? ({ kind: 'sent', at, answer: '250' } as const)
    : ({ kind: ending, at, answer: '451', reason: 'Not yet.', nextTryAt: later(at) } as const);
}

function later(at: Date): Date {
  return new Date(at.getTime() + LATER_MS);
}

async function fulfil(opened: MailShop, order: Order) {
  const { id } = await recordOrder(opened, order);
  return fulfilOrder({ ...opened, fulfilment: opened.stores.fulfilment }, order, { id, attempts: 0 });
}
