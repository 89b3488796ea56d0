import { createServer } from 'node:http';
import { fastify } from 'fastify';
import { expect, it } from 'vitest';
import { undoLater } from '../../../test/undo.ts';
import { createHandover } from '../src/index.ts';
import { receiptsAmong, startMailServer } from './support/mail-server.ts';
import { mountedOptions } from './support/mounted-options.ts';
import { makeInstallation, openShop, sendOrder } from './support/shop.ts';

it('delivers a signed order within a server that is not Fastify, as the README says', async () => {
  const mailServer = await startMailServer();
  const environment = await makeInstallation(mailServer);
  const own = createServer((request, response) => {
    if (/^\/downloads(?=[/?]|$)/.test(request.url ?? '')) downloads.routing(request, response);
    else response.end('Lumen Audio');
  });
  const listening = Promise.withResolvers<void>();
  own.listen(0, '127.0.0.1', listening.resolve);
  await listening.promise;
  undoLater(() => new Promise((closed) => own.close(closed).closeAllConnections()));
  const address = own.address();
  if (typeof address !== 'object' || address === null) throw new Error('No port was given.');
  const hostUrl = `http://127.0.0.1:${address.port}`;
  const url = `${hostUrl}/downloads`;

  const handover = createHandover(mountedOptions(environment, mailServer, url));
  const downloads = fastify();
  undoLater(() => downloads.close());
  await downloads.register(handover.plugin, { prefix: '/downloads' });
  await downloads.ready();
  await handover.start();

  const shop = await openShop({ ...environment, SITE_URL: url }, url);
  expect((await sendOrder(url, shop.orgId, '1001')).status).toBe(200);
  await mailServer.waitForMails(1);
  const [receipt] = receiptsAmong(mailServer.mails);
  const [link = ''] = receipt?.text?.match(/https?:\S+\/d\/\S+/) ?? [];
  expect((await fetch(link)).status).toBe(200);
  const signIn = await fetch(`${url}/dashboard`, { redirect: 'manual' });
  expect(signIn.headers.get('location')).toMatch(/^\/downloads\/dashboard\//);
  expect(await (await fetch(hostUrl)).text()).toBe('Lumen Audio');
});
