import { expect, it } from 'vitest';
import { WAIT_TIMEOUT_MS } from '../../../test/wait-timeout.ts';
import { startMailServer } from './support/mail-server.ts';
import { openDatabase } from './support/open-database.ts';
import { startServer } from './support/server-process.ts';
import { listPurchases, makeInstallation, openShop, sendOrder, until } from './support/shop.ts';

const MINUTE = 60_000;
const shiftClock = new URL('../../../checks/chaos/shift-clock.js', import.meta.url).href;

it('processes whose clocks differ by minutes delay no mail and run no busy loop', async () => {
  const mailServer = await startMailServer();
  const installation = await makeInstallation(mailServer);
  const startShifted = (role: string, aheadMs: number) =>
    startServer({
      ...installation,
      ROLE: role,
      NODE_OPTIONS: `--import ${shiftClock}`,
      CHAOS_CLOCK_AHEAD_MS: String(aheadMs),
    });
  const web = await startShifted('web', 10 * MINUTE);
  const shop = await openShop(installation, web.url);
  await startShifted('worker', -2 * MINUTE);
  const began = performance.now();
  expect((await sendOrder(web.url, shop.orgId, '5001')).body).toMatchObject({ received: true });
  await mailServer.waitForMails(1);
  expect(performance.now() - began).toBeLessThan(WAIT_TIMEOUT_MS);
  await until(async () => (await listPurchases(web.url, shop.apiKey))[0]?.receiptSentAt);
  const database = await openDatabase(installation.DATABASE_URL);
  const { rows } = await database.query(
    `select abs(extract(epoch from received_at - now())) < 60 as received,
       abs(extract(epoch from decided_at - now())) < 60 as decided from deliveries`,
  );
  expect(rows).toEqual([{ received: true, decided: true }]);
});
