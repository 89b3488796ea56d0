import type { Product, SkuMapping, VersionWithFiles } from '@handover/domain';
import { html } from 'ghtml';
import { boxIcon } from '../../pages/icons.ts';
import { sizeInWords } from '../../pages/words.ts';
import type { Answer } from '../dashboard-route.ts';
import { productBadge, versionBadge } from '../parts/badge.ts';
import { linkButton } from '../parts/button.ts';
import { emptyState } from '../parts/empty-state.ts';
import { pencilIcon } from '../parts/icons.ts';
import { counted } from '../parts/money.ts';
import { pageHeader } from '../parts/page-header.ts';
import { table } from '../parts/table.ts';
import { dayOf, exactTime } from '../parts/time.ts';
import { type ProductForm, type ProductProblems, productDetailsForm, statusOf } from './product-form.ts';

interface LoadedProduct {
  readonly product: Product;
  readonly versions: readonly VersionWithFiles[];
  readonly skus: readonly SkuMapping[];
  readonly formToken: string;
}

/** A product with its versions: what buyers get. */
export function productPage(loaded: LoadedProduct): Answer {
  const { product, versions, skus } = loaded;
  const main = html`!${header(loaded)}!${tabs(loaded, 'versions')}<div class="with-facts"><div class="stack">
!${versions.length > 0 ? versions.map((version) => versionCard(version, product)) : noVersions()}
</div>!${facts(product, skus)}</div>`;
  return { kind: 'page', title: product.name, main };
}

/** What is said of it, to be changed. */
export function productDetailsPage(
  loaded: LoadedProduct & { readonly form: ProductForm; readonly problems: ProductProblems },
): Answer {
  const { product, problems } = loaded;
  const main = html`!${header(loaded)}!${tabs(loaded, 'details')}<section class="card narrow"><section>!${productDetailsForm(product.id, loaded)}</section></section>`;
  return { kind: 'page', status: statusOf(problems), title: `${product.name}: details`, main };
}

function header({ product, versions, skus }: LoadedProduct): string {
  const live = versions.find(({ id }) => id === product.activeVersionId);
  return pageHeader({
    title: product.name,
    badge: productBadge(product.status),
    back: { href: '/dashboard/products', words: 'Products' },
    meta: [
      html`<span class="mono">${product.slug}</span>`,
      live ? html`Live version ${live.version}` : 'No live version',
      counted(skus.length + 1, 'SKU'),
    ],
    actions: [linkButton(`/dashboard/products/${product.id}/details`, { words: 'Edit', icon: pencilIcon })],
  });
}

function tabs({ product, versions }: LoadedProduct, current: 'versions' | 'details'): string {
  const tab = (name: typeof current, path: string, words: string) =>
    html`<a href="/dashboard/products/${product.id}${path}" !${name === current ? 'aria-current="page"' : ''}>!${words}</a>`;
  const count = html`Versions <span class="muted">${versions.length}</span>`;
  return html`<nav class="tabs-nav" aria-label="Of this product">!${tab('versions', '', count)}!${tab('details', '/details', 'Details')}</nav>`;
}

function versionCard(version: VersionWithFiles, product: Product): string {
  const isLive = version.id === product.activeVersionId;
  const badge = isLive ? versionBadge('live') : version.status === 'ready' ? versionBadge('ready') : '';
  return html`<section class="card"><header><div><h2>Version ${version.version}</h2>!${badge}</div><span class="muted small">Since !${dayOf(version.createdAt)}</span></header>
!${version.files.length > 0 ? fileTable(version) : html`<section><p class="muted small">It has no files yet. A version goes live with its files.</p></section>`}</section>`;
}

function fileTable({ version, files }: VersionWithFiles): string {
  return table({
    label: `Files of version ${version}`,
    rows: files,
    columns: [
      { head: 'File', cell: ({ name }) => html`<strong><bdi>${name}</bdi></strong>` },
      {
        head: 'SHA-256',
        cell: ({ sha256 }) => html`<span class="mono muted" title="${sha256}">${shorten(sha256)}</span>`,
      },
      { head: 'Size', number: true, cell: ({ size }) => sizeInWords(size) },
    ],
  });
}

/** Enough to compare by eye; the whole of it is in the title. */
function shorten(sha256: string): string {
  return `${sha256.slice(0, 4)} ${sha256.slice(4, 8)} … ${sha256.slice(-8, -4)} ${sha256.slice(-4)}`;
}

function noVersions(): string {
  return html`<section class="card">!${emptyState({
    icon: boxIcon,
    title: 'No versions yet',
    sentence:
      'A version holds the files that buyers get. Until one is live, orders for this product are held.',
  })}</section>`;
}

function facts(product: Product, skus: readonly SkuMapping[]): string {
  return html`<aside class="card" aria-label="Facts"><dl class="facts">
<div><dt>SKUs that deliver it</dt><dd><span class="chip">${product.slug}</span> <span class="muted small">its slug</span>!${skus.map(
    ({ sku, platform }) =>
      html`<br><span class="chip">${sku}</span>!${platform ? html` <span class="muted small">${platform}</span>` : ''}`,
  )}</dd></div>
!${product.description ? html`<div><dt>Description</dt><dd>${product.description}</dd></div>` : ''}
<div><dt>Added</dt><dd class="small">!${exactTime(product.createdAt)}</dd></div>
<div><dt>Changed</dt><dd class="small">!${exactTime(product.updatedAt)}</dd></div>
<div><dt>Id, for the API</dt><dd class="mono">${product.id}</dd></div>
</dl></aside>`;
}
