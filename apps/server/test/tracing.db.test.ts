import { expect, it } from 'vitest';
import { startMailServer } from './support/mail-server.ts';
import { startCollector } from './support/otlp-collector.ts';
import { runCliForJson, spawnServer, startServer } from './support/server-process.ts';
import { makeInstallation, openShop, signOrder, until } from './support/shop.ts';

it('follows an order from the webhook to the mail in one trace, across processes', async () => {
  const mailServer = await startMailServer();
  const collector = await startCollector();
  const environment = { ...(await makeInstallation(mailServer)), ...collector.settings };
  const web = await startServer({ ...environment, ROLE: 'web' });
  const worker = spawnServer({ ...environment, ROLE: 'worker' });
  await worker.waitForLine(/"working"/);
  const { orgId } = await openShop(environment, web.url);

  const { path, headers, body } = signOrder(orgId, '5001');
  // As a proxy that traces would send it.
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  const traceparent = `00-${traceId}-b7ad6b7169203331-01`;
  const url = `${web.url}${path}?secret=hush-hush`;
  const response = await fetch(url, { method: 'POST', headers: { ...headers, traceparent }, body });
  expect(response.status).toBe(200);
  const { deliveryId } = (await response.json()) as { readonly deliveryId: string };

  const trace = await until(async () => {
    const spans = collector.spans.filter((span) => span.traceId === traceId);
    return spans.some(({ name }) => name === 'send receipt') && spans;
  });
  const find = (name: string) => trace.find((span) => span.name === name);
  const request = find('POST /webhooks/:orgId/storefront-a');
  const decision = find('decide order');
  const mail = find('send receipt');
  expect(request?.parentSpanId).toBe('b7ad6b7169203331');
  expect(request?.resource).toMatchObject({ 'service.name': 'handover', 'handover.role': 'web' });
  expect(decision?.attributes).toMatchObject({
    'handover.delivery.id': deliveryId,
    'handover.order.number': '#5001',
    'handover.platform': 'storefront-a',
  });
  expect(mail?.resource['handover.role']).toBe('worker');
  expect(mail?.attributes).toMatchObject({
    'handover.delivery.id': deliveryId,
    'handover.order.number': '#5001',
  });
  // Both continue what ran in the request.
  const ids = trace.map(({ spanId }) => spanId);
  expect([decision, mail].filter((span) => !ids.includes(span?.parentSpanId ?? ''))).toEqual([]);

  const lineOf = async (program: typeof web, pattern: RegExp) =>
    JSON.parse(await program.waitForLine(pattern));
  const named = { deliveryId, orderNumber: '#5001', traceId };
  expect(await lineOf(web, new RegExp(`"route":"/webhooks.*${deliveryId}`))).toMatchObject(named);
  expect(await lineOf(worker, /"receipt sent"/)).toMatchObject({ ...named, orgId });

  // An order of cart-a is decided by a job, in the other process.
  const shop = ['--org', orgId];
  await runCliForJson(environment, [
    ...['integration', 'set', ...shop, '--platform', 'cart-a', '--secret', 'hush-hush-hush-hush'],
  ]);
  const simulate = ['simulate', 'cart-a', ...shop, '--sku', 'felt-piano', '--order', '7'];
  await runCliForJson({ ...environment, SITE_URL: web.url }, simulate);
  const later = await until(async () =>
    collector.spans.find((span) => span.name === 'send receipt' && span.traceId !== traceId),
  );
  const ofCart = collector.spans.filter((span) => span.traceId === later.traceId);
  const decidedLater = ofCart.find((span) => span.name === 'decide order');
  expect(decidedLater?.resource['handover.role']).toBe('worker');
  expect(ofCart.map(({ name }) => name)).toContain('POST /webhooks/:orgId/cart-a');
  const ofOrder = { deliveryId: decidedLater?.attributes['handover.delivery.id'], traceId: later.traceId };
  expect(await lineOf(worker, /"order decided"/)).toMatchObject({
    ...ofOrder,
    orgId,
    deliveryStatus: 'pending',
  });

  await until(async () => collector.metrics.get('handover_receipt_delay_seconds_count worker') === 2);
  expect(collector.metrics.get('handover_deliveries_total worker')).toBe(1);
  expect(collector.metrics.get('handover_database_up worker')).toBe(1);
  // Neither the URL's secret nor the buyer reaches the collector.
  const all = collector.received.join('');
  for (const secret of ['hush-hush', 'ana@example.com', 'a-secret-of-at-least'])
    expect(all).not.toContain(secret);
});

it('says once that the collector is away, and goes on', async () => {
  const collector = await startCollector();
  const environment = await makeInstallation(await startMailServer());
  const settings = {
    ...environment,
    ...collector.settings,
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
  };
  const server = await startServer(settings);
  const line = await server.waitForLine(/do not reach the collector/);
  expect(JSON.parse(line)).toMatchObject({
    level: 'warn',
    reason: expect.stringMatching(/ECONNREFUSED|timed out/),
  });
  expect((await fetch(`${server.url}/my`)).status).toBe(200);
});
