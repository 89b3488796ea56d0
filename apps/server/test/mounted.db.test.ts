import { once } from 'node:events';
import { request } from 'node:http';
import type { PlatformWebhook } from '@handover/platform-contract';
import { storefrontA } from '@handover/platform-storefront-a';
import { type FastifyInstance, fastify } from 'fastify';
import pino from 'pino';
import { expect, it, vi } from 'vitest';
import { undoLater } from '../../../test/undo.ts';
import { createHandover, type Handover } from '../src/index.ts';
import { receiptsAmong, startMailServer } from './support/mail-server.ts';
import { mountedOptions } from './support/mounted-options.ts';
import { makeInstallation, openShop, sendOrder } from './support/shop.ts';

/** A shop's own server, with everything that could conflict with Handover. */
function createHost(): FastifyInstance {
  // A connection that is told of its last answer as the host closes would be kept for 72 seconds.
  const host = fastify({ keepAliveTimeout: 1000 });
  host.decorateRequest('cookies').decorateReply('setCookie', () => 'the host’s own');
  host.addContentTypeParser('text/csv', { parseAs: 'string' }, (_request, body, done) =>
    done(null, `${body}`),
  );
  host.addHook('preHandler', async (request, reply) => {
    reply.header('x-shop', 'preHandler');
    if (request.headers['x-stranger']) throw new Error('Strangers may not come in.');
  });
  host.addHook('onSend', async (_request, reply) => void reply.header('x-shop-sent', 'onSend'));
  host.setErrorHandler((error: Error, _request, reply) => reply.code(418).send({ shop: error.message }));
  host.setNotFoundHandler((_request, reply) => reply.code(404).send({ shop: 'nothing here' }));
  host.get('/', async () => 'Lumen Audio');
  host.get('/d/about', async () => 'about');
  host.post('/basket', async ({ body }) => ({ body }));
  host.get('/broken', async () => {
    throw new Error('on purpose');
  });
  return host;
}

interface Mounted {
  readonly host: FastifyInstance;
  readonly handover: Handover;
  /** The host's own URL, and that of Handover in it. */
  readonly hostUrl: string;
  readonly url: string;
}

async function mount(prefix: string, platforms: readonly PlatformWebhook[] = []) {
  const mailServer = await startMailServer();
  const environment = await makeInstallation(mailServer);
  const host = createHost();
  // The port is known before links contain it.
  const probe = fastify();
  const hostUrl = await probe.listen({ port: 0, host: '127.0.0.1' });
  await probe.close();
  const url = `${hostUrl}${prefix}`;
  const handover = createHandover({ ...mountedOptions(environment, mailServer, url), platforms });
  undoLater(() => host.close());
  await host.register(handover.plugin, { prefix });
  await handover.start();
  await host.listen({ port: Number(new URL(hostUrl).port), host: '127.0.0.1' });
  const mounted: Mounted = { host, handover, hostUrl, url };
  return { ...mounted, mailServer, environment: { ...environment, SITE_URL: url } };
}

/** The shop's own routes still answer as before. */
async function expectUntouched({ hostUrl }: Mounted): Promise<void> {
  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`${hostUrl}${path}`, init);
    const { status, headers } = response;
    return [status, await response.text(), headers.get('x-shop-sent'), headers.get('x-content-type-options')];
  };
  const json = { 'content-type': 'application/json' };
  const basket = { method: 'POST', headers: json, body: '{"sku":"pads"}' };
  expect(await ask('/')).toEqual([200, 'Lumen Audio', 'onSend', null]);
  expect(await ask('/d/about')).toEqual([200, 'about', 'onSend', null]);
  expect(await ask('/basket', basket)).toEqual([200, '{"body":{"sku":"pads"}}', 'onSend', null]);
  expect(await ask('/broken')).toEqual([418, '{"shop":"on purpose"}', 'onSend', null]);
  expect(await ask('/nowhere')).toEqual([404, '{"shop":"nothing here"}', 'onSend', null]);
  const stranger = { headers: { 'x-stranger': 'yes' } };
  expect(await ask('/', stranger)).toEqual([418, '{"shop":"Strangers may not come in."}', 'onSend', null]);
}

it.each(['', '/downloads'])(
  'delivers a signed order within another server, mounted at “%s”',
  async (prefix) => {
    const mounted = await mount(prefix);
    const { url, environment, mailServer } = mounted;
    const shop = await openShop(environment, url);
    await expectUntouched(mounted);

    const sent = await sendOrder(url, shop.orgId, '1001');
    expect([sent.status, sent.body]).toMatchObject([200, { received: true }]);
    await mailServer.waitForMails(1);
    const [receipt] = receiptsAmong(mailServer.mails);
    const [link = ''] = receipt?.text?.match(/https?:\S+\/d\/\S+/) ?? [];
    expect(link).toMatch(new RegExp(`^${url}/d/`));

    const page = await fetch(link);
    expect([page.status, page.headers.get('x-shop'), page.headers.get('x-shop-sent')]).toEqual([
      200,
      null,
      null,
    ]);
    expect(page.headers.get('x-content-type-options')).toBe('nosniff');
    const html = await page.text();
    const [, file = ''] = /href="([^"]+\/files\/[^"]+)"/.exec(html) ?? [];
    const [, path = ''] = /rel="stylesheet" href="([^"]+)"/.exec(html) ?? [];
    const stylesheet = await fetch(new URL(path, link));
    const [, font = ''] = /url\('([^']+)'\)/.exec(await stylesheet.text()) ?? [];
    expect((await fetch(new URL(font, stylesheet.url))).headers.get('content-type')).toMatch(/^font\//);
    expect(Buffer.from(await (await fetch(new URL(file, link))).arrayBuffer())).toEqual(shop.file);

    const signIn = await fetch(`${url}/dashboard`, { redirect: 'manual' });
    expect([signIn.status, signIn.headers.get('location')]).toEqual([
      303,
      expect.stringMatching(`^${prefix}/dashboard/`),
    ]);
    expect((await fetch(`${url}/dashboard`)).status).toBe(200);
    await expectUntouched(mounted);
  },
);

it('two in one process receive their own platforms alone', async () => {
  for (const label of ['gumtree', 'bazaar']) {
    const { url, environment } = await mount('', [{ ...storefrontA, label }]);
    const { orgId, apiKey } = await openShop(environment, url);
    const init = { headers: { authorization: `Bearer ${apiKey}` } };
    const said = await (await fetch(`${url}/api/deliveries?platform=nowhere`, init)).text();
    expect(said.match(/gumtree|bazaar/g)).toEqual([label]);
    const post = async (to: string) =>
      (await fetch(`${url}/webhooks/${orgId}/${to}`, { method: 'POST', body: '{}' })).status;
    expect([label, await post('gumtree'), await post('bazaar')]).toEqual([
      label,
      label === 'gumtree' ? 401 : 404,
      label === 'bazaar' ? 401 : 404,
    ]);
  }
});

it('every URL of the site on a page is below the prefix', async () => {
  const { url, environment } = await mount('/downloads');
  await openShop(environment, url);
  for (const path of ['/dashboard/sign-in', '/my', '/docs', '/', '/nowhere']) {
    const response = await fetch(`${url}${path}`);
    const outside = [...(await response.text()).matchAll(/ [a-z-]+="(\/[^"]*)"/g)]
      .map(([, address = '']) => address)
      .filter((address) => !address.startsWith('/downloads'));
    expect([path, outside]).toEqual([path, []]);
  }
  const missing = await fetch(`${url}/nowhere`);
  expect([missing.status, missing.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
});

it('accepts file names longer than a host’s router allows', async () => {
  const { url, environment, mailServer } = await mount('');
  const { apiKey, orgId, productId } = await openShop(environment, url);
  const name = `${'n'.repeat(150)}.zip`;
  const ask = async (method: string, path: string, type: string, body: string) => {
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': type };
    const response = await fetch(`${url}/api/products/${productId}/versions${path}`, {
      method,
      headers,
      body,
    });
    expect([path, response.ok]).toEqual([path, true]);
    return response.json() as Promise<{ readonly id: string }>;
  };
  const { id } = await ask('POST', '', 'application/json', '{"version":"2.0"}');
  await ask('PUT', `/${id}/files/${name}`, 'application/octet-stream', 'long');
  await ask('POST', `/${id}/activate`, 'application/json', '{}');
  await sendOrder(url, orgId, '1002');
  await mailServer.waitForMails(1);
  const [link = ''] = receiptsAmong(mailServer.mails)[0]?.text?.match(/https?:\S+\/d\/\S+/) ?? [];
  expect(await (await fetch(`${link}/files/2.0/${name}`)).text()).toBe('long');
});

it('stops while the host continues, and lets started requests finish', async () => {
  const mounted = await mount('/downloads');
  const { url, handover, environment } = mounted;
  const shop = await openShop(environment, url);
  const payload = Buffer.from('{"email":"ana@example.com"}');
  const begun = request(`${url}/webhooks/${shop.orgId}/storefront-a`, {
    method: 'POST',
    headers: { 'content-length': payload.length, 'x-shopify-hmac-sha256': 'bm9ib2R5' },
  });
  begun.write(payload.subarray(0, 5));
  const answered = once(begun, 'response');
  await once(mounted.host.server, 'request');
  const stopping = handover.stop();
  begun.end(payload.subarray(5));
  expect((await answered)[0].statusCode).toBe(401);
  await stopping;
  const stopped = await sendOrder(url, shop.orgId, '1003');
  expect([stopped.status, stopped.retryAfter, stopped.body]).toEqual([
    503,
    '10',
    { error: 'This service has stopped. Try again later.' },
  ]);
  await expectUntouched(mounted);
  await expect(handover.start()).resolves.toBeUndefined();
});

it('is stopped by the close of its host', async () => {
  const { host, handover } = await mount('/downloads');
  await host.close();
  const again = fastify();
  undoLater(() => again.close());
  await expect(again.register(handover.plugin)).rejects.toMatchObject({ code: 'handover-stopped' });
});

it('stops at once while the database is away', async () => {
  const lines: string[] = [];
  const handover = createHandover({
    databaseUrl: 'postgresql://nobody@127.0.0.1:1/nothing',
    files: 'file:///srv/files',
    mail: { smtpUrl: 'smtp://127.0.0.1', from: 'orders@shop.test' },
    secret: 'a-secret-of-at-least-32-characters',
    siteUrl: 'https://shop.test',
    log: pino({}, { write: (line: string) => void lines.push(line) }),
  });
  const started = handover.start().catch((error: unknown) => error);
  await vi.waitFor(() => expect(lines.join()).toContain('trying again'), 20_000);
  const begin = performance.now();
  await handover.stop();
  // Without the stop, it waits for a minute.
  expect(performance.now() - begin).toBeLessThan(20_000);
  expect(await started).toMatchObject({ code: 'store-unavailable' });
});

it('names the invalid option', () => {
  const wrong = () =>
    createHandover({
      databaseUrl: 'mysql://x',
      files: 'file:///srv/files',
      mail: { smtpUrl: 'smtp://127.0.0.1', from: 'orders@shop.test' },
      secret: 'short',
      siteUrl: 'https://shop.test/downloads',
    });
  expect(wrong).toThrow(/databaseUrl must look like postgresql:.*; secret must hold at least 32 characters/);
});

it('names the options that a program in JavaScript leaves out', () => {
  const leaveOut = (options: object) => () => createHandover(options as never);
  expect(leaveOut({})).toThrow(
    expect.objectContaining({ name: 'HandoverOptionsError', code: 'handover-options' }),
  );
  expect(leaveOut({ databaseUrl: 'postgresql://x', siteUrl: 'https://shop.test', secret: 'short' })).toThrow(
    'createHandover: files is required; mail.smtpUrl is required; mail.from is required.',
  );
});

it('names options in problems, and not the settings of the program', () => {
  const wrong = () =>
    createHandover({
      databaseUrl: 'postgresql://nobody@127.0.0.1:1/nothing',
      files: 'file:///srv/files',
      mail: { smtpUrl: '', from: 'orders@shop.test' },
      secret: 'a-secret-of-at-least-32-characters',
      siteUrl: 'https://shop.test/downloads',
    });
  expect(wrong).toThrow('mail.smtpUrl is required, because siteUrl is not on this machine');
});

it('refuses a prefix that links would not use', async () => {
  const handover = createHandover({
    databaseUrl: 'postgresql://nobody@127.0.0.1:1/nothing',
    files: 'file:///srv/files',
    mail: { smtpUrl: 'smtp://127.0.0.1', from: 'orders@shop.test' },
    secret: 'a-secret-of-at-least-32-characters',
    siteUrl: 'https://shop.test',
  });
  // A connection that is told of its last answer as the host closes would be kept for 72 seconds.
  const host = fastify({ keepAliveTimeout: 1000 });
  await expect(host.register(handover.plugin, { prefix: '/downloads' })).rejects.toThrow(
    'The prefix /downloads must be the end of siteUrl, which is https://shop.test',
  );
});
