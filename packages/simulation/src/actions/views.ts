import {
  countGenuineRejected,
  countOpenWithSku,
  findWaitingBuyers,
  listActionItems,
  listGenuineRejected,
  previewDelivery,
  readConnectionStates,
  readDownloadsReport,
  readMetrics,
  readSearch,
  subjectOfActionItem,
} from '@handover/domain';
import type { World } from '../world/open-world.ts';
import type { Service } from '../world/service.ts';
import { type Action, operate, pickRow, pickShop } from './action.ts';

/** One view of the dashboard or the API, and its parameters. Ids may be of any organisation: see {@link pickId}. */
type View = (service: Service, orgId: string, ids: Ids) => Promise<unknown>;

interface Ids {
  readonly purchase: string;
  readonly delivery: string;
  readonly product: string;
  readonly session: string;
  readonly link: string;
  readonly version: string;
  readonly invitation: string;
  readonly user: string;
}

const PAGE = { before: null, limit: 50 } as const;

const VIEWS: Readonly<Record<string, View>> = {
  'the overview': async (service, orgId) => {
    await readMetrics(service, orgId);
    const now = service.clock.now();
    const facts = await service.actionItems.read(orgId, now);
    const states = await readConnectionStates(service, orgId);
    const subjects = listActionItems(facts, states, [], now).actionItems.map(subjectOfActionItem);
    listActionItems(facts, states, await service.dismissals.list(orgId, subjects), now);
    await service.actionItems.firstSteps(orgId);
  },
  'the reports': async (service, orgId) => {
    await readDownloadsReport(service, orgId, { from: null, to: null });
    await drain(service.sessions.list(orgId, LONG_AGO));
    await drain(service.purchases.list(orgId));
  },
  'the webhook log': async (service, orgId, { delivery }) => {
    await service.deliveries.search(orgId, { text: '10', status: null, connectionId: null, ...PAGE });
    await service.deliveries.list(orgId, { status: null, platform: null, ...PAGE });
    await service.deliveries.count(orgId, null);
    await service.deliveries.listSources(orgId);
    await service.deliveries.open(orgId, delivery);
    return previewDelivery(service, orgId, delivery);
  },
  'the purchases': async (service, orgId, { purchase, product }) => {
    const all = { text: '', customerId: null, source: null, receipt: null, ...PAGE };
    await service.purchases.search(orgId, { ...all, productId: null });
    await service.purchases.search(orgId, { ...all, productId: product });
    await service.purchases.count(orgId);
    await service.purchases.sumByProduct(orgId, { ...all, productId: null }, 50);
    await service.purchases.sum(orgId, { ...all, productId: null });
    await service.customers.findByEmail(orgId, 'ana@example.com');
    await service.mailings.find(orgId, purchase);
    await service.activity.list(orgId, { subjectId: purchase, before: null, limit: 50 });
    return (await service.purchases.show(orgId, purchase)) ? 'shown' : 'unknown';
  },
  'the products': async (service, orgId, { product, version }) => {
    await drain(service.products.list(orgId));
    await service.products.search(orgId, { text: '', status: null, ...PAGE });
    await service.products.listVersions(orgId, product, 50);
    await service.products.findVersion(orgId, product, version);
    await service.purchases.countOfProduct(orgId, product);
    await findWaitingBuyers(service, orgId, product);
    return (await service.products.find(orgId, product)) ? 'shown' : 'unknown';
  },
  'the SKUs': async (service, orgId, { product }) => {
    await drain(service.skuMappings.list(orgId));
    await service.skuMappings.listOf(orgId, product, 50);
    await service.openDeliveries.countUnmatched(orgId);
    await service.openDeliveries.listUnmatched(orgId, { after: null, limit: 50 });
    await countOpenWithSku(service, orgId, 'gift', null);
  },
  'the downloads': async (service, orgId, { session, link }) => {
    const now = service.clock.now();
    await service.sessions.search(orgId, { text: '', state: null, now, ...PAGE });
    await service.sessions.latest(orgId, link);
    await service.links.find(orgId, link);
    return (await service.sessions.show(orgId, session)) ? 'shown' : 'unknown';
  },
  'the integrations': async (service, orgId) => {
    await readConnectionStates(service, orgId);
    await countGenuineRejected(service, orgId, 'storefront-a');
    await listGenuineRejected(service, orgId, 'storefront-a');
    await service.rejected.listDismissed(orgId, 'storefront-a', new Date(0));
  },
  'a search': async (service, orgId) => {
    const find = (text: string) =>
      service.search.find(orgId, { terms: readSearch(text), includesSales: true, limit: 5 });
    return [await find('ana'), await find('1'), await find('gift')].map((hits) => hits.length).join();
  },
  'the settings': async (service, orgId, { invitation, user }) => {
    await service.organisations.find(orgId);
    await service.team.list(orgId);
    await service.invitations.list(orgId);
    await service.activity.list(orgId, { subjectId: null, before: null, limit: 50 });
    await service.invitations.find(orgId, invitation);
    return (await service.team.find(orgId, user)) ? 'shown' : 'unknown';
  },
  'what belongs to nobody': async (service) => {
    await service.unassigned.count();
    await service.unassigned.list({ after: null, limit: 50 });
  },
};

const LONG_AGO = { from: new Date(0), until: new Date('2100-01-01T00:00:00.000Z') };

/** Reads without changing anything. */
export const VIEW_ACTIONS: readonly Action[] = Object.entries(VIEWS).map(([what, view]) => ({
  name: `somebody looks at ${what}`,
  weight: what === 'the overview' || what === 'a search' ? 4 : 1,
  begin: (world) => {
    const { orgId } = pickShop(world);
    const ids = pickIds(world);
    return operate(world, `Somebody looks at ${what}`, (service) => view(service, orgId, ids));
  },
}));

/** Ids of any organisation: an id of another organisation must be as unknown as one that never existed. */
function pickIds(world: World): Ids {
  const pick = (rows: ReadonlyMap<string, unknown>) => pickRow(world, rows.keys()) ?? 'none';
  const { purchases, deliveries, products, sessions, links, versions, invitations, users } = world.memory;
  return {
    purchase: pick(purchases),
    delivery: pick(deliveries),
    product: pick(products),
    session: pick(sessions),
    link: pick(links),
    version: pick(versions),
    invitation: pick(invitations),
    user: pick(users),
  };
}

async function drain(rows: AsyncIterable<unknown>): Promise<void> {
  for await (const _row of rows);
}
