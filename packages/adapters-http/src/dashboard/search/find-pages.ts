import { type Platforms, searchWords } from '@handover/domain';
import type { NavigationEntry } from '../navigation.ts';

/** A page or a setting that a search can name. */
export interface FoundPage {
  readonly href: string;
  readonly words: string;
  /** The page that it is on; null for a page of the sidebar. */
  readonly within: string | null;
}

interface Place {
  readonly path: string;
  readonly words: string;
  /** Other words that people have for it. */
  readonly keywords?: string;
}

/** What is on the pages of the sidebar, by the page's path. */
const PLACES: Readonly<Record<string, readonly Place[]>> = {
  '/overview': [{ path: '/overview', words: 'Needs you', keywords: 'action items problems dismissed' }],
  '/purchases': [
    { path: '/purchases', words: 'Purchases as CSV', keywords: 'export accounting sums total month revenue' },
    { path: '/purchases/record', words: 'Record a sale', keywords: 'new manual purchase' },
    { path: '/purchases/unmatched', words: 'Unmatched SKUs', keywords: 'map match mapping' },
    { path: '/purchases?receipt=refused', words: 'Refused receipts', keywords: 'bounced mail e-mail' },
    { path: '/purchases?receipt=pending', words: 'Pending receipts', keywords: 'mail e-mail queued' },
    { path: '/purchases?status=refunded', words: 'Refunds', keywords: 'purchases with a refund money back' },
    { path: '/purchases?status=revoked', words: 'Revoked purchases', keywords: 'access blocked' },
  ],
  '/products': [{ path: '/products/new', words: 'New product', keywords: 'create add' }],
  '/webhook-log': [
    { path: '/webhook-log?status=held', words: 'Held orders', keywords: 'waiting' },
    { path: '/webhook-log?status=error', words: 'Failed orders', keywords: 'error not delivered' },
    { path: '/webhook-log/deliver', words: 'Deliver orders again', keywords: 'retry redeliver failed held' },
  ],
  '/reports': [
    { path: '/reports', words: 'Downloads report', keywords: 'csv export sessions' },
    { path: '/reports/sales', words: 'Sales report', keywords: 'csv export revenue sums by product authors' },
  ],
  '/settings/activity': [
    { path: '/settings/activity', words: 'Activity as CSV', keywords: 'export audit log history' },
  ],
  '/settings/team': [{ path: '/settings/team/invite', words: 'Invite somebody', keywords: 'user role' }],
  '/settings/organisation': [
    { path: '/settings/organisation#currency', words: 'Currency', keywords: 'money default' },
    {
      path: '/settings/organisation#language-card',
      words: 'Language of buyers',
      keywords: 'time zone mails',
    },
    { path: '/settings/organisation', words: 'Alert address', keywords: 'notifications e-mail sender reply' },
  ],
  '/settings/api-key': [
    { path: '/settings/api-key/new', words: 'New API key', keywords: 'token create scope' },
  ],
  '/settings/security': [
    { path: '/settings/security', words: 'Passkeys and sessions', keywords: 'sign-in devices browsers' },
  ],
};

/** Enough to choose from. */
const MAX_PAGES = 5;

/**
 * The pages and settings that have, for each word of the text, a word that begins with it; first those whose name begins with the
 * whole text. `pages`: what this user may open.
 */
export function findPages(
  pages: readonly NavigationEntry[],
  platforms: Platforms,
  text: string,
): readonly FoundPage[] {
  const words = searchWords(text);
  if (words.length === 0) return [];
  const places = pages.flatMap((page) => [
    { path: page.path, words: page.words, keywords: '', within: null },
    ...placesOf(page, platforms).map((place) => ({ keywords: '', ...place, within: page.words })),
  ]);
  const says = (said: string) => {
    const known = searchWords(said);
    return words.every((word) => known.some((one) => one.startsWith(word)));
  };
  // Of names that begin with it, those of whole pages are first.
  const rank = (place: (typeof places)[number]) =>
    beginsWith(place, text) ? (place.within === null ? 0 : 1) : 2;
  const named = places.filter((place) => says(place.words)).toSorted((one, other) => rank(one) - rank(other));
  const meant = places.filter((place) => !named.includes(place) && says(`${place.words} ${place.keywords}`));
  return [...named, ...meant]
    .slice(0, MAX_PAGES)
    .map(({ path, words: title, within }) => ({ href: `/dashboard${path}`, words: title, within }));
}

/** Whether the text is how the name begins: then it is most likely what is looked for. */
export function beginsWith({ words }: Pick<FoundPage, 'words'>, text: string): boolean {
  return searchWords(words).join(' ').startsWith(searchWords(text).join(' '));
}

function placesOf({ path }: NavigationEntry, platforms: Platforms): readonly Place[] {
  if (path !== '/settings/integrations') return PLACES[path] ?? [];
  return platforms.list().map((platform) => ({
    path: `${path}/${platform}`,
    words: platforms.vendorOf(platform),
    keywords: `webhook secret signing address connect test order rejected deliveries ${platforms.otherVendorsOf(platform).join(' ')}`,
  }));
}
