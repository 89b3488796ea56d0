import { createSmtpMailer } from '@handover/adapters-mail';
import { openTestStores } from '@handover/adapters-postgres/testing';
import {
  ALERT_DELAY_MS,
  ALERT_LIFETIME_MS,
  ALERT_WINDOW_MS,
  FORMER_SECRET_LIFETIME_MS,
  runJob,
  setIntegrationSecret,
} from '@handover/domain';
import { createOrderReader } from '@handover/platform-contract';
import { storefrontA } from '@handover/platform-storefront-a';
import { signedSample } from '@handover/platform-storefront-a/testing';
import { openShop } from '@handover/testkit';
import { expect, inject, it } from 'vitest';
import { openTestShop } from '../../../packages/adapters-http/test/open-test-shop.ts';
import { send } from '../../../packages/adapters-http/test/send-webhook.ts';
import { undoLater } from '../../../test/undo.ts';
import { startMailServer } from './support/mail-server.ts';

const MINUTE_MS = 60_000;
const FORMER_SECRET = 'test-secret';
const NEW_SECRET = 'the-new-secret-of-the-shop';

it('reports rejected deliveries in one mail, until they are delivered or dismissed, or a day has passed', async () => {
  const { mails, reject, work, end, clock } = await openRotatedShop();
  await reject('5001');
  clock.advance(ALERT_DELAY_MS - 1);
  await work();
  expect(mails).toEqual([]);
  clock.advance(1);
  await work();
  expect(mails).toMatchObject([
    {
      subject: 'Shopify order #5001 was rejected · Lumen Audio',
      text: expect.stringContaining('It is signed with a secret that was replaced here and has ended.'),
    },
  ]);

  for (const orderId of ['5002', '5003']) {
    await reject(orderId);
    clock.advance(30 * MINUTE_MS);
    await work();
  }
  expect(mails).toHaveLength(1);

  for (const [at, how] of (['delivered', 'dismissed', 'a day'] as const).entries()) {
    await end(how);
    await reject(`600${at}`);
    clock.advance(ALERT_DELAY_MS);
    await work();
    expect(mails.map(({ subject }) => subject).slice(at + 1), how).toEqual([
      `Shopify order #600${at} was rejected · Lumen Audio`,
    ]);
  }
});

it('tells nobody of an order that was accepted within the minute, and of none that a stranger signed', async () => {
  const { mails, reject, work, end, clock } = await openRotatedShop();
  await reject('5002', 'a-secret-that-nobody-set');
  clock.advance(1);
  await reject('5001');
  await end('delivered');
  clock.advance(ALERT_LIFETIME_MS);
  await work();
  expect(mails).toEqual([]);
});

/** A shop that signs with the secret that was replaced here more than a day ago: HTTP, PostgreSQL and SMTP are real. */
async function openRotatedShop() {
  const mailServer = await startMailServer();
  const opened = await openTestStores(inject('postgres'));
  undoLater(() => opened.close());
  const mailer = createSmtpMailer({
    url: mailServer.url,
    from: 'orders@get.lumen.audio',
    connections: 2,
    isClaimSure: () => true,
  });
  undoLater(() => mailer.close());
  const testShop = await openTestShop(() => opened.stores);
  const { ports, clock } = testShop;
  const shop = await openShop({ ...ports, stores: opened.stores });
  const { orgId } = shop;
  const set = { orgId, platform: 'storefront-a', name: 'main' } as const;
  await setIntegrationSecret(ports, { ...set, secret: NEW_SECRET });
  clock.advance(FORMER_SECRET_LIFETIME_MS);

  const post = async (orderId: string, secret: string) => {
    const sale = { orderId, email: 'ana@example.com', sku: 'pads' };
    return (await send({ ...testShop, shop }, signedSample(secret, sale))).statusCode;
  };
  let rejected: string[] = [];

  return {
    clock,
    mails: mailServer.mails,
    reject: async (orderId: string, secret = FORMER_SECRET) => {
      expect(await post(orderId, secret)).toBe(401);
      rejected.push(orderId);
    },
    /** Does the jobs of mails that are due by the clock. */
    work: async () => {
      const orders = createOrderReader({ 'storefront-a': storefrontA });
      for (const job of await opened.queuedJobs()) {
        if (job.kind !== 'send-email' || job.emailKind !== 'alert' || job.startAfter > clock.now()) continue;
        if ((await runJob({ ...ports, siteUrl: 'https://get.lumen.audio', mailer, orders }, job)) === 'done')
          await opened.dropJobs([job]);
      }
    },
    /** Ends the alert: the shop sends its orders again with the new secret, a person dismisses them, or a day passes. */
    end: async (how: 'delivered' | 'dismissed' | 'a day') => {
      clock.advance(1);
      if (how === 'delivered')
        for (const orderId of rejected) expect(await post(orderId, NEW_SECRET)).toBe(200);
      if (how === 'dismissed') {
        const seen = { seenAt: clock.now(), seenCount: rejected.length, at: clock.now() };
        const dismissal = { subject: 'rejecting storefront-a', reason: 'A test.', by: 'jana@lumen.audio' };
        await opened.stores.dismissals.dismiss(orgId, [{ ...dismissal, ...seen }]);
      }
      clock.advance(how === 'a day' ? ALERT_LIFETIME_MS : ALERT_WINDOW_MS);
      rejected = [];
    },
  };
}
