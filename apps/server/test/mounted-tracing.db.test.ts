import { fileURLToPath } from 'node:url';
import { fastify } from 'fastify';
import { expect, it } from 'vitest';
import { receiptsAmong, startMailServer } from './support/mail-server.ts';
import { startCollector } from './support/otlp-collector.ts';
import { spawnServer } from './support/server-process.ts';
import { makeInstallation, openShop, signOrder } from './support/shop.ts';

const program = fileURLToPath(new URL('programs/mounted-in-traced-host.ts', import.meta.url));

it('is traced by the host that it is mounted in: its requests are spans of the host, decisions and mails are none', async () => {
  const mailServer = await startMailServer();
  const collector = await startCollector();
  const probe = fastify();
  const hostUrl = await probe.listen({ port: 0, host: '127.0.0.1' });
  await probe.close();
  const url = `${hostUrl}/downloads`;
  const environment = { ...(await makeInstallation(mailServer)), SITE_URL: url };
  const settings = { ...environment, ...collector.settings, PORT: new URL(hostUrl).port };
  const host = spawnServer(settings, ['--conditions=handover-source', program]);
  await host.waitForLine(/listening at/);
  const { orgId } = await openShop(environment, url);
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  const traceparent = `00-${traceId}-b7ad6b7169203331-01`;
  const { path, headers, body } = signOrder(orgId, '1001');
  const sent = await fetch(`${url}${path}`, { method: 'POST', headers: { ...headers, traceparent }, body });
  expect(sent.status).toBe(200);
  const [receipt] = receiptsAmong(await mailServer.waitForMails(1));
  const [link = '', token = ''] = /http\S+\/downloads\/d\/([\w-]+)/.exec(receipt?.text ?? '') ?? [];
  expect((await fetch(link)).status).toBe(200);
  // Its last spans are sent before it ends.
  expect(await host.end()).toBe(0);

  const spans = collector.spans.filter((span) => span.traceId === traceId);
  expect(spans.map(({ attributes, parentSpanId }) => [attributes['http.route'], parentSpanId])).toEqual([
    ['/downloads/webhooks/*', 'b7ad6b7169203331'],
  ]);
  const status = 'http.response.status_code';
  const paths = collector.spans.map(({ attributes }) => `${attributes['url.path']} ${attributes[status]}`);
  expect(paths).toContain('/downloads/d/* 200');
  const names = collector.spans.map(({ name }) => name);
  expect(names.filter((name) => name !== 'request')).toEqual([]);
  expect(token).not.toBe('');
  expect(collector.received.join('')).not.toContain(token);
});
