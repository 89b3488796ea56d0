import {
  type ApiKeys,
  type KnownPlatform,
  PLATFORMS,
  type Stores,
  setIntegrationSecret,
} from '@handover/domain';
import { openShop, publishProduct } from '@handover/testkit';
import { startProcess } from '../kernel/process.ts';
import type { Scheduler } from '../kernel/scheduler.ts';
import type { SimulatedShop } from './open-world.ts';

const PRODUCTS = ['Keys', 'Drums', 'Bells'];

/** The organisations that every history begins with. */
export async function openShops(
  scheduler: Scheduler,
  stores: Stores,
  apiKeys: ApiKeys,
): Promise<readonly SimulatedShop[]> {
  const { clock, ids } = startProcess(scheduler, { name: 'set-up', number: 4000, skewMs: 0 });
  const ports = { stores, clock, ids, apiKeys };
  const shops: SimulatedShop[] = [];
  for (const name of ['Lumen Audio', 'Nordic Reads']) {
    const { orgId, product, ownerKey } = await openShop(ports, name);
    const products = [product];
    for (const other of PRODUCTS) products.push((await publishProduct(ports, orgId, other)).product);
    const secrets: Partial<Record<KnownPlatform, string>> = {};
    for (const platform of PLATFORMS) {
      const secret = `secret-of-${name.replace(' ', '-')}-at-${platform}`;
      secrets[platform] = secret;
      const set = { orgId, platform, name: 'main', secret } as const;
      if (platform !== 'payments-a')
        await setIntegrationSecret({ ...ports, connections: stores.connections }, set);
    }
    const [owner] = await stores.team.list(orgId);
    shops.push({
      orgId,
      products,
      secrets: secrets as SimulatedShop['secrets'],
      owner: owner?.email ?? '',
      ownerId: owner?.id ?? '',
      ownerKey,
    });
  }
  return shops;
}
