import { type Html, html } from '@handover/html';
import { statusBadge } from '../parts/badge.ts';
import { dialogButton, linkButton, submitButton } from '../parts/button.ts';
import { confirmDialog } from '../parts/dialog.ts';
import { postForm } from '../parts/form.ts';
import { outsideIcon, pencilIcon } from '../parts/icons.ts';
import { counted, formatCapped } from '../parts/money.ts';
import { pageHeader } from '../parts/page-header.ts';
import { type LoadedProduct, SHOWN_VERSIONS } from './load-product.ts';
import { isBeingDelivered, waitingPanel } from './waiting-panel.ts';

type Tab = 'versions' | 'skus' | 'details';

/** The head of every page of a product: its status, the waiting buyers, and its tabs. */
export function productFrame(loaded: LoadedProduct, current: Tab): Html {
  const panel = waitingPanel(loaded);
  return html`${header(loaded, current)}${panel && html`<div class="above-tabs">${panel}</div>`}${tabs(loaded, current)}${dialogs(loaded)}`;
}

function header(loaded: LoadedProduct, current: Tab): Html {
  const { product, versions, waiting, role, csrfToken } = loaded;
  const live = versions.find(({ id }) => id === product.activeVersionId);
  const at = `/dashboard/products/${product.id}`;
  const publish = (primary: boolean) =>
    product.activeVersionId === null
      ? linkButton(`${at}/publish`, { words: 'Publish', primary })
      : postForm({ action: `${at}/publish`, csrfToken, body: submitButton({ words: 'Publish', primary }) });
  const preview = linkButton(`${at}/preview`, { words: 'Preview download page', icon: outsideIcon });
  // The panel, or the card of a version with files, has a publish button too, so only one of them is shown.
  const isInPanel = waiting.count > 0 && product.activeVersionId !== null && role !== 'member';
  const isInCard =
    current === 'versions' &&
    product.activeVersionId === null &&
    versions.some(({ status, files }) => status === 'preparing' && files.length > 0);
  const publishes = product.status === 'draft' && !isInPanel && !isInCard;
  // No other entry of the menu has an icon.
  const edit =
    current === 'details'
      ? []
      : [linkButton(`${at}/details`, { words: 'Edit', ...(!publishes && { icon: pencilIcon }) })];
  return pageHeader({
    title: product.name,
    badge: statusBadge('product', product.status),
    back: { href: '/dashboard/products', words: 'Products' },
    meta: [
      html`<span class="mono">${product.slug}</span>`,
      live ? html`Live version ${live.version}` : 'No live version',
      loaded.hasMoreSkus ? `${countSkus(loaded)} SKUs` : counted(loaded.skus.length + 1, 'SKU'),
    ],
    actions: [preview, ...(publishes ? [publish(product.activeVersionId !== null)] : edit)],
    more: [
      ...(product.status === 'archived' ? [publish(false)] : []),
      ...(publishes ? edit : []),
      ...(product.status === 'draft' ? [] : [dialogButton('unpublish', { words: 'Back to draft' })]),
      ...(product.status === 'archived' ? [] : [dialogButton('archive', { words: 'Archive' })]),
    ],
  });
}

/** Whether the primary button of the page is in its head or in the panel: the one that publishes or delivers. */
export function isPrimaryInFrame(loaded: LoadedProduct): boolean {
  const { product, role, waiting } = loaded;
  if (product.activeVersionId === null) return false;
  return product.status === 'draft' || (waiting.count > 0 && role !== 'member' && !isBeingDelivered(loaded));
}

/** Includes the slug, which is a SKU, too. */
function countSkus({ skus, hasMoreSkus }: LoadedProduct): string {
  return hasMoreSkus ? `${skus.length}+` : String(skus.length + 1);
}

function tabs(loaded: LoadedProduct, current: Tab): Html {
  const { product, versions, hasOlderVersions, purchases } = loaded;
  const at = `/dashboard/products/${product.id}`;
  const tab = (name: Tab, path: string, words: string, count: string | null) =>
    html`<a href="${at}${path}" ${name === current ? html`aria-current="page"` : ''}>${words}${count === null ? '' : html` <span class="muted">${count}</span>`}</a>`;
  const sold =
    purchases === null
      ? ''
      : html`<a href="/dashboard/purchases?product=${product.id}">Purchases <span class="muted">${formatCapped(purchases)}</span></a>`;
  return html`<nav class="tabs-nav" aria-label="Of this product">${tab('versions', '', 'Versions', hasOlderVersions ? `${SHOWN_VERSIONS}+` : `${versions.length}`)}${tab('skus', '/skus', 'SKUs', countSkus(loaded))}${sold}${tab('details', '/details', 'Details', null)}</nav>`;
}

function dialogs({ product, csrfToken }: LoadedProduct): Html {
  const at = `/dashboard/products/${product.id}`;
  const unpublish = confirmDialog({
    id: 'unpublish',
    title: `Make ${product.name} a draft again?`,
    loss: 'New orders are held until it is published. Buyers’ links still work.',
    action: `${at}/unpublish`,
    words: 'Make it a draft',
    csrfToken,
  });
  const archive = confirmDialog({
    id: 'archive',
    title: `Archive ${product.name}?`,
    loss: 'It leaves your lists. Paid orders are still delivered, and links still work.',
    action: `${at}/archive`,
    words: 'Archive the product',
    csrfToken,
  });
  return html`${product.status === 'draft' ? '' : unpublish}${product.status === 'archived' ? '' : archive}`;
}
