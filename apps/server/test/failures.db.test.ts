import { once } from 'node:events';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { makeTemporaryDirectory } from '../../../test/temporary-directory.ts';
import { beside } from '../../../test/undo.ts';
import { startMailServer } from './support/mail-server.ts';
import { openDatabase } from './support/open-database.ts';
import { startServer } from './support/server-process.ts';
import {
  listPurchases,
  makeDatabase,
  makeInstallation,
  openShop,
  sendOrder,
  signOrder,
  until,
} from './support/shop.ts';
import { startTcpProxy } from './support/tcp-proxy.ts';

// Most of these wait for a claim to expire, each on its own installation, so they run concurrently.

it.concurrent(
  'a server killed between commit and mail sends the receipt after its restart, within 30 seconds, once',
  beside(async () => {
    const mailServer = await startMailServer();
    await mailServer.stop();
    const environment = await makeInstallation(mailServer);
    const server = await startServer(environment);
    const shop = await openShop(environment, server.url);
    expect((await sendOrder(server.url, shop.orgId, '5001')).status).toBe(200);
    await server.end('SIGKILL');

    await mailServer.start();
    const again = await startServer(environment);
    const began = Date.now();
    await mailServer.waitForMails(1);
    expect(Date.now() - began).toBeLessThan(30_000);
    await until(async () => (await listPurchases(again.url, shop.apiKey))[0]?.receiptSentAt);
    await sendOrder(again.url, shop.orgId, '5002');
    const mails = await mailServer.waitForMails(2);
    expect(new Set(mails.map(({ messageId }) => messageId)).size).toBe(2);
  }),
);

it.concurrent(
  'a server killed in the middle of the SMTP exchange sends the same message again',
  beside(async () => {
    const mailServer = await startMailServer();
    const environment = await makeInstallation(mailServer);
    const server = await startServer(environment);
    const shop = await openShop(environment, server.url);
    const reached = new Promise<void>((resolve) => {
      mailServer.beforeAccepting = async () => {
        resolve();
        mailServer.beforeAccepting = () => {};
        await pause(50);
      };
    });
    await sendOrder(server.url, shop.orgId, '5001');
    await reached;
    await server.end('SIGKILL');
    const again = await startServer(environment);
    const began = Date.now();
    await until(async () => (await listPurchases(again.url, shop.apiKey))[0]?.receiptSentAt, 40_000);
    expect(Date.now() - began).toBeLessThan(30_000);
    expect(mailServer.mails.length).toBeLessThanOrEqual(2);
    expect(new Set(mailServer.mails.map(({ messageId }) => messageId)).size).toBe(1);
  }),
);

it.concurrent(
  'a server that is cut off from the database does not send a mail that another server has claimed meanwhile',
  beside(async () => {
    const mailServer = await startMailServer();
    const databaseUrl = await makeDatabase();
    const environment = await makeInstallation(mailServer, databaseUrl);
    const wire = await startTcpProxy(databaseUrl);
    const cutOff = await startServer({ ...environment, DATABASE_URL: wire.url });
    const shop = await openShop(environment, cutOff.url);
    const reached = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    mailServer.beforeRecipient = () => {
      mailServer.beforeRecipient = () => {};
      reached.resolve();
      return held.promise;
    };
    await sendOrder(cutOff.url, shop.orgId, '5001');
    await reached.promise;
    wire.freeze();
    const other = await startServer({ ...environment, DATA_DIR: await makeTemporaryDirectory() });
    await other.waitForLine(/receipt sent/);
    expect(mailServer.mails).toHaveLength(1);
    held.resolve();
    await wire.comeBack();
    expect(await cutOff.waitForLine(/receipt answered; /)).toContain('could not keep its claim');
    expect(mailServer.mails).toHaveLength(1);
    expect((await listPurchases(other.url, shop.apiKey))[0]?.receiptSentAt).not.toBeNull();
  }),
);

it('while the mail server is away orders are answered 200, and their receipts go out when it is back', async () => {
  const mailServer = await startMailServer();
  await mailServer.stop();
  const environment = await makeInstallation(mailServer);
  const server = await startServer(environment);
  const shop = await openShop(environment, server.url);
  expect((await sendOrder(server.url, shop.orgId, '5001')).body).toMatchObject({
    received: true,
    status: 'pending',
  });
  await server.waitForLine(/receipt not taken/);
  await mailServer.start();
  await mailServer.waitForMails(1);
  await until(async () => (await listPurchases(server.url, shop.apiKey))[0]?.receiptSentAt);
});

it('while the database is away shops are asked to retry, and every order is delivered when it is back', async () => {
  const mailServer = await startMailServer();
  const proxy = await startTcpProxy(await makeDatabase());
  const environment = await makeInstallation(mailServer, proxy.url);
  const server = await startServer(environment);
  const shop = await openShop(environment, server.url);
  expect((await sendOrder(server.url, shop.orgId, '5001')).status).toBe(200);

  for (const fail of [() => proxy.goAway(), async () => proxy.freeze()]) {
    await fail();
    for (let order = 0; order < 3; order += 1) {
      const answer = await sendOrder(server.url, shop.orgId, '5002');
      expect(answer).toMatchObject({ status: 503, retryAfter: expect.stringMatching(/^\d+$/) });
      // A second is promised, and a busy machine adds to it; hanging connections are closed after four.
      expect(answer.milliseconds).toBeLessThan(3000);
    }
    expect((await fetch(`${server.url}/readyz`)).status).toBe(503);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    await proxy.comeBack();
    await until(async () => (await fetch(`${server.url}/readyz`)).ok);
    await until(async () => (await sendOrder(server.url, shop.orgId, '5001')).status === 200);
  }
  expect((await sendOrder(server.url, shop.orgId, '5003')).status).toBe(200);
  await mailServer.waitForMails(2);
});

it('SIGTERM under load fails no accepted request, and ends well', async () => {
  const mailServer = await startMailServer();
  const environment = await makeInstallation(mailServer);
  const server = await startServer(environment);
  const shop = await openShop(environment, server.url);
  let order = 10_000;
  const clients = Array.from({ length: 8 }, () =>
    sendUntilTold(server.url, () => {
      order += 1;
      return signOrder(shop.orgId, String(order));
    }),
  );
  await until(async () => clients.every(({ answers }) => answers.length > 5), 60_000);
  const code = await server.end('SIGTERM');
  await Promise.all(clients.map(({ ended }) => ended));
  const answers = clients.flatMap((client) => client.answers);
  expect(new Set(answers)).toEqual(new Set([200]));
  expect(code).toBe(0);
  expect(server.printed()).not.toContain('brokenOff');
  const database = await openDatabase(environment.DATABASE_URL);
  expect((await database.query('select from purchases')).rows).toHaveLength(answers.length);
});

/**
 * A client with one keep-alive connection, until the server closes it. A client that opened another would be refused.
 */
function sendUntilTold(url: string, makeRequest: () => ReturnType<typeof signOrder>) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const answers: (number | undefined)[] = [];
  const send = async (): Promise<void> => {
    const { path, headers, body } = makeRequest();
    const request = httpRequest(`${url}${path}`, { method: 'POST', agent, headers });
    request.end(body);
    const [answer] = (await once(request, 'response').catch((error) => {
      // A client that sends its next request late finds the connection closed. The log and the purchases show whether
      // the server still read it.
      if (request.reusedSocket && error.code === 'ECONNRESET') return [];
      throw error;
    })) as IncomingMessage[];
    if (!answer) return;
    await text(answer);
    answers.push(answer.statusCode);
    if (answer.headers.connection !== 'close') await send();
  };
  return { answers, ended: send() };
}
