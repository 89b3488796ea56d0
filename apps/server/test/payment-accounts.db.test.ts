import type { SampleMembers } from '@handover/platform-contract';
import { sampleEvent, signForTest } from '@handover/platform-payments-a/testing';
import { expect, it } from 'vitest';
import { startMailServer } from './support/mail-server.ts';
import { openDatabase } from './support/open-database.ts';
import { runCliForJson, runCliHere, startServer } from './support/server-process.ts';
import { openOwnShop, type RunningShop, shareServer } from './support/shared-server.ts';
import { listPurchases, makeInstallation, type OpenShop, openShop, until } from './support/shop.ts';

const SECRETS = ['whsec_the-new-one', 'whsec_the-old-one'] as const;

const shared = shareServer({ PAYMENTS_A_SIGNING_SECRET: SECRETS.join(', ') });

/** A service with one organisation, which sells a product named `felt-piano`. */
async function openService(): Promise<RunningShop> {
  const service = await openOwnShop(shared());
  // Unassigned orders are global: those of other tests must not be among them.
  const database = await openDatabase(service.environment.DATABASE_URL);
  await database.query('delete from unassigned_deliveries; delete from payment_accounts');
  return { ...service, environment: { ...service.environment, SITE_URL: service.server.url } };
}

interface Sent {
  readonly session?: SampleMembers;
  readonly event?: SampleMembers;
  readonly at?: Date;
  readonly secret?: string;
  readonly header?: string;
  /** Changes the bytes after they were signed. */
  readonly tamper?: (body: Buffer) => void;
}

async function send({ server }: Pick<RunningShop, 'server'>, sent: Sent) {
  const { session, event, at = new Date(), secret = SECRETS[0], tamper = () => undefined } = sent;
  const body = Buffer.from(sampleEvent(session, event));
  const [signature = ''] = Object.values(signForTest(secret, body, at));
  tamper(body);
  const response = await fetch(`${server.url}/webhooks/payments-a`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', [sent.header ?? 'Payments-A-Signature']: signature },
    body,
  });
  const answer = (await response.json()) as { readonly status?: string; readonly error?: string };
  return { code: response.status, status: answer.status };
}

/** A paid session. */
function sale(id: string, metadata: SampleMembers, more: SampleMembers = {}): SampleMembers {
  const customer = { email: `${id}@example.com`, name: 'Yu Sato' };
  return { id, payment_intent: `pi_${id}`, customer_details: customer, metadata, ...more };
}

async function listOrders({ server }: RunningShop, { apiKey }: OpenShop): Promise<readonly string[]> {
  return (await listPurchases(server.url, apiKey)).map(({ orderId }) => orderId).sort();
}

it('unassigned run says so where no order is without an organisation', async () => {
  const { environment } = await openService();
  const said = await runCliHere(environment, ['unassigned', 'run']);
  expect([said.code, said.stdout]).toEqual([0, 'No order is without an organisation.\n']);
});

it('a sale is delivered once it is paid, once, to the organisation that it names', async () => {
  const service = await openService();
  const { mailServer, server, shop } = service;
  const { shop: other } = await openOwnShop(shared());
  const metadata = { org_id: shop.orgId, sku: 'felt-piano' };
  const unpaid = { session: sale('cs_1', metadata, { payment_status: 'unpaid' }) };
  expect(await send(service, unpaid)).toEqual({ code: 200, status: 'ignored' });
  expect(await listOrders(service, shop)).toEqual([]);

  const paid = {
    session: sale('cs_1', metadata),
    event: { id: 'evt_2', type: 'checkout.session.async_payment_succeeded' },
  };
  for (const header of ['Payments-A-Signature', 'Stripe-Signature']) {
    for (const secret of SECRETS) expect((await send(service, { ...paid, header, secret })).code).toBe(200);
  }
  expect((await send(service, unpaid)).status).toBe('ignored');
  await mailServer.waitForMails(1);
  await until(async () => (await listPurchases(server.url, shop.apiKey))[0]?.receiptSentAt);
  expect((await send(service, paid)).status).toBe('success');

  // The buyer's reference says nothing; the id of a product of ours does, for its own organisation only.
  const reference = { client_reference_id: 'felt-piano' };
  const named = (id: string, more: SampleMembers, extra = reference) =>
    send(service, { session: sale(id, { org_id: shop.orgId, ...more }, extra) });
  expect((await named('cs_2', {})).status).toBe('error');
  expect((await named('cs_3', {}, { client_reference_id: shop.productId })).status).toBe('error');
  expect((await named('cs_4', { product_id: other.productId })).status).toBe('error');
  expect((await named('cs_5', { product_id: shop.productId })).status).toBe('pending');
  await mailServer.waitForMails(2);
  expect(await listOrders(service, shop)).toEqual(['cs_1', 'cs_5']);
  expect(await listOrders(service, other)).toEqual([]);
  expect(server.printed()).not.toContain('whsec_');
});

it('an account identifies the organisation, whatever the metadata say', async () => {
  const service = await openService();
  const { environment, mailServer, shop } = service;
  const { shop: other, mailServer: othersMails } = await openOwnShop(shared());
  const run = <T>(...words: readonly string[]) => runCliForJson<T>(environment, words);
  const metadata = { org_id: shop.orgId, sku: 'felt-piano' };
  const ofAccount = (id: string, account: string) =>
    send(service, { session: sale(id, metadata), event: { account } });

  // They are unassigned: they wait, and run once, even if they are started several times at once.
  for (const id of ['cs_1', 'cs_2', 'cs_3']) {
    expect(await ofAccount(id, 'acct_1')).toEqual({ code: 200, status: 'held' });
  }
  expect(await ofAccount('cs_4', 'acct_2')).toEqual({ code: 200, status: 'held' });
  const map = (account: string, orgId: string) =>
    run<{ assigned: number }>('account', 'map', '--org', orgId, '--account', account);
  const mapped = await Promise.all([
    map('acct_1', other.orgId),
    map('acct_1', other.orgId),
    run<{ assigned: number }>('unassigned', 'run'),
  ]);
  expect(mapped.reduce((sum, { assigned }) => sum + assigned, 0)).toBe(3);
  await othersMails.waitForMails(3);
  expect(await ofAccount('cs_5', 'acct_1')).toEqual({ code: 200, status: 'pending' });
  expect(await send(service, { session: sale('cs_6', metadata) })).toEqual({ code: 200, status: 'pending' });
  const mails = [...(await othersMails.waitForMails(4)), ...(await mailServer.waitForMails(1))];
  expect(new Set(mails.map(({ messageId }) => messageId)).size).toBe(5);
  expect(await listOrders(service, other)).toEqual(['cs_1', 'cs_2', 'cs_3', 'cs_5']);
  expect(await listOrders(service, shop)).toEqual(['cs_6']);

  const taken = await runCliHere(environment, ['account', 'map', '--org', shop.orgId, '--account', 'acct_1']);
  expect([taken.code, taken.stderr]).toEqual([1, expect.stringContaining(other.orgId)]);
});

/** Simulates a restored backup: it returns under its former id. */
async function restoreOrganisation(databaseUrl: string | undefined, orgId: string): Promise<void> {
  const database = await openDatabase(databaseUrl);
  await database.query(`
    insert into organisations (id, name, email, created_at) values ('${orgId}', 'Late', 'l@late.test', now());
    insert into catalogues (org_id) values ('${orgId}');
  `);
}

it('a sale for an organisation that is created later runs then', async () => {
  const service = await openService();
  const { environment, server } = service;
  const orgId = '01900000-0000-7000-8000-00000000abcd';
  const session = sale('cs_1', { org_id: orgId.toUpperCase(), sku: 'felt-piano' });
  expect(await send(service, { session })).toEqual({ code: 200, status: 'held' });
  const ofAccount = sale('cs_2', { sku: 'felt-piano' });
  await send(service, { session: ofAccount, event: { account: 'acct_1' } });
  await send(service, { session: sale('cs_3', { sku: 'felt-piano' }), event: { account: 'acct_2; id' } });
  const list = ['unassigned', 'list'];
  const first = await runCliForJson<{ unassigned: readonly { orderId: string }[]; next: string }>(
    environment,
    [...list, '--limit', '1'],
  );
  expect(first.unassigned.map(({ orderId }) => orderId)).toEqual(['cs_1']);
  const rest = await runCliHere(environment, [...list, '--after', first.next]);
  expect(rest.stdout).toContain('cs_2');
  expect(rest.stdout).not.toContain('cs_1');
  expect(rest.stdout).toContain('account map --org ORG --account acct_1\n');
  // A person pastes it into a shell.
  expect(rest.stdout).toContain("account map --org ORG --account 'acct_2; id'\n");

  const run = () => runCliForJson(environment, ['unassigned', 'run']);

  await restoreOrganisation(environment.DATABASE_URL, orgId);
  expect(await run()).toEqual({ assigned: 1, waiting: 2 });
  expect(await run()).toEqual({ assigned: 0, waiting: 2 });
  const words = ['user', 'create', '--email', 'l@late.test', '--org', orgId, '--role', 'admin'];
  const { apiKey } = await runCliForJson<{ apiKey: string }>(environment, words);
  await until(async () => {
    const response = await fetch(`${server.url}/api/deliveries`, { headers: { 'x-api-key': apiKey } });
    const [entry] = (await response.json()) as { readonly status: string; readonly orderId: string }[];
    // It sells no such product: the job has run.
    return entry?.status === 'error' && entry.orderId === 'cs_1';
  });
});

it('an unmapped account keeps its orders, and new orders wait until it is mapped again', async () => {
  const service = await openService();
  const { environment, mailServer, shop } = service;
  const { shop: other, mailServer: othersMails } = await openOwnShop(shared());
  const account = (word: string, ...words: readonly string[]) => [
    'account',
    word,
    '--account',
    'acct_1',
    ...words,
  ];
  const ofAccount = (id: string) =>
    send(service, { session: sale(id, { sku: 'felt-piano' }), event: { account: 'acct_1' } });

  await runCliForJson(environment, account('map', '--org', shop.orgId));
  expect((await ofAccount('cs_1')).status).toBe('pending');
  await mailServer.waitForMails(1);
  expect(await runCliForJson(environment, account('unmap'))).toEqual({
    account: 'acct_1',
    orgId: shop.orgId,
  });
  expect(await ofAccount('cs_2')).toEqual({ code: 200, status: 'held' });
  expect(await listOrders(service, shop)).toEqual(['cs_1']);

  const again = await runCliHere(environment, account('unmap'));
  expect([again.code, again.stderr]).toEqual([
    1,
    expect.stringContaining('--account acct_1 is not mapped to an organisation'),
  ]);
  const wrong = await runCliHere(environment, ['account', 'unmap', '--account', 'main']);
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('--account must look like acct_')]);

  const mapped = await runCliForJson(environment, account('map', '--org', other.orgId));
  expect(mapped).toMatchObject({ assigned: 1 });
  await othersMails.waitForMails(1);
  expect(await listOrders(service, other)).toEqual(['cs_2']);
  const unmapped = await runCliHere(environment, account('unmap'));
  expect([unmapped.code, unmapped.stdout]).toEqual([0, expect.stringContaining(`account map --org ORG`)]);
  expect(unmapped.stdout).toContain(other.orgId);
});

it('forged and expired requests are refused', async () => {
  const service = await openService();
  const { environment, shop } = service;
  const session = sale('cs_1', { org_id: shop.orgId, sku: 'felt-piano' });
  const ago = (seconds: number) => new Date(Date.now() - seconds * 1000);
  const tampers = [0, 100, 500].map((place) => (body: Buffer) => {
    body[place] = (body[place] ?? 0) ^ 1;
  });
  const refused: readonly Sent[] = [
    { at: ago(400) },
    { at: ago(-400) },
    { secret: 'whsec_of-nobody' },
    { header: 'X-Signature' },
    ...tampers.map((tamper) => ({ tamper })),
  ];
  for (const sent of refused) expect((await send(service, { session, ...sent })).code).toBe(401);
  expect((await send(service, { session, at: ago(200) })).status).toBe('pending');

  const set = ['integration', 'set', '--org', shop.orgId, '--platform', 'payments-a', '--secret', 'whsec_x'];
  const own = await runCliHere(environment, set);
  expect([own.code, own.stderr]).toEqual([
    1,
    expect.stringMatching(/PAYMENTS_A_SIGNING_SECRET[\s\S]*account map/),
  ]);
  expect((await send(service, { session, secret: 'whsec_x' })).code).toBe(401);
});

it('without its secret the platform is off, and the commands say so', async () => {
  const environment = await makeInstallation(await startMailServer());
  const server = await startServer(environment);
  const shop = await openShop(environment, server.url);
  expect((await send({ server }, { session: sale('cs_1', { org_id: shop.orgId }) })).code).toBe(401);
  const at = { ...environment, SITE_URL: server.url };
  const simulated = await runCliHere(at, [
    'simulate',
    'payments-a',
    '--org',
    shop.orgId,
    '--sku',
    'felt-piano',
  ]);
  expect([simulated.code, simulated.stderr]).toEqual([
    1,
    expect.stringContaining('PAYMENTS_A_SIGNING_SECRET'),
  ]);
  const mapped = await runCliHere(at, ['account', 'map', '--org', shop.orgId, '--account', 'acct_1']);
  expect([mapped.code, mapped.stdout]).toEqual([0, expect.stringContaining('PAYMENTS_A_SIGNING_SECRET')]);
  const wrong = await runCliHere(at, ['account', 'map', '--org', shop.orgId, '--account', 'main']);
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('--account must look like acct_')]);
});
