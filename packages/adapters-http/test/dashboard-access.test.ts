import { createHttpApp, type HttpPorts } from '@handover/adapters-http';
import { openShop } from '@handover/testkit';
import { describe, expect } from 'vitest';
import type { Access } from '../src/auth/access.ts';
import { csrfTokenOf, type OpenedDashboard } from './open-dashboard.ts';

import { TEST_OPTIONS } from './open-test-shop.ts';
import { recordedDelivery } from './recorded-delivery.ts';
import { deliverOrder } from './sell-purchases.ts';
import { test } from './test-in-shop.ts';

interface Listed {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly access: Access;
}

/** Every route of the dashboard, as the app itself is given them: a new one is tested without a word here. */
async function listRoutes(ports: HttpPorts): Promise<readonly Listed[]> {
  const routes: Listed[] = [];
  const app = createHttpApp(ports, { ...TEST_OPTIONS, platforms: [] });
  app.addHook('onRoute', ({ method, url, config }) => {
    if (!url.startsWith('/dashboard') || method === 'HEAD') return;
    const access = config?.dashboard?.access;
    if (!access) throw new Error(`${url} does not say who may come in.`);
    routes.push({ method: method === 'POST' ? 'POST' : 'GET', url, access });
  });
  await app.ready();
  await app.close();
  return routes;
}

/** Its address, with the ids of the shop where it takes any. */
function addressOf(url: string, ids: Readonly<Record<string, string>>): string {
  return url.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? '00000000-0000-7000-8000-000000000009');
}

/** A download by that link. */
async function begin({ ports, shop, clock }: OpenedDashboard, linkId: string): Promise<string> {
  const request = { sessionId: ports.ids.next(), joining: null, client: 'browser', at: clock.now() } as const;
  return (await ports.sessions.begin(shop.orgId, linkId, request)) ?? '';
}

describe('every page and action of the dashboard', () => {
  test('declares its required access', async ({ dashboard }) => {
    const routes = await listRoutes(dashboard.ports);
    expect(routes.length).toBeGreaterThan(10);
    const open = routes.filter(({ access }) => access === 'anyone').map(({ url }) => url);
    expect([...new Set(open)]).toEqual([
      '/dashboard/sign-in',
      '/dashboard/sign-in/no-cookies',
      '/dashboard/sign-in/:token',
      '/dashboard/invitations/:token',
      '/dashboard/passkeys/sign-in/options',
      '/dashboard/passkeys/sign-in',
    ]);
  });

  test('rejects requests without a session', async ({ dashboard }) => {
    for (const { method, url, access } of await listRoutes(dashboard.ports)) {
      if (access === 'anyone') continue;
      const address = addressOf(url, { productId: dashboard.shop.product.id });
      const browser = dashboard.signedInUser();
      const answer = method === 'GET' ? await browser.get(address) : await browser.post(address);
      expect([url, answer.statusCode]).toEqual([url, method === 'GET' ? 303 : 401]);
      expect(answer.body).not.toContain('Pads');
    }
  });

  test('rejects a role without access', async ({ dashboard, member }) => {
    const csrfToken = csrfTokenOf((await member.get('/dashboard/products')).body);
    for (const { method, url, access } of await listRoutes(dashboard.ports)) {
      const address = addressOf(url, { productId: dashboard.shop.product.id });
      if (access === 'admin') {
        const answer =
          method === 'GET'
            ? await member.get(address)
            : await member.post(address, { 'form-token': csrfToken });
        expect([url, answer.statusCode]).toEqual([url, 403]);
      } else if (access === 'member' && method === 'GET') {
        expect([url, (await member.get(address)).statusCode]).not.toEqual([url, 403]);
      }
    }
  });

  test('rejects a user without an organisation, or with an expired subscription', async ({ dashboard }) => {
    const nobody = await dashboard.signIn(null);
    for (const { method, url, access } of await listRoutes(dashboard.ports)) {
      if (access === 'anyone' || access === 'signed-in') continue;
      const address = addressOf(url, { productId: dashboard.shop.product.id });
      const answer = method === 'GET' ? await nobody.get(address) : await nobody.post(address);
      expect([url, answer.statusCode]).toEqual([url, 403]);
    }
  });

  test('shows and changes nothing of another organisation', async ({ dashboard }) => {
    const other = await openShop({ ...dashboard.ports, stores: dashboard.stores }, 'Other');
    const stranger = await dashboard.signIn('owner', other.orgId);
    const csrfToken = csrfTokenOf((await stranger.get('/dashboard/products')).body);
    const { purchaseId, linkId } = await deliverOrder(dashboard);
    const sessionId = await begin(dashboard, linkId);
    const { id: deliveryId } = await recordedDelivery(dashboard);
    const [owner] = await dashboard.stores.team.list(dashboard.shop.orgId);
    const recordBefore = await dashboard.stores.purchases.show(dashboard.shop.orgId, purchaseId);
    const before = JSON.stringify(
      await dashboard.stores.products.find(dashboard.shop.orgId, dashboard.shop.product.id),
    );
    for (const { method, url, access } of await listRoutes(dashboard.ports)) {
      if (access === 'anyone' || access === 'signed-in' || !url.includes(':')) continue;
      const ids = {
        productId: dashboard.shop.product.id,
        deliveryId,
        purchaseId,
        sessionId,
        userId: owner?.id ?? '',
      };
      const address = addressOf(url, ids);
      const fields = { 'form-token': csrfToken, name: 'Taken over', slug: 'taken', email: 'eva@example.com' };
      const answer = method === 'GET' ? await stranger.get(address) : await stranger.post(address, fields);
      expect([url, answer.statusCode]).toEqual([url, 404]);
    }
    expect(
      JSON.stringify(await dashboard.stores.products.find(dashboard.shop.orgId, dashboard.shop.product.id)),
    ).toBe(before);
    expect(await dashboard.stores.team.list(dashboard.shop.orgId)).toEqual([owner]);
    expect(await dashboard.stores.purchases.show(dashboard.shop.orgId, purchaseId)).toEqual(recordBefore);
  });

  test('changes nothing without the session’s CSRF token', async ({ dashboard, owner }) => {
    for (const { method, url, access } of await listRoutes(dashboard.ports)) {
      if (access === 'anyone' || method === 'GET') continue;
      const address = addressOf(url, { productId: dashboard.shop.product.id });
      expect([url, (await owner.post(address)).statusCode]).toEqual([url, 409]);
      const crossSite = await owner.post(address, {}, { 'sec-fetch-site': 'cross-site' });
      expect([url, crossSite.statusCode]).toEqual([url, 403]);
    }
  });

  test('holds no inline script or style, and has the strict policy', async ({ dashboard, owner }) => {
    for (const { method, url } of await listRoutes(dashboard.ports)) {
      if (method !== 'GET') continue;
      const answer = await owner.get(addressOf(url, { productId: dashboard.shop.product.id }));
      const policy = String(answer.headers['content-security-policy']);
      expect([url, policy.includes("script-src 'self'"), policy.includes('unsafe')]).toEqual([
        url,
        true,
        false,
      ]);
      expect(answer.body).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=|hx-on|javascript:/i);
    }
  });
});
