import type { VersionWithFiles } from '@handover/domain';
import { type Html, html } from '@handover/html';
import { boxIcon, plusIcon } from '../../pages/icons.ts';
import { DASHBOARD_ASSETS } from '../assets.ts';
import type { Answer } from '../dashboard-route.ts';
import { submitButton } from '../parts/button.ts';
import { emptyState } from '../parts/empty-state.ts';
import { factsCard } from '../parts/facts.ts';
import { postForm, statusOf, textField } from '../parts/form.ts';
import { counted } from '../parts/money.ts';
import { skuChip } from '../parts/sku-chip.ts';
import { exactTime } from '../parts/time.ts';
import type { EditedFile } from './file-editor.ts';
import { type LoadedProduct, SHOWN_VERSIONS } from './load-product.ts';
import { type ProductForm, type ProductProblems, productDetailsForm } from './product-form.ts';
import { isPrimaryInFrame, productFrame } from './product-frame.ts';
import { type VersionProblem, versionCard } from './version-card.ts';

/** The typed values of a new version, and their problems. */
export interface NewVersion {
  readonly version: string;
  readonly problem: string | null;
}

/** A product with its versions. */
export function productPage(
  loaded: LoadedProduct,
  {
    typed = { version: '', problem: null },
    problem = null,
    edited = null,
  }: {
    readonly typed?: NewVersion;
    readonly problem?: VersionProblem | null;
    readonly edited?: EditedFile | null;
  },
): Answer {
  const { product, versions } = loaded;
  const card = (version: VersionWithFiles) =>
    versionCard(version, loaded, problem?.versionId === version.id ? problem : null, edited);
  const isOlder = ({ id, status }: VersionWithFiles) =>
    status === 'ready' &&
    id !== product.activeVersionId &&
    id !== problem?.versionId &&
    id !== edited?.versionId;
  const cards = versions.filter((version) => !isOlder(version)).map(card);
  const older = versions.filter(isOlder).map(card);
  const uploads = versions.some(({ status }) => status === 'preparing');
  const main = html`${productFrame(loaded, 'versions')}<div class="with-facts"><div class="stack">
${cards.length > 0 ? cards : noVersions()}${olderVersions(older, loaded)}${newVersionForm(loaded, typed)}
</div>${facts(loaded)}</div>${uploads && UPLOAD_SCRIPT}`;
  const status = typed.problem || problem ? (problem?.status ?? 400) : 200;
  return { kind: 'page', status, title: product.name, main };
}

/** A form for the product's details. */
export function productDetailsPage(
  loaded: LoadedProduct & { readonly form: ProductForm; readonly problems: ProductProblems },
): Answer {
  const { product, problems } = loaded;
  const main = html`${productFrame(loaded, 'details')}<section class="card narrow"><section>${productDetailsForm(product.id, { ...loaded, isPrimary: !isPrimaryInFrame(loaded) })}</section></section>`;
  return { kind: 'page', status: statusOf(problems), title: `${product.name}: details`, main };
}

/** Folded: nobody buys them any more, and they are as many as there were releases. */
function olderVersions(cards: readonly Html[], { hasOlderVersions }: LoadedProduct): Html | null {
  if (cards.length === 0) return null;
  const rest =
    hasOlderVersions &&
    html`<p class="muted small">The ${SHOWN_VERSIONS} newest versions are listed here, and the live one.</p>`;
  return html`<details class="older-versions"><summary>${counted(cards.length, 'older version')}</summary><div class="stack">${cards}${rest}</div></details>`;
}

const UPLOAD_SCRIPT = html`<script src="${DASHBOARD_ASSETS.uploadScript.path}" data-library="${DASHBOARD_ASSETS.uploadLibrary.path}" defer></script>`;

function newVersionForm({ product, csrfToken }: LoadedProduct, typed: NewVersion): Html {
  const field = textField({
    name: 'version',
    label: 'New version',
    value: typed.version,
    help: 'A label such as 1.1 or 2.0 beta. Buyers see it; those who have bought keep theirs.',
    problem: typed.problem,
    mono: true,
  });
  const body = html`<div class="field-and-button">${field}${submitButton({ words: 'Add version', icon: plusIcon })}</div>`;
  return html`<section class="card"><section>${postForm({ action: `/dashboard/products/${product.id}/versions`, csrfToken, body })}</section></section>`;
}

function noVersions(): Html {
  return html`<section class="card">${emptyState({
    icon: boxIcon,
    title: 'No versions yet',
    sentence:
      'A version holds the files that buyers get. Until one is live, orders for this product are held. Add one below.',
  })}</section>`;
}

function facts({ product, skus, platforms }: LoadedProduct): Html {
  const ofSkus = html`${skuChip(product.slug)} <span class="muted small">its slug</span>${skus.map(
    ({ sku, platform }) =>
      html`<br>${skuChip(sku)}${platform ? html` <span class="muted small">${platforms.vendorOf(platform)}</span>` : ''}`,
  )}`;
  return factsCard([
    { term: 'SKUs that deliver it', description: ofSkus },
    product.description ? { term: 'Description', description: product.description } : null,
    { term: 'Added', description: exactTime(product.createdAt), look: 'small' },
    { term: 'Changed', description: exactTime(product.updatedAt), look: 'small' },
    { term: 'Id, for the API', description: product.id, look: 'mono' },
  ]);
}
