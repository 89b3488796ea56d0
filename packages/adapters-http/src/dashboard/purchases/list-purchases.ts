import { MAX_COUNTED } from '@handover/domain';
import type { HttpPorts } from '../../http-ports.ts';
import type { Answer, DashboardRequest } from '../dashboard-route.ts';
import { readDays } from '../parts/days.ts';
import { netAmounts } from '../parts/net-amounts.ts';
import { type ListPage, takePage } from '../take-page.ts';
import { findMoved } from './find-moved.ts';
import { filtersOf } from './purchase-filters.ts';
import { type MatchingPurchases, purchaseListPage } from './purchase-list-page.ts';
import { readPurchaseQuery } from './read-purchase-query.ts';
import { listSources, withAsked } from './source-words.ts';

type ListPorts = Pick<
  HttpPorts,
  'customers' | 'deliveries' | 'openDeliveries' | 'platforms' | 'products' | 'purchases'
>;

const PRODUCTS_TO_CHOOSE_FROM = 100;

export async function listPurchases(
  ports: ListPorts,
  { orgId, query: asked, now, expectsSemicolons }: DashboardRequest,
): Promise<Answer> {
  const days = readDays(asked, now);
  const query = { ...readPurchaseQuery(ports, asked, days), before: asked.get('before') };
  const hasDays = days.problem === null && (days.from !== '' || days.to !== '');
  // Test orders were not sold.
  const showsSums = hasDays && query.before === null && !query.onlyTests;
  const isEverything = query.before === null && filtersOf({ query, days }).size === 0;
  const [shown, products, unmatched, sums, revoked, refunded, connections, all] = await Promise.all([
    takePage(async (limit) =>
      days.problem === null ? ports.purchases.search(orgId, { ...query, limit }) : [],
    ),
    ports.products.search(orgId, { text: '', status: null, before: null, limit: PRODUCTS_TO_CHOOSE_FROM }),
    ports.openDeliveries.countUnmatched(orgId),
    // Older pages add up to the same.
    showsSums ? ports.purchases.sum(orgId, query) : null,
    showsSums ? ports.purchases.sum(orgId, { ...query, isRevoked: true }) : null,
    showsSums ? ports.purchases.sum(orgId, { ...query, isRefunded: true }) : null,
    ports.deliveries.listSources(orgId),
    isEverything ? ports.purchases.countMatching(orgId, query, MAX_COUNTED + 1) : null,
  ]);
  return purchaseListPage({
    ...shown,
    moved: shown.found.length === 0 ? await findMoved(ports, orgId, query) : null,
    query,
    days,
    sums,
    revoked,
    refunded,
    matching: query.before === null ? readMatching(shown, all) : null,
    net: showsSums ? netAmounts(ports.platforms, connections) : null,
    products,
    sources: withAsked(ports.platforms, listSources(ports.platforms, connections), query),
    unmatched,
    count: shown.found.length === 0 ? await ports.purchases.count(orgId) : null,
    now,
    expectsSemicolons,
    platforms: ports.platforms,
  });
}

/**
 * How many match. Filters are not counted beyond the page: a count of rare rows reads all purchases. `all`: the count of a list
 * without filters.
 */
function readMatching({ found, isMore }: ListPage<unknown>, all: number | null): MatchingPurchases {
  if (!isMore || all === null) return { count: found.length, isMore };
  return { count: Math.min(all, MAX_COUNTED), isMore: all > MAX_COUNTED };
}
