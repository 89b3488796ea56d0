import { describe, expect, test } from 'vitest';
import type { HttpPorts } from '../src/index.ts';
import type { Audited, Prepare } from './audited.ts';
import { AUDITED_ROUTES, INVITED } from './audited-routes.ts';
import { listRoutes } from './list-routes.ts';
import { openDashboard } from './open-dashboard.ts';
import { bearer, TEST_OPTIONS } from './open-test-shop.ts';

/** Routes that write no entry, each with the reason. */
const ROUTES_WITHOUT_ENTRY: Readonly<Record<string, string>> = {
  'POST /api/uploads':
    'Only announces a file. The entry is written when all of it is there and it becomes a file.',
  'DELETE /api/uploads/{uploadId}':
    'Deletes an upload that is not a file of a version yet. Files of versions stay.',
  'POST /dashboard/sign-in':
    'Mails a link, which lets nobody in by itself. Using it, and being refused, have entries.',
  'POST /dashboard/passkeys/options': 'Draws a challenge, which changes nothing by itself.',
  'POST /dashboard/passkeys/sign-in/options': 'Draws a challenge, which lets nobody in by itself.',
  'POST /dashboard/passkeys': 'Needs a real authenticator: passkeys.browser.test.ts looks for its entry.',
  'POST /dashboard/passkeys/sign-in':
    'Needs a real authenticator: passkeys.browser.test.ts looks for its entry.',
  'POST /dashboard/confirm': 'Mails a link, as a sign-in does. Using it has an entry.',
  'POST /dashboard/settings/integrations/{platform}/test-order':
    'Sends a signed order to our own webhook: what comes of it is in the webhook log.',
};

/** Routes that do the same again each time, each with the reason. */
const ROUTES_THAT_REPEAT: Readonly<Record<string, string>> = {
  'POST /api/deliveries/{deliveryId}/redeliver': 'Each run counts as an attempt.',
  'POST /dashboard/webhook-log/{deliveryId}/redeliver': 'Each run counts as an attempt.',
  'POST /dashboard/sign-in/{token}': 'A link that is used again is refused, and the refusal has an entry.',
  'POST /dashboard/settings/team/invitations/{invitationId}/resend': 'Mails it each time, up to a limit.',
  'POST /dashboard/settings/api-key/replace': 'Makes a new key each time.',
};

import { sendSale } from './send-form.ts';

async function openAudited(changePorts?: Parameters<typeof openDashboard>[0]): Promise<Audited> {
  const dashboard = await openDashboard(changePorts);
  return { ...dashboard, owner: await dashboard.signIn('owner') };
}

function readLog({ ports, shop }: Audited) {
  return ports.activity.list(shop.orgId, { subjectId: null, before: null, limit: 100 });
}

/** The entries that a request adds. */
async function entriesOf(audited: Audited, request: () => Promise<{ readonly statusCode: number }>) {
  const before = new Set((await readLog(audited)).map(({ id }) => id));
  const { statusCode } = await request();
  const added = (await readLog(audited)).filter(({ id }) => !before.has(id));
  return { statusCode, added };
}

describe('every route that changes something', () => {
  test('is listed with a change that it makes, or with the reason why it has no entry', async () => {
    const audited = await openAudited();
    const routes = await listRoutes(audited.ports, { ...TEST_OPTIONS, platforms: [] });
    const changing = routes
      .filter(({ method }) => !['GET', 'HEAD', 'OPTIONS'].includes(method))
      .map(({ method, path }) => `${method} ${path}`)
      .filter((route) => /^\w+ \/(api|dashboard)\//.test(route));
    const known = [...Object.keys(AUDITED_ROUTES), ...Object.keys(ROUTES_WITHOUT_ENTRY)];
    expect(changing.sort()).toEqual(known.sort());
  });

  test.each(Object.entries(AUDITED_ROUTES))(
    '%s writes one entry, with who and how',
    async (route, prepare) => {
      const audited = await openAudited();
      const request = await prepare(audited);
      const { statusCode, added } = await entriesOf(audited, request);
      expect([200, 201, 204, 303]).toContain(statusCode);
      const [keyOwner] = await audited.ports.team.list(audited.shop.orgId);
      const byKey = {
        via: 'api-key',
        actor: keyOwner?.email,
        viaDetail: audited.ports.apiKeys.hint(audited.shop.ownerKey),
      };
      const byHand = {
        via: 'dashboard',
        actor: route.includes('/invitations/{token}') ? INVITED : audited.owner.email,
      };
      expect(added).toEqual([expect.objectContaining(route.includes(' /api/') ? byKey : byHand)]);
      expect(added[0]?.at).toEqual(audited.clock.now());
      expect(added[0]?.subjectId).not.toBe('');
      expect(JSON.stringify(added)).not.toContain(audited.shop.ownerKey);
    },
  );

  test.each(Object.entries(AUDITED_ROUTES))(
    'writes one entry however often it is pressed: %s',
    async (route, prepare) => {
      const audited = await openAudited();
      const request = await prepare(audited);
      const { added } = await entriesOf(audited, request);
      const again = [await entriesOf(audited, request), await entriesOf(audited, request)];
      const repeats = again.some((one) => one.added.length > 0);
      expect([added.length, repeats]).toEqual([1, route in ROUTES_THAT_REPEAT]);
    },
  );

  test.each(Object.keys(AUDITED_ROUTES))('leaves no entry when it is refused: %s', async (route) => {
    const audited = await openAudited();
    const [method = '', path = ''] = route.split(' ');
    const url = path.replace(/\{\w+\}/g, '00000000-0000-7000-8000-000000000009');
    for (const headers of [{}, bearer(audited.shop.ownerKey), { 'sec-fetch-site': 'same-origin' }]) {
      const send = () => audited.app.inject({ method: method as 'POST', url, headers });
      const { statusCode, added } = await entriesOf(audited, send);
      expect(statusCode).toBeGreaterThanOrEqual(400);
      expect(statusCode).toBeLessThan(500);
      expect(added).toEqual([]);
    }
  });
});

describe('a crash between a change by API key and its entry', () => {
  /** Their entry is written by the use case, in the transaction of the change itself. */
  const byUseCase = [
    'POST /api/purchases',
    'POST /api/download-links/{linkId}/revoke',
    'POST /api/download-links/{linkId}/restore',
  ];
  const byKey = Object.entries(AUDITED_ROUTES).filter(
    ([route]) => route.includes(' /api/') && !byUseCase.includes(route),
  );

  test.each(byKey)('leaves neither of them: %s', async (_route, prepare: Prepare) => {
    const process = { dies: false };
    const audited = await openAudited((ports) => ({
      activity: {
        ...ports.activity,
        add: async (...entry: Parameters<HttpPorts['activity']['add']>) => {
          if (process.dies) throw new Error('The process died here.');
          await ports.activity.add(...entry);
        },
      },
    }));
    const request = await prepare(audited);
    const before = await readState(audited);
    process.dies = true;
    expect((await request()).statusCode).toBe(500);
    expect(await readState(audited)).toBe(before);
  });
});

async function readState({ ports, shop }: Audited): Promise<string> {
  const { orgId, product } = shop;
  return JSON.stringify([
    await ports.products.search(orgId, { text: '', status: null, before: null, limit: 10 }),
    await ports.products.listVersions(orgId, product.id, 10),
    await ports.skuMappings.listOf(orgId, product.id, 10),
    await ports.deliveries.list(orgId, { status: null, platform: null, before: null, limit: 10 }),
    await ports.activity.list(orgId, { subjectId: null, before: null, limit: 100 }),
  ]);
}

test('a sale that is sent again with its idempotency key has one entry', async () => {
  const audited = await openAudited();
  const key = { 'idempotency-key': 'sale-1' };
  const first = await entriesOf(audited, () => sendSale(audited, {}, key));
  expect([first.statusCode, first.added.length]).toEqual([201, 1]);
  const again = await entriesOf(audited, () => sendSale(audited, {}, key));
  expect([again.statusCode, again.added]).toEqual([201, []]);
});

test('a change that changes nothing has no entry', async () => {
  const audited = await openAudited();
  const { product, version, ownerKey } = audited.shop;
  const url = `/api/products/${product.id}`;
  const send = (method: 'PUT' | 'POST', path: string, payload?: object) => () =>
    audited.app.inject({
      method,
      url: `${url}${path}`,
      headers: bearer(ownerKey),
      ...(payload && { payload }),
    });
  const same = await entriesOf(audited, send('PUT', '', { name: product.name, status: 'published' }));
  expect([same.statusCode, same.added]).toEqual([200, []]);
  const live = await entriesOf(audited, send('POST', `/versions/${version.id}/activate`));
  expect([live.statusCode, live.added]).toEqual([200, []]);
  const off = await entriesOf(audited, send('PUT', '', { activeVersionId: null }));
  expect(off.added).toMatchObject([{ summary: 'Pads: no version is live any more.' }]);
  const on = await entriesOf(audited, send('PUT', '', { activeVersionId: version.id }));
  expect(on.added).toMatchObject([{ summary: 'Pads: version 1.0 made live.' }]);
});

test('a replaced key is refused, and the structured log has only its first and last characters', async () => {
  const audited = await openAudited();
  const [keyOwner] = await audited.ports.team.list(audited.shop.orgId);
  const hint = audited.ports.apiKeys.hint(audited.shop.ownerKey);
  await audited.ports.users.replaceKey(keyOwner?.id ?? '', audited.ports.apiKeys.mint().stored);
  const send = () => audited.app.inject({ url: '/api/products', headers: bearer(audited.shop.ownerKey) });
  const { statusCode, added } = await entriesOf(audited, send);
  expect([statusCode, added]).toEqual([401, []]);
  const line = audited.log.requests().at(-1);
  expect(line).toMatchObject({ apiKey: hint, reason: expect.stringContaining('API key is unknown') });
  await audited.app.inject({ url: '/api/products', headers: bearer('sk_live_of_another_service') });
  expect(JSON.stringify(audited.log.lines)).not.toContain('another_service');
  expect(JSON.stringify(audited.log.lines)).not.toContain(audited.shop.ownerKey);
});
