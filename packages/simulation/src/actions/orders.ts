import {
  deliverRejected,
  type KnownPlatform,
  PLATFORMS,
  recordDeliveries,
  redeliver,
  runUnassigned,
  setIntegrationSecret,
} from '@handover/domain';
import type { World } from '../world/open-world.ts';
import { sell } from '../world/sell.ts';
import { ACCOUNTS } from '../world/send-order.ts';
import { type Action, onPicked, operate, pickRow, pickShop } from './action.ts';

/** A cart: one to three lines, some of them twice, some ignored or unknown. */
const CARTS: readonly [readonly string[], ...(readonly string[])[]] = [
  ['pads'],
  [' KEYS'],
  ['drums'],
  ['Bells'],
  ['gift'],
  ['mug'],
  ['pads', 'pads'],
  ['pads', ' KEYS'],
  ['drums', 'Bells'],
  ['gift', 'pads'],
  ['Bells', 'mug'],
  [' KEYS', 'gift'],
  ['pads', ' KEYS', 'drums'],
  ['Bells', 'drums', 'Bells'],
  ['gift', 'mug', 'pads'],
  ['mug', ' KEYS', 'gift'],
];
const BUYERS = ['ana@example.com', 'ANA@example.com', 'bo@example.com', 'cy@example.com', null] as const;

/** Events of orders: they arrive, and operators run them again. */
export const ORDER_ACTIONS: readonly Action[] = [
  {
    name: 'a shop sells',
    weight: 30,
    begin: (world) => {
      const { random } = world;
      const platform = random.pick(PLATFORMS as readonly [KnownPlatform, ...KnownPlatform[]]);
      const { orgId } = pickShop(world);
      const skus = random.pick(CARTS);
      const orderId = String(1001 + random.below(4));
      const email = random.pick(BUYERS);
      const sale = {
        orgId,
        platform,
        orderId,
        email,
        skus: platform === 'payments-a' ? skus.map((sku) => sku.trim()) : skus,
      };
      sell(world, sale);
      return `Order ${orderId} of ${platform} is paid by ${email ?? 'somebody without an address'}: ${skus.join(', ')}.`;
    },
  },
  {
    name: 'an order is paid to an account',
    weight: 4,
    begin: (world) => {
      const { orgId } = pickShop(world);
      const orderId = String(3001 + world.random.below(3));
      const account = world.random.pick(ACCOUNTS);
      const skus = [world.random.pick(['pads', 'keys', 'gift'])];
      sell(world, { orgId, platform: 'payments-a', orderId, email: 'ana@example.com', skus, account });
      return `Order ${orderId} of payments-a is paid to ${account}.`;
    },
  },
  {
    name: 'an order comes for an unknown organisation',
    weight: 2,
    begin: (world) => {
      const orgId = UNKNOWN_ORG;
      const orderId = String(2001 + world.random.below(3));
      sell(world, { orgId, platform: 'payments-a', orderId, email: 'ana@example.com', skus: ['pads'] });
      return `Order ${orderId} of payments-a is paid for an organisation that does not exist.`;
    },
  },
  {
    name: 'an operator delivers an entry again',
    weight: 6,
    begin: onPicked(
      (world) => pickRow(world, world.memory.deliveries.values()),
      (world, entry) =>
        operate(world, `Entry ${entry.id} is delivered again`, (service) =>
          redeliver(service, entry.orgId, entry.id),
        ),
    ),
  },
  {
    name: 'a shop gives money back',
    weight: 3,
    begin: onPicked(
      (world) => pickRow(world, world.memory.deliveries.values()),
      (world, { orgId, platform, connectionId, orderId, orderNumber }) => {
        const named = world.random.pick([{ orderId }, { orderId: null, orderNumber }]);
        const refund = { kind: 'ignored', ...named, reason: 'It was refunded.', isRefunded: true } as const;
        const content = { kind: 'translated', entries: [refund] } as const;
        return operate(world, `Order ${orderId} of ${platform} is refunded`, (service) => {
          const receivedAt = service.clock.now();
          const received = {
            orgId,
            platform,
            connectionId,
            receivedAt,
            bytes: new Uint8Array(),
            headers: {},
          };
          return recordDeliveries(service, { ...received, content }, 'in-background');
        });
      },
    ),
  },
  {
    name: 'a secret is replaced',
    weight: 2,
    begin: (world) => {
      const { orgId } = pickShop(world);
      const platform = pickOwn(world);
      // The shop still signs with its secret: the new one is only added before it.
      const set = {
        orgId,
        platform,
        name: 'main',
        secret: `replaced-${world.random.below(1000)}-of-the-shop`,
      } as const;
      return operate(world, `The secret of ${platform} is replaced`, (service) =>
        setIntegrationSecret(service, set),
      );
    },
  },
  {
    name: 'the secret that the shop signs with is set',
    weight: 2,
    begin: (world) => {
      const shop = pickShop(world);
      const platform = pickOwn(world);
      const set = { orgId: shop.orgId, platform, name: 'main', secret: shop.secrets[platform] } as const;
      return operate(world, `The right secret of ${platform} is set`, (service) =>
        setIntegrationSecret(service, set),
      );
    },
  },
  {
    name: 'rejected deliveries are brought in',
    weight: 2,
    begin: (world) => {
      const { orgId } = pickShop(world);
      const platform = pickOwn(world);
      return operate(world, `What ${platform} was refused is brought in`, (service) =>
        deliverRejected({ ...service, rejectedReader: service.rejectedReader }, orgId, platform),
      );
    },
  },
  {
    name: 'unassigned orders are run',
    weight: 1,
    begin: (world) => operate(world, 'What belongs to nobody is run', (service) => runUnassigned(service)),
  },
];

export const UNKNOWN_ORG = '00000000-0000-7000-8000-0000000000ff';

function pickOwn(world: World): Exclude<KnownPlatform, 'payments-a'> {
  return world.random.pick(['storefront-a', 'storefront-b', 'checkout-a', 'checkout-a-classic', 'cart-a']);
}
