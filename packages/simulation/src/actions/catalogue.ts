import {
  activateVersion,
  createVersion,
  mapSkuAndRelease,
  publishAndDeliver,
  publishVersion,
  setConnectionRules,
  setSubscription,
  unmapSku,
  updateProduct,
} from '@handover/domain';
import type { World } from '../world/open-world.ts';
import { type Action, operate, pickShop } from './action.ts';

/** Changes by operators to products, mappings, connections and the subscription. */
export const CATALOGUE_ACTIONS: readonly Action[] = [
  {
    name: 'a product changes its status',
    weight: 5,
    begin: (world) => {
      const { orgId, product } = pickProduct(world);
      const status = world.random.pick(['draft', 'published', 'archived'] as const);
      return operate(world, `${product.name} becomes ${status}`, (service) =>
        updateProduct(service, orgId, product.id, { status }),
      );
    },
  },
  {
    name: 'a product loses its live version',
    weight: 2,
    begin: (world) => {
      const { orgId, product } = pickProduct(world);
      return operate(world, `${product.name} loses its live version`, (service) =>
        updateProduct(service, orgId, product.id, { activeVersionId: null }),
      );
    },
  },
  {
    name: 'a version goes live',
    weight: 4,
    begin: (world) => {
      const { orgId, product } = pickProduct(world);
      const label = `2.${world.random.below(4)}`;
      const makeLive = world.random.pick([activateVersion, publishVersion]);
      return operate(world, `${label} of ${product.name} goes live`, async (service) => {
        const created = await createVersion(service, orgId, product.id, label);
        const versionId =
          created.kind === 'created'
            ? created.version.id
            : (await service.products.findVersionByLabel(orgId, product.id, label))?.id;
        if (versionId === undefined) return created;
        await service.products.putFile(orgId, versionId, { name: `${label}.zip`, size: 100, sha256: SHA256 });
        return service.inTransaction((within) =>
          makeLive({ ...service, ...within }, orgId, product.id, versionId),
        );
      });
    },
  },
  {
    name: 'a product is published and what it held is delivered',
    weight: 5,
    begin: (world) => {
      const { orgId, product } = pickProduct(world);
      return operate(world, `${product.name} is published, and what it held is delivered`, (service) =>
        service.inTransaction((within) => publishAndDeliver({ ...service, ...within }, orgId, product.id)),
      );
    },
  },
  {
    name: 'a SKU is mapped',
    weight: 4,
    begin: (world) => {
      const { orgId, product } = pickProduct(world);
      const { sku, platform } = pickSku(world);
      const productId = world.random.below(3) === 0 ? null : product.id;
      const meaning = productId === null ? 'is ignored' : `delivers ${product.name}`;
      return operate(world, `“${sku}” ${meaning} on ${platform ?? 'every platform'}`, (service) =>
        service.inTransaction((within) =>
          mapSkuAndRelease({ ...service, ...within }, orgId, { sku, platform, productId }),
        ),
      );
    },
  },
  {
    name: 'a SKU is unmapped',
    weight: 2,
    begin: (world) => {
      const { orgId } = pickShop(world);
      const { sku, platform } = pickSku(world);
      return operate(world, `“${sku}” is unmapped on ${platform ?? 'every platform'}`, (service) =>
        unmapSku(service, orgId, { sku, platform }),
      );
    },
  },
  {
    name: 'the subscription changes',
    weight: 3,
    begin: (world) => {
      const { orgId } = pickShop(world);
      const lasts = world.random.below(3) > 0;
      return operate(world, lasts ? 'The subscription is renewed' : 'The subscription ends', (service) =>
        setSubscription(service, orgId, lasts ? null : service.clock.now()),
      );
    },
  },
  {
    name: 'the rules of a connection change',
    weight: 1,
    begin: (world) => {
      const { orgId } = pickShop(world);
      const strict = world.random.below(4) === 0;
      return operate(world, `checkout-a-classic becomes ${strict ? 'strict' : 'lenient'}`, (service) =>
        setConnectionRules(service, {
          orgId,
          platform: 'checkout-a-classic',
          name: 'main',
          rules: { strict },
        }),
      );
    },
  },
];

const SHA256 = '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824';

export function pickProduct(world: World) {
  const shop = pickShop(world);
  const product = shop.products[world.random.below(shop.products.length)];
  if (!product) throw new Error('The shop has no product.');
  return { orgId: shop.orgId, product };
}

function pickSku(world: World) {
  const sku = world.random.pick(['pads', 'keys', 'drums', 'bells', 'gift', 'mug']);
  return { sku, platform: world.random.pick([null, null, 'storefront-a', 'cart-a'] as const) };
}
