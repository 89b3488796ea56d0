import {
  type ClaimEnd,
  type EmailClaim,
  type EmailKind,
  type EmailOutcome,
  requestSignIn,
} from '@handover/domain';
import { type EmailJob, sendsEmail } from '../complete-emails.ts';
import { makeLine, makeOrder, openShop } from '../samples.ts';
import type { MailShop } from './harness.ts';
import { openInviter } from './invite.ts';
import { fulfil } from './shop-actions.ts';

/** Short enough that a sign-in link still works. */
const LATER_MS = 5 * 60 * 1000;
export const ENDINGS = ['sent', 'try-again'] as const;

/** A due e-mail of any kind. */
export interface DueMail {
  readonly job: EmailJob;
  claim(at?: Date): Promise<EmailClaim>;
  complete(claimId: string, ending: EmailOutcome['kind']): Promise<ClaimEnd>;
  release(claimId: string): Promise<void>;
  /** The same calls with the id of another organisation. */
  readonly elsewhere: Pick<DueMail, 'claim' | 'complete' | 'release'>;
}

/** Makes a due e-mail of each kind in a new shop. */
export const DUE_MAILS: Readonly<Record<string, (opened: MailShop) => Promise<DueMail>>> = {
  'a receipt': (opened) => openDueMail(opened, 'receipt'),
  'a mail of alerts': (opened) => openDueMail(opened, 'alert'),
  'a mail with new links': (opened) => openDueMail(opened, 'links'),
  'the mail of an invitation': (opened) => openDueMail(opened, 'invitation'),
  'the mail of a sign-in': (opened) => openDueMail(opened, 'sign-in'),
  'the mail about a new device': (opened) => openDueMail(opened, 'new-device'),
};

async function openDueMail(opened: MailShop, kind: EmailKind): Promise<DueMail> {
  const { stores, clock, ids } = opened;
  await CAUSES[kind](opened);
  const job = (await opened.queuedJobs()).find(sendsEmail(kind));
  if (!job) throw new Error(`No e-mail is queued of the kind ${kind}.`);
  clock.advance(Math.max(0, job.startAfter.getTime() - clock.now().getTime()));
  const { emailId } = job;
  const { outgoingEmails } = stores;
  const as = (orgId: string) => ({
    claim: (at = clock.now()) => outgoingEmails.claim(orgId, emailId, at, () => ids.next()),
    complete: (claimId: string, ending: EmailOutcome['kind']) =>
      outgoingEmails.complete(orgId, emailId, claimId, outcomeOf(ending, clock.now())),
    release: (claimId: string) => outgoingEmails.release(orgId, emailId, claimId),
  });
  return { job, ...as(job.orgId), elsewhere: as((await openShop(opened, 'Other')).orgId) };
}

const CAUSES: Readonly<Record<EmailKind, (opened: MailShop) => Promise<unknown>>> = {
  receipt: (opened) => fulfil(opened, makeOrder(opened.shop)),
  alert: (opened) => fulfil(opened, makeOrder(opened.shop, { lines: [makeLine('unknown')] })),
  links: async (opened) => {
    await fulfil(opened, makeOrder(opened.shop));
    const { stores, clock, ids } = opened;
    await stores.downloadLinkEmails.requestAll({
      mailId: ids.next(),
      email: 'ana@example.com',
      at: clock.now(),
    });
  },
  invitation: async (opened) => (await openInviter(opened)).invited('jo@example.com'),
  'sign-in': async (opened) => {
    const { inviterEmail: email } = await openInviter(opened);
    await requestSignIn(opened, { email, network: opened.ids.next(), client: 'Firefox on Linux' });
  },
  'new-device': async ({ stores, apiKeys, shop, ids, clock }) => {
    const owner = await stores.users.findByKeyHash(apiKeys.hash(shop.ownerKey) ?? '');
    for (const hash of ['a', 'b']) {
      const device = { id: ids.next(), hash, client: 'Firefox on Linux', at: clock.now() };
      await stores.devices.see(owner?.userId ?? '', device);
    }
  },
};

function outcomeOf(kind: EmailOutcome['kind'], at: Date): EmailOutcome {
  if (kind === 'sent') return { kind, at, answer: '250' };
  const failed = { at, answer: '451', reason: 'Not yet.' };
  return kind === 'refused' ? { kind, ...failed } : { kind, ...failed, nextTryAt: laterThan(at) };
}

/** When a postponed e-mail is due again. */
export function laterThan(at: Date): Date {
  return new Date(at.getTime() + LATER_MS);
}
