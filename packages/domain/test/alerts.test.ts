import type { AlertMail, FormerAlertMail, MailAnswer } from '@handover/domain';
import { ALERT_WINDOW_MS, fulfilOrder, GIVE_UP_AFTER_MS, sendAlerts, whenToMail } from '@handover/domain';
import {
  createCountingIds,
  createInMemoryStores,
  createManualClock,
  createPlainApiKeys,
  makeLine,
  makeOrder,
  openShop,
  recordOrder,
} from '@handover/domain/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const NOW = new Date('2026-03-02T09:00:00.000Z');
const after = (milliseconds: number) => new Date(NOW.getTime() + milliseconds);

describe('when a mail of alerts goes', () => {
  const cases: readonly [string, FormerAlertMail | null, Date][] = [
    ['at once, if there was none before', null, NOW],
    [
      'a quarter of an hour after the last one was sent',
      { status: 'sent', nextTryAt: NOW, settledAt: after(-60_000) },
      after(ALERT_WINDOW_MS - 60_000),
    ],
    ['at once, if that is over', { status: 'sent', nextTryAt: NOW, settledAt: after(-ALERT_WINDOW_MS) }, NOW],
    [
      'a quarter of an hour after the last one was given up',
      { status: 'refused', nextTryAt: NOW, settledAt: NOW },
      after(ALERT_WINDOW_MS),
    ],
    [
      'not before the next try of one that is owed',
      { status: 'owed', nextTryAt: after(3_600_000), settledAt: null },
      after(3_600_000),
    ],
    ['not while one is being tried', { status: 'owed', nextTryAt: NOW, settledAt: null }, after(60_000)],
  ];
  it.each(cases)('%s', (_name, former, expected) => {
    expect(whenToMail(former, NOW)).toEqual(expected);
  });

  it('is never in the past, and never within the window of another', () => {
    const former = fc.record({
      status: fc.constantFrom('sent' as const, 'refused' as const),
      nextTryAt: fc.date({ noInvalidDate: true }),
      settledAt: fc.date({ noInvalidDate: true, min: after(-1e9), max: after(1e9) }),
    });
    fc.assert(
      fc.property(former, (mail) => {
        const at = whenToMail(mail, NOW).getTime();
        expect(at).toBeGreaterThanOrEqual(NOW.getTime());
        expect(at - mail.settledAt.getTime()).toBeGreaterThanOrEqual(ALERT_WINDOW_MS);
      }),
    );
  });
});

async function failedOrder(answer: () => MailAnswer) {
  const stores = createInMemoryStores();
  const clock = createManualClock();
  const ports = { stores, clock, ids: createCountingIds(), apiKeys: createPlainApiKeys() };
  const shop = await openShop(ports);
  const order = makeOrder(shop, { lines: [makeLine('unknown')] });
  const { id } = await recordOrder(ports, order);
  await fulfilOrder({ ...ports, fulfilment: stores.fulfilment }, order, { id, attempts: 0 });
  const mails: AlertMail[] = [];
  const mailer = {
    sendAlerts: async (mail: AlertMail) => {
      mails.push(mail);
      return answer();
    },
  };
  const send = () =>
    sendAlerts(
      { clock, alerts: stores.alerts, mailer, siteUrl: 'https://get.shop.test' },
      { orgId: shop.orgId, mailId: id },
    );
  return { clock, mails, send, id };
}

describe('a mail of alerts', () => {
  it('leads to the entry in the dashboard, and is sent once', async () => {
    const { mails, send, id } = await failedOrder(() => ({ kind: 'accepted', answer: '250 OK' }));
    const [first, second] = await Promise.all([send(), send()]);
    expect([first.kind, second.kind].sort()).toEqual(['answered', 'not-now']);
    expect(await send()).toEqual({ kind: 'settled' });
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
    for (let tries = 1; tries < 200 && result.kind !== 'settled'; tries += 1) {
      clock.advance(result.kind === 'not-now' ? result.at.getTime() - clock.now().getTime() : 1);
      const next = await send();
      if (next.kind === 'settled') break;
      result = next;
    }
    expect(result).toMatchObject({ kind: 'answered', isGivenUp: true });
    expect(clock.now().getTime() - begun).toBeLessThanOrEqual(GIVE_UP_AFTER_MS + 1);
    expect(mails.length).toBeGreaterThan(50);
    expect(new Set(mails.map((mail) => JSON.stringify(mail))).size).toBe(1);
  });
});
