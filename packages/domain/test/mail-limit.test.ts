import type { EmailKind, MailAnswer, Mailer, WaitingReceipts } from '@handover/domain';
import { fulfilOrder, limitMails, sendEmail } from '@handover/domain';
import { createFakeComposing, makeOrder, recordOrder } from '@handover/testkit';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { hourOf, maxBefore } from '../src/email/limit-mails.ts';
import { openShopInMemory } from './open-shop-in-memory.ts';

const HOUR = 60 * 60 * 1000;
const ACCEPTED = { kind: 'accepted', answer: '250 OK' } as const;

const claimAt = (askedAt: Date) => ({ claimId: 'claim', askedAt });

async function openLimited(maxMailsPerHour: number, answer: () => MailAnswer = () => ACCEPTED) {
  const ports = await openShopInMemory();
  const take = async () => answer();
  const mailer: Mailer = { send: take };
  const { clock, stores, shop } = ports;
  const limited = limitMails(mailer, { ...stores, clock, maxMailsPerHour });
  /** How a mail of each kind fares. Of what it says, only the organisation matters here. */
  const ask = (kind: EmailKind, orgId: string | null = shop.orgId) =>
    limited.send({ kind, orgId, shops: [{ orgId }] } as never, claimAt(clock.now()));
  const send = async (...of: Parameters<typeof ask>) => (await ask(...of)).kind;
  return { ...ports, limited, ask, send };
}

describe('the limit of mails', () => {
  it('postpones mails to buyers beyond it, and says when they go', async () => {
    const { ask, send, clock } = await openLimited(2);
    expect([await send('receipt'), await send('links')]).toEqual(['accepted', 'accepted']);
    const until = hourOf(clock.now()).endsAt;
    const answer = 'The limit of 2 mails an hour is reached, so this one waits until 10:00 UTC.';
    expect(await ask('receipt')).toEqual({
      kind: 'postponed',
      until,
      answer,
    });
    expect(await send('links')).toBe('postponed');
    clock.advance(HOUR);
    expect(await send('receipt')).toBe('accepted');
  });

  it('keeps alerts and invitations from being starved, up to a tenth more', async () => {
    const { send } = await openLimited(20);
    for (let sent = 0; sent < 20; sent += 1) await send('receipt');
    expect(await send('receipt')).toBe('postponed');
    expect([await send('alert'), await send('invitation')]).toEqual(['accepted', 'accepted']);
    expect([await send('alert'), await send('invitation')]).toEqual(['postponed', 'postponed']);
  });

  it('never holds back a sign-in, but counts it', async () => {
    const { send } = await openLimited(1);
    for (let sent = 0; sent < 3; sent += 1) expect(await send('sign-in')).toBe('accepted');
    expect(await send('receipt')).toBe('postponed');
    expect(await send('sign-in', null)).toBe('accepted');
  });

  it('counts a sign-in of nobody’s for no organisation', async () => {
    const { clock, stores } = await openLimited(1);
    const counted: string[] = [];
    const mailCounts = { take: async (orgId: string) => counted.push(orgId) > 0, giveBack: async () => {} };
    const mailer = { send: async () => ACCEPTED };
    const limited = limitMails(mailer, { ...stores, clock, mailCounts, maxMailsPerHour: 1 });
    const send = (orgId: string | null) =>
      limited.send({ kind: 'sign-in', orgId } as never, claimAt(clock.now()));
    expect(await send(null)).toEqual(ACCEPTED);
    expect(counted).toEqual([]);
    await send('org');
    expect(counted).toEqual(['org']);
  });

  it('counts no mail that the mail server did not take', async () => {
    const answers: MailAnswer[] = [{ kind: 'try-again', answer: '451' }, ACCEPTED];
    const { send } = await openLimited(1, () => answers.shift() ?? ACCEPTED);
    expect([await send('receipt'), await send('receipt'), await send('receipt')]).toEqual([
      'try-again',
      'accepted',
      'postponed',
    ]);
  });

  it('lets a mail of several shops go while one of them may send', async () => {
    const { limited, send, shop, ids, clock } = await openLimited(1);
    await send('receipt');
    const shops = [{ orgId: shop.orgId }, { orgId: ids.next() }];
    expect((await limited.send({ kind: 'links', shops } as never, claimAt(clock.now()))).kind).toBe(
      'accepted',
    );
    expect((await limited.send({ kind: 'links', shops } as never, claimAt(clock.now()))).kind).toBe(
      'postponed',
    );
  });

  it('is at least what buyers get, for every kind', () => {
    const kinds = ['receipt', 'links', 'alert', 'invitation', 'sign-in'] as const;
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000 }), fc.constantFrom(...kinds), (limit, kind) => {
        const max = maxBefore(kind, limit);
        const isForBuyers = kind === 'receipt' || kind === 'links';
        expect(max === null || (isForBuyers ? max === limit : max > limit)).toBe(true);
      }),
    );
  });
});

it('a receipt that waits for days is never given up, and is sent when the hour allows', async () => {
  const { limited, send, clock, stores, shop, ...ports } = await openLimited(1);
  const order = makeOrder(shop);
  const { id } = await recordOrder({ ...ports, clock, stores }, order);
  const plan = await fulfilOrder({ ...ports, clock, fulfilment: stores.fulfilment }, order, {
    id,
    attempts: 0,
  });
  const named = { orgId: shop.orgId, emailId: plan.receipt?.id ?? '' };
  const sendOurs = () =>
    sendEmail({ ...createFakeComposing(), ...stores, ids: ports.ids, clock, mailer: limited }, named);
  for (let hour = 0; hour < 100; hour += 1) {
    await send('receipt');
    expect(await sendOurs()).toMatchObject({ kind: 'answered', answer: { kind: 'postponed' } });
    expect(await stores.deliveries.find(shop.orgId, id)).toMatchObject({
      status: 'pending',
      reason: expect.stringContaining('The limit of 1 mails an hour is reached'),
    });
    clock.advance(HOUR);
  }
  expect(await sendOurs()).toMatchObject({ answer: { kind: 'accepted' } });
  expect(await stores.deliveries.find(shop.orgId, id)).toMatchObject({ status: 'success' });
});

it('receipts that wait are claimed once to be postponed, and once to be sent, however many hours they wait', async () => {
  const COUNT = 40;
  const { limited, clock, stores, shop, ...ports } = await openLimited(5);
  let claims = 0;
  const outgoingEmails = {
    ...stores.outgoingEmails,
    claim: (...given: Parameters<typeof stores.outgoingEmails.claim>) => {
      claims += 1;
      return stores.outgoingEmails.claim(...given);
    },
  };
  const sending = {
    ...createFakeComposing(),
    ...stores,
    outgoingEmails,
    ids: ports.ids,
    clock,
    mailer: limited,
  };
  for (let number = 1; number <= COUNT; number += 1) {
    const order = makeOrder(shop, { orderId: `${number}` });
    const { id } = await recordOrder({ ...ports, clock, stores }, order);
    await fulfilOrder({ ...ports, clock, fulfilment: stores.fulfilment }, order, { id, attempts: 0 });
  }
  const findDue = async () => {
    const [next] = (await stores.queuedJobs()).filter(({ kind }) => kind === 'send-email');
    return next && next.startAfter <= clock.now() ? next : undefined;
  };
  let sent = 0;
  let hours = 0;
  while (sent < COUNT && hours < 20) {
    for (let job = await findDue(); job; job = await findDue()) {
      stores.finishJob(job);
      if (job.kind !== 'send-email') continue;
      const result = await sendEmail(sending, job);
      if (result.kind === 'answered' && result.answer.kind === 'accepted') sent += 1;
    }
    clock.advance(HOUR);
    hours += 1;
  }
  expect([sent, hours]).toEqual([COUNT, COUNT / 5]);
  // One of each hour finds it full.
  expect(claims).toBeLessThanOrEqual(2 * COUNT + hours);
});

describe('a receipt that finds the hour full', () => {
  async function openFull(postpone: WaitingReceipts['postpone']) {
    const { clock, shop } = await openLimited(1);
    const mailCounts = { take: async () => false, giveBack: async () => {} };
    const ports = { clock, mailCounts, maxMailsPerHour: 1, waitingReceipts: { postpone } };
    const limited = limitMails({ send: async () => ACCEPTED }, ports);
    const send = async (kind: EmailKind, orgId = shop.orgId) =>
      (await limited.send({ kind, orgId, shops: [{ orgId }] } as never, claimAt(clock.now()))).kind;
    return { send, clock, shop };
  }

  it('postpones all others, a thousand at a time, and other mails do not', async () => {
    const asked: unknown[][] = [];
    const counts = [1000, 1000, 999];
    const { send, clock, shop } = await openFull(async (...given) => {
      asked.push(given);
      return counts.shift() ?? 0;
    });
    expect([await send('links'), await send('alert')]).toEqual(['postponed', 'postponed']);
    expect(asked).toEqual([]);
    expect(await send('receipt')).toBe('postponed');
    const { endsAt: until } = hourOf(clock.now());
    const answer = expect.stringContaining('The limit of 1 mails an hour is reached');
    const call = [shop.orgId, clock.now(), { kind: 'postponed', until, answer }, 1000];
    expect(asked).toEqual([call, call, call]);
  });

  it('stops with the hour, after which what was postponed to its end is due again', async () => {
    let calls = 0;
    const { send, clock } = await openFull(async () => {
      calls += 1;
      if (calls > 5) throw new Error('for ever');
      clock.advance(HOUR / 2);
      return 1000;
    });
    expect(await send('receipt')).toBe('postponed');
    expect(calls).toBeLessThanOrEqual(2);
  });

  it('does not do what another one of its organisation is doing, and does it again after that', async () => {
    const asked: string[] = [];
    const slow = Promise.withResolvers<number>();
    const { send, shop } = await openFull((orgId) => {
      asked.push(orgId);
      return slow.promise;
    });
    const first = send('receipt');
    await vi.waitUntil(() => asked.length === 1);
    expect(await send('receipt')).toBe('postponed');
    const other = send('receipt', 'other');
    await vi.waitUntil(() => asked.length === 2);
    slow.resolve(0);
    expect([await first, await other]).toEqual(['postponed', 'postponed']);
    expect(await send('receipt')).toBe('postponed');
    expect(asked).toEqual([shop.orgId, 'other', shop.orgId]);
  });

  it('is postponed also if the others cannot be, which the next one tries again', async () => {
    let tries = 0;
    const { send } = await openFull(async () => {
      tries += 1;
      throw new Error('away');
    });
    expect([await send('receipt'), await send('receipt')]).toEqual(['postponed', 'postponed']);
    expect(tries).toBe(2);
  });
});

it('a receipt that is sent postpones no others, and a mail about a new device is never postponed', async () => {
  const { clock, shop } = await openLimited(1);
  const mailCounts = {
    take: async (_org: string, _hour: Date, max: number | null) => max === null || max === 1,
    giveBack: async () => {},
  };
  let asked = 0;
  const postpone = async () => {
    asked += 1;
    return 0;
  };
  const ports = { clock, mailCounts, maxMailsPerHour: 1, waitingReceipts: { postpone } };
  const limited = limitMails({ send: async () => ACCEPTED }, ports);
  for (const kind of ['receipt', 'new-device']) {
    const mail = { kind, orgId: shop.orgId } as never;
    expect(await limited.send(mail, claimAt(clock.now()))).toEqual(ACCEPTED);
  }
  expect(asked).toBe(0);
});
