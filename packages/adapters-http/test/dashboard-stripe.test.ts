import { FRESH_FOR_MS, mapAccount, REJECTED_LIFETIME_MS } from '@handover/domain';
import { paymentsA, readTenantRef } from '@handover/platform-payments-a';
import { openShop } from '@handover/testkit';
import { describe, expect, test } from 'vitest';
import { openDashboard } from './open-dashboard.ts';
import { createFakeDoctor } from './sample-checks.ts';
import { sendEvent } from './send-event.ts';

const PAGE = '/dashboard/settings/installation/payments-a';
const SECRET = 'whsec_0123456789abcdefghijklmnop';
const INTEGRATION = '/dashboard/settings/integrations/payments-a';

/** The dashboard of an operator, whose installation is not connected to Stripe. */
async function open(secrets: readonly string[] = []) {
  const operators: string[] = [];
  const doctor = createFakeDoctor((email) => operators.includes(email));
  const sharedPlatform = { webhook: paymentsA, secrets, readTenantRef };
  const dashboard = await openDashboard(undefined, { doctor, sharedPlatform });
  const owner = await dashboard.signIn('owner');
  operators.push(owner.email);
  const entriesOf = async (orgId = dashboard.shop.orgId) => {
    const entries = await dashboard.ports.activity.list(orgId, { subjectId: null, before: null, limit: 9 });
    return entries.filter(({ kind }) => kind === 'integration-changed');
  };
  return { ...dashboard, owner, entriesOf };
}

test('nobody but an owner who operates the installation sees the page, or can use it', async () => {
  const dashboard = await open();
  for (const [role, refused] of [
    ['owner', 404],
    ['admin', 404],
    ['member', 403],
  ] as const) {
    const user = await dashboard.signIn(role);
    expect((await user.get(PAGE)).statusCode).toBe(refused);
    for (const path of ['/secret', '/accounts', '/accounts/unmap']) {
      const answer = await user.submit('/dashboard/products', PAGE + path, { secret: SECRET });
      expect([role, path, answer.statusCode]).toEqual([role, path, refused]);
    }
  }
  expect(await dashboard.stores.sharedSecrets.list(dashboard.clock.now())).toEqual([]);
});

describe('the signing secret', () => {
  test('connects Stripe as soon as it is set: shown masked, and with an entry', async () => {
    const { owner, entriesOf, ...dashboard } = await open();
    expect((await owner.get(PAGE)).body).toContain('Not set up');
    const sign = { secret: SECRET };
    expect((await sendEvent(dashboard, sign)).statusCode).toBe(401);
    const set = await owner.submit(PAGE, `${PAGE}/secret`, { secret: SECRET });
    expect([set.statusCode, set.headers.location]).toEqual([303, PAGE]);
    expect((await sendEvent(dashboard, sign)).statusCode).toBe(200);
    const { body } = await owner.get(PAGE);
    expect(body).toContain('whsec_…mnop');
    expect(body).not.toContain(SECRET);
    const [entry] = await entriesOf();
    expect(entry).toMatchObject({
      kind: 'integration-changed',
      actor: owner.email,
      summary: 'The signing secret of Stripe was set for this installation.',
    });
    expect(JSON.stringify(await entriesOf())).not.toContain(SECRET);
  });

  test('is replaced after a fresh sign-in only, and the former one works for another day', async () => {
    const { owner, clock, ...dashboard } = await open();
    await owner.submit(PAGE, `${PAGE}/secret`, { secret: SECRET });
    clock.advance(FRESH_FOR_MS + 1);
    const late = await owner.submit(PAGE, `${PAGE}/secret`, { secret: `${SECRET}-new` });
    expect(late.body).toContain('Confirm');
    expect(await dashboard.stores.sharedSecrets.list(clock.now())).toHaveLength(1);
    clock.advance(-FRESH_FOR_MS);
    await owner.submit(PAGE, `${PAGE}/secret`, { secret: `${SECRET}-new` });
    for (const secret of [SECRET, `${SECRET}-new`]) {
      expect((await sendEvent({ ...dashboard, clock }, { secret })).statusCode).toBe(200);
    }
    clock.advance(REJECTED_LIFETIME_MS);
    expect((await sendEvent({ ...dashboard, clock }, { secret: SECRET })).statusCode).toBe(401);
    expect((await sendEvent({ ...dashboard, clock }, { secret: `${SECRET}-new` })).statusCode).toBe(200);
  });

  test.each([
    ['sk_live_0123456789', 'must begin with whsec_'],
    ['', 'must not be empty'],
    ['whsec_0123\u0000456789', 'that can be printed'],
  ])('is refused with the reason when it is %j', async (secret, reason) => {
    const { owner, entriesOf, stores, clock } = await open();
    const refused = await owner.submit(PAGE, `${PAGE}/secret`, { secret });
    expect(refused.statusCode).toBe(400);
    expect(refused.body).toContain(reason);
    expect(await stores.sharedSecrets.list(clock.now())).toEqual([]);
    expect(await entriesOf()).toEqual([]);
  });

  test('cannot be set where the environment sets it, which wins', async () => {
    const { owner, ...dashboard } = await open(['whsec_environment']);
    await dashboard.stores.sharedSecrets.replace({
      id: dashboard.ports.ids.next(),
      secret: SECRET,
      now: dashboard.clock.now(),
      formerUntil: dashboard.clock.now(),
    });
    const { body } = await owner.get(PAGE);
    expect(body).toContain('PAYMENTS_A_SIGNING_SECRET, which wins over this page');
    expect(body).not.toContain('name="secret"');
    const refused = await owner.submit(PAGE, `${PAGE}/secret`, { secret: SECRET });
    expect([refused.statusCode, refused.body.includes('Change it there.')]).toEqual([400, true]);
    expect((await sendEvent(dashboard, { secret: SECRET })).statusCode).toBe(401);
    expect((await sendEvent(dashboard, { secret: 'whsec_environment' })).statusCode).toBe(200);
  });
});

describe('accounts', () => {
  test('are mapped to an organisation, which gets the orders that waited, and unmapped', async () => {
    const { owner, entriesOf, ...dashboard } = await open(['whsec_environment']);
    const other = await openShop({ ...dashboard.ports, stores: dashboard.stores }, 'Other');
    await sendEvent(dashboard, { event: { account: 'acct_1' }, secret: 'whsec_environment' });
    const before = (await owner.get(PAGE)).body;
    expect(before).toContain('1 order waits for an organisation');
    expect(before).toContain('acct_1');
    const typed = { account: ' acct_1 ', org: other.orgId };
    expect((await owner.submit(PAGE, `${PAGE}/accounts`, typed)).statusCode).toBe(303);
    expect(await dashboard.stores.accounts.find('acct_1')).toMatchObject({ orgId: other.orgId });
    expect(await dashboard.stores.unassigned.count()).toBe(0);
    expect(await entriesOf(other.orgId)).toMatchObject([
      { actor: owner.email, summary: 'Account acct_1 of Stripe was mapped to this organisation.' },
    ]);
    const { body } = await owner.get(PAGE);
    expect(body).not.toContain('waits for an organisation');
    expect(body).toContain('Unmap acct_1?');

    const stale = { account: 'acct_1', org: dashboard.shop.orgId };
    expect((await owner.submit(PAGE, `${PAGE}/accounts/unmap`, stale)).body).toContain('meanwhile');
    const unmap = { account: 'acct_1', org: other.orgId };
    expect((await owner.submit(PAGE, `${PAGE}/accounts/unmap`, unmap)).statusCode).toBe(303);
    expect(await dashboard.stores.accounts.find('acct_1')).toBe(null);
    expect(await entriesOf(other.orgId)).toHaveLength(2);
  });

  test('are refused with the reason, and what was typed stays', async () => {
    const { owner, ...dashboard } = await open();
    const other = await openShop({ ...dashboard.ports, stores: dashboard.stores }, 'Other');
    await mapAccount(dashboard.ports, { orgId: other.orgId, account: 'acct_taken' });
    const map = (account: string, org = dashboard.shop.orgId) =>
      owner.submit(PAGE, `${PAGE}/accounts`, { account, org });
    for (const [account, reason] of [
      ['cus_1', 'must look like acct_1A2b3C'],
      ['acct_taken', 'mapped to Other already'],
    ] as const) {
      const { statusCode, body } = await map(account);
      expect([statusCode, body.includes(reason)]).toEqual([400, true]);
      expect(body).toContain(`value="${account}"`);
    }
    expect((await map('acct_1', 'nobody')).body).toContain('There is no such organisation.');
  });

  test('come in pages', async () => {
    const { owner, ...dashboard } = await open();
    for (let number = 100; number <= 150; number += 1)
      await mapAccount(dashboard.ports, { orgId: dashboard.shop.orgId, account: `acct_${number}` });
    const first = (await owner.get(PAGE)).body;
    expect([first.includes('Unmap acct_149?'), first.includes('Unmap acct_150?')]).toEqual([true, false]);
    expect(first).toContain(`href="${PAGE}?after&#61;acct_149"`);
    expect((await owner.get(`${PAGE}?after=acct_149`)).body).toContain('Unmap acct_150?');
  });
});

test('the page of integrations says what is missing and who can do it, and links operators there', async () => {
  const { owner, ...dashboard } = await open();
  const admin = await dashboard.signIn('admin');
  const seen = (await admin.get(INTEGRATION)).body;
  expect(seen).toContain('Stripe is not connected to this service yet.');
  expect(seen).toContain('Only the operator of this service can do both.');
  expect(seen).not.toContain(PAGE);
  const owned = (await owner.get(INTEGRATION)).body;
  expect(owned).toContain(`href="${PAGE}"`);
  await owner.submit(PAGE, `${PAGE}/secret`, { secret: SECRET });
  expect((await admin.get(INTEGRATION)).body).toContain('it must still be mapped to your organisation');
});
