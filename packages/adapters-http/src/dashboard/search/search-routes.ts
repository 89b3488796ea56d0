import {
  ALL_PURCHASES,
  groupHits,
  isBlankSearch,
  MAX_SEARCH_LENGTH,
  readSearch,
  type SignedIn,
} from '@handover/domain';
import { type Html, html } from '@handover/html';
import type { HttpPorts } from '../../http-ports.ts';
import { type Answer, type DashboardRequest, type DashboardRoute, page } from '../dashboard-route.ts';
import { titleOfEntry } from '../log/format-entry.ts';
import type { NavigationEntry } from '../navigation.ts';
import { news } from '../parts/news.ts';
import { pageHeader } from '../parts/page-header.ts';
import { searchForm } from '../parts/search-everywhere.ts';
import { type FoundPage, findPages } from './find-pages.ts';
import { type FoundEverywhere, searchResults, searchStatus } from './search-results.ts';

type Ports = Pick<HttpPorts, 'deliveries' | 'platforms' | 'products' | 'purchases' | 'search' | 'sessions'>;

/** Of each kind. More are on the list of that kind. */
const HITS = 5;

/** One search for buyers, orders, products, SKUs and pages; for members without sales, but with downloads. */
export function searchRoutes(
  ports: Ports,
  pagesOf: (user: SignedIn) => readonly NavigationEntry[],
): readonly DashboardRoute[] {
  const find = async ({ orgId, user, role, query, now }: DashboardRequest): Promise<FoundEverywhere> => {
    const text = (query.get('q') ?? '').slice(0, MAX_SEARCH_LENGTH);
    const terms = readSearch(text);
    const isBlank = isBlankSearch(terms);
    const isMember = role === 'member';
    const { platforms } = ports;
    const [hits, downloads, byId] = await Promise.all([
      isBlank ? [] : ports.search.find(orgId, { terms, includesSales: !isMember, limit: HITS }),
      isMember && terms.words.length > 0
        ? ports.sessions.search(orgId, { text, state: null, before: null, limit: HITS, now })
        : [],
      findById(ports, orgId, text, isMember),
    ]);
    const pages = isBlank ? [] : findPages(pagesOf(user), platforms, text);
    return {
      text,
      isBlank,
      isMember,
      groups: groupHits(hits),
      downloads,
      byId,
      pages,
      limit: HITS,
      now,
      platforms,
    };
  };
  return [
    page('/search', 'member', async (context) => searchPage(await find(context))),
    // For the dialog: the results alone.
    page('/search/results', 'member', async (context) => ({
      kind: 'fragment',
      main: searchNews(await find(context)),
    })),
  ];
}

/** The search as a page of its own. With a script it searches while one types. */
function searchPage(found: FoundEverywhere): Answer {
  const main = html`${pageHeader({ title: 'Search', meta: ['Everything in one place'] })}<div data-everywhere>${searchForm('page', found.text)}
<div id="found-everywhere" ${news(searchStatus(found))}><p class="visually-hidden">${searchStatus(found)}</p><div class="card search-card">${searchResults(found)}</div></div></div>`;
  // Two searches are two entries of the browser's history, and two tabs.
  return { kind: 'page', title: found.text === '' ? 'Search' : `${found.text} · Search`, main };
}

/** For the dialog: the results, and beside them what screen readers say. `data-for`: what they answer. */
function searchNews(found: FoundEverywhere): Html {
  return html`<div data-for="${found.text}">${searchResults(found)}</div><p hx-swap-oob="innerHTML:#search-status">${searchStatus(found)}</p>`;
}

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The page of what an id names, as the API, the CSVs and the command line write it. Members see no sales. */
export async function findById(
  ports: Omit<Ports, 'search' | 'sessions'>,
  orgId: string,
  text: string,
  isMember: boolean,
): Promise<readonly FoundPage[]> {
  const id = text.trim().toLowerCase();
  if (!ID.test(id)) return [];
  const [product, sales] = await Promise.all([
    ports.products.find(orgId, id),
    isMember ? [] : findSales(ports, orgId, id),
  ]);
  if (!product) return sales;
  return [{ href: `/dashboard/products/${id}`, words: product.name, within: 'Product' }, ...sales];
}

async function findSales(
  { deliveries, platforms, purchases }: Pick<Ports, 'deliveries' | 'platforms' | 'purchases'>,
  orgId: string,
  id: string,
): Promise<readonly FoundPage[]> {
  const ofBuyer = { ...ALL_PURCHASES, customerId: id, before: null };
  const [purchase, entry, [bought]] = await Promise.all([
    purchases.show(orgId, id),
    deliveries.show(orgId, id),
    purchases.search(orgId, { ...ofBuyer, limit: 1 }),
  ]);
  const found: (FoundPage | null)[] = [
    purchase && {
      href: `/dashboard/purchases/${id}`,
      words: `${purchase.productName} for ${purchase.customerName}`,
      within: 'Purchase',
    },
    entry && {
      href: `/dashboard/webhook-log/${id}`,
      words: titleOfEntry(platforms, entry),
      within: 'Webhook log',
    },
    bought
      ? { href: `/dashboard/purchases?customer=${id}`, words: bought.customerName, within: 'Buyer' }
      : null,
  ];
  return found.filter((page) => page !== null);
}
