import { setIntegrationSecret } from '@handover/domain';
import type { openTestShop } from './open-test-shop.ts';

/** A second shop of the same platform, from which nothing came yet. */
export async function connectSecondShop({
  shop,
  ports,
}: Pick<Awaited<ReturnType<typeof openTestShop>>, 'shop' | 'ports'>): Promise<void> {
  await setIntegrationSecret(ports, {
    orgId: shop.orgId,
    platform: 'storefront-a',
    name: 'EU shop',
    secret: 'eu-secret-1',
  });
}
