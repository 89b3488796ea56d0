import type { HttpOptions, HttpPorts } from '@handover/adapters-http';
import { type DownloadPage, fulfilOrder, type Order } from '@handover/domain';
import { makeOrder, recordOrder } from '@handover/testkit';
import { openTestShop, type TestShop } from './open-test-shop.ts';

export interface Sale extends TestShop {
  readonly token: string;
  /** Of its buyer. */
  readonly libraryToken: string;
}

/** A shop that has sold its product once. `changePage` says what the store finds behind the link. */
export async function sellPads(
  changePage: (page: DownloadPage) => DownloadPage = (page) => page,
  changePorts: (ports: HttpPorts) => Partial<HttpPorts> = () => ({}),
  { order: changes, ...options }: Partial<HttpOptions> & { readonly order?: Partial<Order> } = {},
): Promise<Sale> {
  const testShop = await openTestShop(
    (ports) => ({
      links: {
        ...ports.links,
        find: async (orgId, linkId) => {
          const page = await ports.links.find(orgId, linkId);
          return page && changePage(page);
        },
      },
      ...changePorts(ports),
    }),
    options,
  );
  const order = makeOrder(testShop.shop, changes);
  const delivery = await recordOrder({ ...testShop.ports, stores: testShop.stores }, order);
  const plan = await fulfilOrder(testShop.ports, order, { id: delivery.id, attempts: 0 });
  const { tokens } = testShop.ports;
  const link = [testShop.shop.orgId, plan.links[0]?.id ?? ''] as const;
  const libraryToken = tokens.libraryUrl(...link, order.customer.email ?? '').split('/my/')[1] ?? '';
  return { ...testShop, token: tokens.seal(...link), libraryToken };
}
