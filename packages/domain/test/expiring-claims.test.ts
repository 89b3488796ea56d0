import type { EmailKind, MailAnswer, MailClaim, Mailer } from '@handover/domain';
import {
  ALERT_DELAY_MS,
  CLAIM_LASTS_MS,
  fulfilOrder,
  limitMails,
  maySend,
  requestSignIn,
  SENDING_MARGIN_MS,
  sendEmail,
} from '@handover/domain';
import { createFakeComposing, makeLine, makeOrder, recordOrder, sendsEmail } from '@handover/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hourOf } from '../src/email/limit-mails.ts';
import { openShopInMemory } from './open-shop-in-memory.ts';

const LIMIT = 10;
const KINDS = ['receipt', 'links', 'alert', 'invitation', 'sign-in'] as const;

/** A shop with one due mail of each kind, and the job of each. `stall`: what happens between the claim and its mail. */
async function openMails(stall: (ports: Awaited<ReturnType<typeof openShopInMemory>>) => void) {
  const ports = await openShopInMemory();
  const { shop, stores, clock, ids } = ports;
  const fulfil = async (order = makeOrder(shop)) => {
    const { id } = await recordOrder(ports, order);
    return fulfilOrder(ports, order, { id, attempts: 0 });
  };
  await fulfil();
  await fulfil(makeOrder(shop, { orderId: 'unknown', lines: [makeLine('unknown')] }));
  const mailId = ids.next();
  await stores.downloadLinkEmails.requestAll({ mailId, email: 'ana@example.com', at: clock.now() });
  const invitationId = ids.next();
  const [owner] = await stores.team.list(shop.orgId);
  await stores.invitations.add({
    id: invitationId,
    orgId: shop.orgId,
    email: 'jo@example.com',
    name: 'Jo',
    role: 'member',
    invitedBy: owner?.id ?? '',
    createdAt: clock.now(),
    expiresAt: new Date(clock.now().getTime() + 1_000_000),
  });
  await requestSignIn(
    { ...ports, ...stores },
    { email: owner?.email ?? '', network: ids.next(), client: 'Firefox on Linux' },
  );
  const queued = await stores.queuedJobs();
  clock.advance(ALERT_DELAY_MS);

  const claims: (MailClaim | undefined)[] = [];
  let answer: () => Promise<MailAnswer> = async () => ({ kind: 'accepted', answer: '250 OK' });
  const send = (_mail: unknown, claim?: MailClaim) => {
    claims.push(claim);
    return answer();
  };
  const mailer: Mailer = { send };
  const mailCounts = {
    ...stores.mailCounts,
    take: async (...asked: Parameters<typeof stores.mailCounts.take>) => {
      const taken = await stores.mailCounts.take(...asked);
      stall(ports);
      return taken;
    },
  };
  const limited = limitMails(mailer, { ...stores, clock, mailCounts, maxMailsPerHour: LIMIT });
  let areLinksBroken = false;
  const unlessBroken = <Value>(value: Value): Value => {
    if (areLinksBroken) throw new Error('no link');
    return value;
  };
  const all = {
    ...createFakeComposing(),
    ...stores,
    clock,
    ids,
    mailer: {
      // What composes some kinds asks no port.
      send: (...mail: Parameters<typeof limited.send>) => unlessBroken(limited).send(...mail),
    },
  };
  const jobOf = (kind: EmailKind) => async () => {
    const job = queued.find(sendsEmail(kind));
    if (!job) throw new Error(`No e-mail is queued of the kind ${kind}.`);
    return sendEmail(all, job);
  };
  const jobs = {
    receipt: jobOf('receipt'),
    links: jobOf('links'),
    alert: jobOf('alert'),
    invitation: jobOf('invitation'),
    'sign-in': jobOf('sign-in'),
  };
  return {
    ...ports,
    jobs,
    sent: () => claims.length,
    claims,
    /** No mail can be composed until the answer is called. */
    breakLinks: () => {
      areLinksBroken = true;
      return () => {
        areLinksBroken = false;
      };
    },
    setAnswer: (next: typeof answer) => {
      answer = next;
    },
  };
}

describe.each(KINDS)(
  'a process that stands still between the claim of a mail and its sending: %s',
  (kind) => {
    it('does not begin it, counts nothing, and lets the next try have it at once', async () => {
      let isStalling = true;
      const { jobs, sent, stores, shop, clock } = await openMails(({ clock }) => {
        if (isStalling) clock.advance(CLAIM_LASTS_MS - SENDING_MARGIN_MS + 1);
      });
      expect(await jobs[kind]()).toEqual({ kind: 'not-now', at: clock.now() });
      expect(sent()).toBe(0);
      isStalling = false;
      expect(await jobs[kind]()).toMatchObject({ kind: 'answered', end: 'completed' });
      expect(sent()).toBe(1);
      const { startsAt } = hourOf(clock.now());
      expect(await stores.mailCounts.take(shop.orgId, startsAt, 2)).toBe(true);
      expect(await stores.mailCounts.take(shop.orgId, startsAt, 2)).toBe(false);
    });

    it('sends it under the claim that was taken, so that the mailer can tell whether it still has it', async () => {
      const { jobs, claims, clock } = await openMails(() => undefined);
      await jobs[kind]();
      expect(claims).toEqual([{ claimId: '1', askedAt: clock.now() }]);
    });

    it('gives the claim back when sending throws', async () => {
      const { jobs, setAnswer } = await openMails(() => undefined);
      setAnswer(() => Promise.reject(new Error('out of memory')));
      await expect(jobs[kind]()).rejects.toThrow('out of memory');
      setAnswer(async () => ({ kind: 'accepted', answer: '250 OK' }));
      expect(await jobs[kind]()).toMatchObject({ kind: 'answered', end: 'completed' });
    });

    it('gives the claim back when its mail cannot be composed', async () => {
      const { jobs, breakLinks } = await openMails(() => undefined);
      const mendLinks = breakLinks();
      await expect(jobs[kind]()).rejects.toThrow('no link');
      mendLinks();
      expect(await jobs[kind]()).toMatchObject({ kind: 'answered', end: 'completed' });
    });

    it('says so when its answer came after the claim was lost', async () => {
      const { jobs, setAnswer, stores } = await openMails(() => undefined);
      const ACCEPTED = { kind: 'accepted', answer: '250 OK' } as const;
      setAnswer(async () => {
        setAnswer(async () => ACCEPTED);
        await stores.expireClaims();
        await jobs[kind]();
        return ACCEPTED;
      });
      expect(await jobs[kind]()).toEqual(
        expect.objectContaining({ kind: 'answered', answer: ACCEPTED, end: 'not-held' }),
      );
    });
  },
);

it('a mail is begun only within the time that its claim lasts, less the margin', () => {
  const at = (milliseconds: number) => new Date(1_000_000 + milliseconds);
  fc.assert(
    fc.property(fc.integer({ min: -60_000, max: 60_000 }), (elapsed) => {
      const isSure = elapsed >= 0 && elapsed + SENDING_MARGIN_MS <= CLAIM_LASTS_MS;
      expect(maySend(at(0), at(elapsed))).toBe(isSure);
    }),
    { examples: [[-1], [0], [CLAIM_LASTS_MS - SENDING_MARGIN_MS], [CLAIM_LASTS_MS - SENDING_MARGIN_MS + 1]] },
  );
});
