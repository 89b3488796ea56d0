import { expect, it } from 'vitest';
import { startTcpProxy } from '../../../packages/simulation/src/network/tcp-proxy.ts';
import { query } from '../../../test/query.ts';
import { undoLater } from '../../../test/undo.ts';
import { startMailServer } from './support/mail-server.ts';
import { startServer } from './support/server-process.ts';
import { makeDatabase, makeInstallation, openShop, sendOrder } from './support/shop.ts';

/** The steps after the migration, with a text of their statement. */
const STEPS = {
  'the look at the secrets': 'connection_secrets',
  'the start of the job queue': 'from jobs',
};

it.each(Object.entries(STEPS))(
  'a connection that is lost in %s delays the start, and ends nothing',
  async (_step, word) => {
    const mailServer = await startMailServer();
    const wire = await startTcpProxy(await makeDatabase());
    undoLater(wire.close);
    const environment = await makeInstallation(mailServer, wire.url);
    let isMigrated = false;
    const lost = wire.failNext('cut-before', (message) => {
      // The clock is read right after the migration.
      isMigrated ||= message.includes('clock_timestamp');
      return isMigrated && message.includes(word);
    });
    const server = await startServer(environment);
    await lost;
    expect(server.printed()).toContain('the database does not answer yet; trying again');
    const shop = await openShop(environment, server.url);
    expect((await sendOrder(server.url, shop.orgId, '5001')).body).toMatchObject({ received: true });
    await mailServer.waitForMails(1);
  },
);

it('has opened the connection that tells a slow database from a dead one when it begins to listen', async () => {
  const url = await makeDatabase();
  await startServer(await makeInstallation(await startMailServer(), url));
  const connections = await query(
    url,
    `select from pg_stat_activity where datname = current_database() and application_name = 'handover readiness'`,
  );
  expect(connections).toHaveLength(1);
});
