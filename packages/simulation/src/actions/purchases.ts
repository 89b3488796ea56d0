import {
  ALL_PURCHASES,
  beginBulk,
  cancelBulk,
  correctAddress,
  recordSale,
  rerunEntries,
  resendReceipt,
  resendReceipts,
  restorePurchase,
  restorePurchases,
  revokePurchase,
  revokePurchases,
  runNamedBulk,
  undoBulk,
} from '@handover/domain';
import type { World } from '../world/open-world.ts';
import { type Action, onPicked, operate, pickRow } from './action.ts';
import { pickProduct } from './catalogue.ts';

const OPERATOR = { actor: 'mira@example.com', via: 'dashboard' } as const;

/** Actions of operators on purchases. */
export const PURCHASE_ACTIONS: readonly Action[] = [
  {
    name: 'a receipt is sent again',
    weight: 7,
    begin: onPicked(pickPurchase, (world, found) => {
      const { orgId, id } = found;
      const replacesLinks = world.random.below(4) === 0;
      const words = `is sent again${replacesLinks ? ', and its links stop' : ''}`;
      return operate(world, `The receipt of purchase ${id} ${words}`, async (service) => {
        const mailing = await service.mailings.find(orgId, id);
        const seen = mailing?.receipt ?? null;
        return resendReceipt(service, orgId, id, { by: OPERATOR, seen, replacesLinks });
      });
    }),
  },
  {
    name: 'an address is corrected',
    weight: 5,
    begin: onPicked(pickPurchase, (world, found) => {
      const { orgId, id } = found;
      const email = world.random.pick(['bo@example.com', 'dora@example.com', 'Ana@example.com']);
      return operate(world, `The address of purchase ${id} is corrected to ${email}`, async (service) => {
        const mailing = await service.mailings.find(orgId, id);
        const seen = mailing?.customer.email ?? '';
        return correctAddress(service, orgId, id, email, { by: OPERATOR, seen });
      });
    }),
  },
  {
    name: 'a purchase is revoked',
    weight: 3,
    begin: onPicked(pickPurchase, (world, found) =>
      operate(world, `Purchase ${found.id} is revoked`, (service) =>
        revokePurchase(service, found.orgId, found.id, OPERATOR),
      ),
    ),
  },
  {
    name: 'a purchase is restored',
    weight: 3,
    begin: onPicked(pickPurchase, (world, found) =>
      operate(world, `Purchase ${found.id} is restored`, (service) =>
        restorePurchase(service, found.orgId, found.id, OPERATOR),
      ),
    ),
  },
  {
    name: 'receipts are sent again together',
    weight: 2,
    begin: onPicked(pickPurchase, (world, found) => {
      const ids = listPurchases(world, found.orgId);
      return operate(world, `The receipts of ${ids.length} purchases are sent again`, async (service) => {
        const mailings = await service.mailings.findAll(found.orgId, ids);
        const seen = mailings.flatMap(({ receipt, purchases }) =>
          purchases.map(({ id }) => ({ purchaseId: id, receipt })),
        );
        return resendReceipts(service, found.orgId, seen, OPERATOR);
      });
    }),
  },
  {
    name: 'purchases are revoked or restored together',
    weight: 2,
    begin: onPicked(pickPurchase, (world, found) => {
      const ids = listPurchases(world, found.orgId);
      const [change, words] = world.random.pick([
        [revokePurchases, 'revoked'],
        [restorePurchases, 'restored'],
        [restorePurchases, 'restored'],
      ] as const);
      return operate(world, `${ids.length} purchases are ${words}`, (service) =>
        change(service, found.orgId, ids, OPERATOR),
      );
    }),
  },
  {
    name: 'a bulk action begins, or is cancelled',
    weight: 6,
    begin: onPicked(pickPurchase, (world, found) => {
      const { orgId } = found;
      const running = [...world.memory.bulkActions.values()].find((run) => run.orgId === orgId);
      if (running && world.random.below(3) === 0)
        return operate(world, `The bulk action ${running.id} is cancelled`, (service) =>
          cancelBulk(service, orgId, running.id, OPERATOR),
        );
      const action = world.random.pick(['resend', 'revoke', 'restore', 'restore'] as const);
      return operate(world, `A bulk action begins: ${action}`, async (service) => {
        const total = await service.purchases.countMatching(orgId, ALL_PURCHASES, 100);
        const asked = {
          id: service.ids.next(),
          orgId,
          action,
          askedAt: service.clock.now(),
          total,
          // The owner at the beginning: anybody's role may change, also the owner's.
          by: { ...OPERATOR, actor: world.shops.find((shop) => shop.orgId === orgId)?.owner ?? '' },
        };
        if (total === 1) await runNamedBulk(service, asked, [{ purchaseId: found.id, receipt: null }]);
        else await beginBulk(service, asked, ALL_PURCHASES);
        return service.bulkActions.find(orgId, asked.id);
      });
    }),
  },
  {
    name: 'what a bulk action revoked is restored by its Undo',
    weight: 6,
    begin: onPicked(
      (world) =>
        [...world.memory.bulkActions.values()].find((run) => run.action === 'revoke' && run.endedAt !== null),
      (world, revoked) => {
        const { id: revocationId, orgId, by, counts } = revoked;
        const isPaged = world.random.below(3) === 0;
        return operate(world, `The revocation ${revocationId} is undone`, async (service) => {
          const asked = { id: service.ids.next(), orgId, askedAt: service.clock.now(), by };
          const undoing = { ...asked, action: 'undo', total: counts.done } as const;
          if (isPaged) await beginBulk(service, undoing, { ...ALL_PURCHASES, revocationId });
          else await undoBulk(service, asked, revocationId);
          return service.bulkActions.find(orgId, asked.id);
        });
      },
    ),
  },
  {
    name: 'orders are processed again together',
    weight: 2,
    begin: onPicked(
      (world) => pickRow(world, world.memory.deliveries.values()),
      (world, found) => {
        const { orgId } = found;
        const seen = [...world.memory.deliveries.values()]
          .filter((row) => row.orgId === orgId)
          .slice(-5)
          .map(({ id, attempts }) => ({ deliveryId: id, attempts }));
        return operate(world, `${seen.length} orders are processed again`, (service) =>
          rerunEntries(service, orgId, seen, OPERATOR),
        );
      },
    ),
  },
  {
    name: 'a sale is recorded by hand',
    weight: 4,
    begin: (world) => {
      const { orgId, product } = pickProduct(world);
      const number = world.random.below(4);
      const form = {
        customerId: 'new',
        newCustomer: { name: 'Eve', email: `eve${number}@example.com` },
        productId: product.id,
        amount: '12.50',
        currency: 'EUR',
        paymentMethod: 'custom',
        sendEmail: world.random.below(2) === 0,
      };
      const origin = { orgId, source: 'api', idempotencyKey: `sale ${number}`, by: OPERATOR } as const;
      return operate(world, `${product.name} is sold by hand to eve${number}@example.com`, (service) =>
        recordSale(service, origin, form),
      );
    },
  },
];

function pickPurchase(world: World): { readonly id: string; readonly orgId: string } | undefined {
  return pickRow(world, world.memory.purchases.values());
}

/** The first purchases of an organisation. */
function listPurchases(world: World, orgId: string): readonly string[] {
  return [...world.memory.purchases.values()]
    .filter((purchase) => purchase.orgId === orgId)
    .slice(0, 5)
    .map(({ id }) => id);
}
