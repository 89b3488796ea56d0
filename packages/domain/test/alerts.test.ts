import type { AlertMail, FormerAlertMail, MailAnswer } from '@handover/domain';
import {
  ALERT_DELAY_MS,
  ALERT_LIFETIME_MS,
  ALERT_WINDOW_MS,
  dueAt,
  type EmailMessage,
  fulfilOrder,
  GIVE_UP_AFTER_MS,
  hasKeyEnded,
  latestDue,
  sendEmail,
  whenToMail,
} from '@handover/domain';
import { createInMemoryStores } from '@handover/domain/memory';
import {
  createCountingIds,
  createFakeApiKeys,
  createFakeComposing,
  createManualClock,
  makeLine,
  makeOrder,
  openShop,
  recordOrder,
} from '@handover/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const NOW = new Date('2026-03-02T09:00:00.000Z');
const after = (milliseconds: number) => new Date(NOW.getTime() + milliseconds);

describe('the key of an alert', () => {
  const moment = fc.integer({ min: -3 * ALERT_LIFETIME_MS, max: 0 }).map(after);

  it('lasts while its mail is pending, whatever became of it', () => {
    expect(hasKeyEnded({ mailedAt: null, isOver: true }, after(9 * ALERT_LIFETIME_MS))).toBe(false);
  });

  it('ends a day after its mail, or as soon as it is over', () => {
    fc.assert(
      fc.property(moment, fc.boolean(), (mailedAt, isOver) => {
        const isOld = NOW.getTime() - mailedAt.getTime() >= ALERT_LIFETIME_MS;
        expect(hasKeyEnded({ mailedAt, isOver }, NOW)).toBe(isOver || isOld);
      }),
    );
  });
});

describe('when a mail of alerts goes', () => {
  const DUE = after(-ALERT_DELAY_MS);
  const cases: readonly [string, FormerAlertMail | null, Date, Date][] = [
    ['a minute after its first alert, if there was none before', null, after(-1000), after(59_000)],
    ['at once, if that is over', null, DUE, NOW],
    [
      'a quarter of an hour after the last one was sent',
      { status: 'sent', nextTryAt: NOW, completedAt: after(-60_000) },
      DUE,
      after(ALERT_WINDOW_MS - 60_000),
    ],
    [
      'at once, if that is over',
      { status: 'sent', nextTryAt: NOW, completedAt: after(-ALERT_WINDOW_MS) },
      DUE,
      NOW,
    ],
    [
      'a minute after its first alert, if that is later',
      { status: 'sent', nextTryAt: NOW, completedAt: after(-ALERT_WINDOW_MS) },
      NOW,
      after(ALERT_DELAY_MS),
    ],
    [
      'a quarter of an hour after the last one was given up',
      { status: 'refused', nextTryAt: NOW, completedAt: NOW },
      DUE,
      after(ALERT_WINDOW_MS),
    ],
    [
      'not before the next try of one that is pending',
      { status: 'pending', nextTryAt: after(3_600_000), completedAt: null },
      DUE,
      after(3_600_000),
    ],
    [
      'not while one is being tried',
      { status: 'pending', nextTryAt: NOW, completedAt: null },
      DUE,
      after(60_000),
    ],
  ];
  it.each(cases)('%s', (_name, former, oldestAt, expected) => {
    expect(whenToMail(former, oldestAt, NOW)).toEqual(expected);
  });

  it('is never in the past, never within the window of another, and never for an alert that is too young', () => {
    const former = fc.record({
      status: fc.constantFrom('sent' as const, 'refused' as const),
      nextTryAt: fc.date({ noInvalidDate: true }),
      completedAt: fc.date({ noInvalidDate: true, min: after(-1e9), max: after(1e9) }),
    });
    fc.assert(
      fc.property(former, fc.integer({ min: -1e9, max: 0 }), (mail, age) => {
        const at = whenToMail(mail, after(age), NOW).getTime();
        expect(at).toBeGreaterThanOrEqual(after(age + ALERT_DELAY_MS).getTime());
        expect(at).toBeGreaterThanOrEqual(NOW.getTime());
        expect(at - mail.completedAt.getTime()).toBeGreaterThanOrEqual(ALERT_WINDOW_MS);
      }),
    );
  });

  it('takes what is a minute old, and leaves what is younger', () => {
    const newest = latestDue(NOW);
    expect(dueAt(newest)).toEqual(NOW);
    expect(dueAt(new Date(newest.getTime() + 1)) > NOW).toBe(true);
  });
});

async function failedOrder(answer: () => MailAnswer) {
  const stores = createInMemoryStores();
  const clock = createManualClock();
  const ports = { stores, clock, ids: createCountingIds(), apiKeys: createFakeApiKeys() };
  const shop = await openShop(ports);
  const order = makeOrder(shop, { lines: [makeLine('unknown')] });
  const { id } = await recordOrder(ports, order);
  await fulfilOrder({ ...ports, fulfilment: stores.fulfilment }, order, { id, attempts: 0 });
  clock.advance(ALERT_DELAY_MS);
  const mails: AlertMail[] = [];
  const mailer = {
    send: async (mail: EmailMessage) => {
      if (mail.kind === 'alert') mails.push(mail);
      return answer();
    },
  };
  const send = () =>
    sendEmail(
      { ...ports, ...stores, ...createFakeComposing('https://get.shop.test'), mailer },
      { orgId: shop.orgId, emailId: id },
    );
  return { clock, mails, send, id };
}

describe('a mail of alerts', () => {
  it('leads to the entry in the dashboard, and is sent once', async () => {
    const { mails, send, id } = await failedOrder(() => ({ kind: 'accepted', answer: '250 OK' }));
    const [first, second] = await Promise.all([send(), send()]);
    expect([first.kind, second.kind].sort()).toEqual(['answered', 'not-now']);
    expect(await send()).toEqual({ kind: 'not-pending' });
    expect(mails).toMatchObject([
      {
        mailId: id,
        organisationName: 'Lumen Audio',
        alerts: [{ url: `https://get.shop.test/dashboard/webhook-log/${id}` }],
        more: 0,
        logUrl: 'https://get.shop.test/dashboard/webhook-log',
      },
    ]);
  });

  it('that is not taken is tried again, with the same words, for three days, and then given up', async () => {
    const { clock, mails, send } = await failedOrder(() => ({ kind: 'try-again', answer: '451' }));
    const begun = clock.now().getTime();
    let result = await send();
    for (let tries = 1; tries < 200 && result.kind !== 'not-pending'; tries += 1) {
      clock.advance(result.kind === 'not-now' ? result.at.getTime() - clock.now().getTime() : 1);
      const next = await send();
      if (next.kind === 'not-pending') break;
      result = next;
    }
    expect(result).toMatchObject({ kind: 'answered', isGivenUp: true });
    expect(clock.now().getTime() - begun).toBeLessThanOrEqual(GIVE_UP_AFTER_MS + 1);
    expect(mails.length).toBeGreaterThan(50);
    expect(new Set(mails.map((mail) => JSON.stringify(mail))).size).toBe(1);
  });
});
