import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { PlatformWebhook } from '@handover/platform-contract';
import { storefrontA } from '@handover/platform-storefront-a';
import { expect, it } from 'vitest';
import { openDashboard } from './open-dashboard.ts';
import { bearer } from './open-test-shop.ts';

const GUMTREE: PlatformWebhook = { ...storefrontA, label: 'gumtree', name: 'Gumtree Market' };
const BAZAAR: PlatformWebhook = { ...storefrontA, label: 'bazaar', name: 'Bazaar Online' };

it('two services in one process show their own platforms only, and refuse the paths of the other’s', async () => {
  const gumtree = await open(GUMTREE);
  const bazaar = await open(BAZAAR);
  for (const [service, own, other] of [
    [gumtree, GUMTREE, BAZAAR],
    [bazaar, BAZAAR, GUMTREE],
  ] as const) {
    const skus = `/products/${service.shop.product.id}/skus`;
    for (const path of ['/settings/integrations', skus]) {
      const { body } = await service.owner.get(`/dashboard${path}`);
      expect([path, body.includes(own.name ?? ''), body.includes(other.name ?? '')]).toEqual([
        path,
        true,
        false,
      ]);
    }
    const statuses = async (label: string) => {
      const { shop, app, owner } = service;
      const headers = bearer(shop.ownerKey);
      const ask = async (url: string) => (await app.inject({ url, headers })).statusCode;
      const posted = await app.inject({
        method: 'POST',
        url: `/webhooks/${shop.orgId}/${label}`,
        payload: '{}',
      });
      return [
        posted.statusCode,
        await ask(`/api/deliveries?platform=${label}`),
        (await owner.get(`/dashboard/settings/integrations/${label}`)).statusCode,
        (await owner.get(`/dashboard/settings/integrations/${label}/rejected`)).statusCode,
      ];
    };
    expect([own.label, await statuses(own.label)]).toEqual([own.label, [401, 200, 200, 200]]);
    expect([other.label, await statuses(other.label)]).toEqual([other.label, [404, 400, 404, 404]]);
  }
});

it('a secret in the URL of another team’s platform must be as long as one in ours', async () => {
  const inUrl = { kind: 'secret-in-url', parameter: 'secret' } as const;
  const { owner, stores, shop, clock } = await open({ ...GUMTREE, credential: inUrl });
  const path = '/dashboard/settings/integrations/gumtree';
  const set = (secret: string) =>
    owner.submit(path, `${path}/secret`, { name: 'main', action: 'replace', secret });
  expect((await set('fifteen letters')).body).toContain(
    'It must have at least 16 characters: use a generated one.',
  );
  expect((await set('sixteen letters.')).statusCode).toBe(303);
  expect(await stores.connections.list(shop.orgId, 'gumtree', clock.now())).toMatchObject([{ name: 'main' }]);
});

it('nothing of a service names platforms by the six alone', () => {
  const sixAlone = /\bOUR_PLATFORMS\.(?!vendorOf\(SHARED_PLATFORM\)).*/;
  for (const folder of ['../src', '../../adapters-mail/src', '../../../apps/server/src']) {
    const root = fileURLToPath(new URL(folder, import.meta.url));
    for (const name of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
      if (!name.endsWith('.ts')) continue;
      const [found = null] = sixAlone.exec(readFileSync(`${root}/${name}`, 'utf8')) ?? [];
      expect([name, found]).toEqual([name, null]);
    }
  }
});

async function open(platform: PlatformWebhook) {
  const dashboard = await openDashboard(undefined, { platforms: [storefrontA, platform] });
  return { ...dashboard, owner: await dashboard.signIn('owner') };
}
