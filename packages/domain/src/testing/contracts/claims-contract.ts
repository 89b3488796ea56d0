import { ALERT_PATIENCE_MS } from '../../alerts/when-to-mail.ts';
import { fulfilOrder } from '../../fulfilment/fulfil-order.ts';
import type { Order } from '../../orders/order.ts';
import type { ClaimEnd } from '../../receipts/mail-claim.ts';
import type { TestRunner } from '../runner.ts';
import { makeLine, makeOrder, openShop, recordOrder } from '../samples.ts';
import { claimIdOf } from '../settle-mails.ts';
import type { CreateStores, OpenedShop } from './harness.ts';
import { openFreshShop } from './harness.ts';
import { openInviter } from './invite.ts';

const LATER_MS = 60 * 60 * 1000;
const ENDINGS = ['for-good', 'try-again'] as const;

type Ending = (typeof ENDINGS)[number];

/** One mail that is due, whatever kind it is of. */
interface DueMail {
  claim(): Promise<{ readonly kind: string; readonly claimId?: string }>;
  settle(claimId: string, ending: Ending): Promise<ClaimEnd>;
  release(claimId: string): Promise<void>;
  /** The same, as another organisation would ask; null for mails that belong to none. */
  readonly elsewhere: Pick<DueMail, 'settle' | 'release'> | null;
}

/** Each kind of mail is claimed in the same way. */
export function claimsContract({ describe, it, expect }: TestRunner, createStores: CreateStores): void {
  for (const [name, openMail] of Object.entries(MAILS)) {
    describe(`the claim of ${name}`, () => {
      const open = async () => {
        const opened = await openFreshShop(createStores);
        return { ...opened, mail: await openMail(opened) };
      };

      for (const ending of ENDINGS) {
        it(`that lapsed and was taken over changes nothing any more, though its answer is ${ending}`, async () => {
          const { mail, lapseClaims, queuedJobs } = await open();
          const first = claimIdOf(await mail.claim());
          await lapseClaims();
          const second = claimIdOf(await mail.claim());
          expect(second === first).toBe(false);
          const jobs = await queuedJobs();
          expect(await mail.settle(first, ending)).toBe('not-held');
          await mail.release(first);
          expect((await mail.claim()).kind).toBe('not-now');
          expect(await queuedJobs()).toEqual(jobs);
          expect(await mail.settle(second, ending)).toBe('settled');
        });

        it(`that lapsed is held until somebody takes it over: its answer ${ending} counts`, async () => {
          const { mail, lapseClaims } = await open();
          const claimId = claimIdOf(await mail.claim());
          await lapseClaims();
          expect(await mail.settle(claimId, ending)).toBe('settled');
          expect((await mail.claim()).kind).toBe(ending === 'for-good' ? 'settled' : 'not-now');
        });

        it(`ends once: ${ending}`, async () => {
          const { mail } = await open();
          const claimId = claimIdOf(await mail.claim());
          expect(await mail.settle(claimId, ending)).toBe('settled');
          expect(await mail.settle(claimId, ending)).toBe('not-held');
        });
      }

      it('that nobody renews keeps others off for a while, and then lapses', async () => {
        const { mail, lapseClaims } = await open();
        expect((await mail.claim()).kind).toBe('claimed');
        await lapseClaims(10_000);
        expect((await mail.claim()).kind).toBe('not-now');
        await lapseClaims();
        expect((await mail.claim()).kind).toBe('claimed');
        expect((await mail.claim()).kind).toBe('not-now');
      });

      it('that is given back lets the next one take it at once, as if it had not been taken', async () => {
        const { mail } = await open();
        const first = await mail.claim();
        await mail.release(claimIdOf(first));
        expect(await mail.settle(claimIdOf(first), 'for-good')).toBe('not-held');
        const second = await mail.claim();
        expect({ ...second, claimId: '' }).toEqual({ ...first, claimId: '' });
        expect(await mail.settle(claimIdOf(second), 'for-good')).toBe('settled');
      });

      it('is nobody else’s: an unknown one, or another organisation, ends nothing', async () => {
        const { mail } = await open();
        const claimId = claimIdOf(await mail.claim());
        expect(await mail.settle('nonsense', 'for-good')).toBe('not-held');
        await mail.release('nonsense');
        if (mail.elsewhere) {
          expect(await mail.elsewhere.settle(claimId, 'for-good')).toBe('not-held');
          await mail.elsewhere.release(claimId);
        }
        expect((await mail.claim()).kind).toBe('not-now');
        expect(await mail.settle(claimId, 'for-good')).toBe('settled');
      });
    });
  }
}

const MAILS: Readonly<Record<string, (opened: OpenedShop) => Promise<DueMail>>> = {
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

async function fulfil(opened: OpenedShop, order: Order) {
  const { id } = await recordOrder(opened, order);
  return fulfilOrder({ ...opened, fulfilment: opened.stores.fulfilment }, order, { id, attempts: 0 });
}
