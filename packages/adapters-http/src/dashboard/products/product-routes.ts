import {
  type CreateProductResult,
  LINK_LIFETIME_MS,
  type OrderReader,
  PRODUCT_STATUSES,
  type ProductStatus,
  type UpdateProductResult,
} from '@handover/domain';
import {
  createProductWithEntry,
  createVersionWithEntry,
  updateProductWithEntry,
} from '../../actions/product-actions.ts';
import { previewOfDownloadPage } from '../../customer/download-page.ts';
import type { HttpPorts } from '../../http-ports.ts';
import { type Answer, action, type DashboardRequest, type DashboardRoute, page } from '../dashboard-route.ts';
import { explainProblems, readTexts } from '../parts/form.ts';
import { takePage } from '../take-page.ts';
import { readEdited } from './file-editor.ts';
import { fileRoutes } from './file-routes.ts';
import { createLoadProduct, type LoadProduct } from './load-product.ts';
import { newProductPage, type ProductForm, type ProductProblems } from './product-form.ts';
import { productListPage } from './product-list-page.ts';
import { productDetailsPage, productPage } from './product-page.ts';
import { skuRoutes } from './sku-routes.ts';
import { statusRoutes } from './status-routes.ts';
import { undoRoutes } from './undo-routes.ts';
import { versionRoutes } from './version-routes.ts';

type Ports = Pick<
  HttpPorts,
  | 'clock'
  | 'deliveries'
  | 'files'
  | 'ids'
  | 'inTransaction'
  | 'openDeliveries'
  | 'organisations'
  | 'products'
  | 'platforms'
  | 'purchases'
  | 'skuMappings'
>;

/** Searches, adds, shows and changes products. */
export function productRoutes(
  ports: Ports,
  orders: OrderReader,
  maxFileSize: number,
): readonly DashboardRoute[] {
  const load = createLoadProduct(ports, orders, maxFileSize);
  return [
    ...catalogueRoutes(ports, load),
    ...versionRoutes(ports, load),
    ...fileRoutes(ports, load),
    ...undoRoutes(ports),
    ...statusRoutes(ports, load),
    ...skuRoutes(ports, load),
    previewRoute(ports),
  ];
}

function catalogueRoutes(ports: Ports, load: LoadProduct): readonly DashboardRoute[] {
  return [
    page('/products', 'member', (context) => listProducts(ports, context)),

    page('/products/new', 'member', async ({ csrfToken }) =>
      newProductPage({ csrfToken, form: EMPTY, problems: {}, firstVersion: FIRST_VERSION }),
    ),

    action('/products/new', 'member', (context, posted) => addProduct(ports, context, posted)),

    page('/products/:productId', 'member', async (context) => {
      const loaded = await load(context);
      const edited = readEdited(context.query);
      return loaded ? productPage(loaded, { edited }) : { kind: 'not-found' };
    }),

    page('/products/:productId/details', 'member', (context) => showDetails(load, context)),

    action('/products/:productId/details', 'member', (context, posted) =>
      changeDetails(ports, load, context, posted),
    ),
  ];
}

async function listProducts(ports: Ports, { orgId, query, now }: DashboardRequest): Promise<Answer> {
  const text = query.get('q') ?? '';
  const status = readStatus(query.get('status'));
  const search = { text, status, before: query.get('before') };
  const shown = await takePage((limit) => ports.products.search(orgId, { ...search, limit }));
  return productListPage({ ...shown, text, status, now, isOlder: search.before !== null });
}

async function addProduct(ports: Ports, context: DashboardRequest, posted: URLSearchParams): Promise<Answer> {
  const { csrfToken } = context;
  const form = readTexts(posted, 'name', 'slug', 'description');
  const firstVersion = posted.get('version')?.trim() ?? '';
  // The slug is optional: by default it is derived from the name.
  const slug = form.slug.trim() || form.name;
  const result = await createProductWithEntry(ports, context, { ...form, slug });
  if (result.kind === 'created') {
    // A label that is refused costs nothing: the product's page has the same form.
    if (firstVersion !== '') await createVersionWithEntry(ports, context, result.product.id, firstVersion);
    const toast = {
      title: `${result.product.name} is added`,
      sentence: 'It is a draft until you publish it.',
    };
    return { kind: 'redirect', to: `/dashboard/products/${result.product.id}`, toast };
  }
  const problems = form.slug.trim() === '' ? explainDerived(result) : explain(result);
  return newProductPage({ csrfToken, form, problems, firstVersion });
}

type Context = DashboardRequest<'productId'>;

async function showDetails(load: LoadProduct, context: Context): Promise<Answer> {
  const loaded = await load(context);
  if (!loaded) return { kind: 'not-found' };
  const { name, slug, description } = loaded.product;
  return productDetailsPage({
    ...loaded,
    form: { name, slug, description: description ?? '' },
    problems: {},
  });
}

async function changeDetails(
  ports: Ports,
  load: LoadProduct,
  context: Context,
  posted: URLSearchParams,
): Promise<Answer> {
  const { productId } = context.params;
  const form = readTexts(posted, 'name', 'slug', 'description');
  const result = await updateProductWithEntry(ports, context, productId, form);
  if (result.kind === 'updated') {
    const { id, name } = result.product;
    const toast = { title: 'Saved', sentence: `${name} is up to date.` };
    return { kind: 'redirect', to: `/dashboard/products/${id}`, toast };
  }
  const loaded = await load(context);
  return loaded ? productDetailsPage({ ...loaded, form, problems: explain(result) }) : { kind: 'not-found' };
}

const EMPTY: ProductForm = { name: '', slug: '', description: '' };
const FIRST_VERSION = '1.0';

function readStatus(text: string | null): ProductStatus | null {
  return PRODUCT_STATUSES.find((status) => status === text) ?? null;
}

/** Error messages by field. */
function explain(
  result: Exclude<CreateProductResult | UpdateProductResult, { kind: 'created' | 'updated' }>,
): ProductProblems {
  switch (result.kind) {
    case 'invalid':
      return explainProblems(result.problems ?? [result]);
    case 'slug-taken':
      return { slug: `Another product has the slug “${result.slug}”. Choose another.` };
    case 'unknown-product':
      return {};
  }
}

/** The same where the slug was left out and derived from the name. */
function explainDerived(result: Exclude<CreateProductResult, { kind: 'created' }>): ProductProblems {
  const { slug, ...others } = explain(result);
  // The name has a problem of its own then.
  if (others.name !== undefined || slug === undefined) return others;
  return {
    ...others,
    slug:
      result.kind === 'invalid' ? 'No slug can be made from this name. Enter one, such as my-product.' : slug,
  };
}

/** Previews the download page; no link is created for it. */
function previewRoute(ports: Ports): DashboardRoute {
  return page('/products/:productId/preview', 'member', async ({ orgId, params: { productId }, now }) => {
    const [product, organisation] = await Promise.all([
      ports.products.find(orgId, productId),
      ports.organisations.find(orgId),
    ]);
    if (!product || !organisation) return { kind: 'not-found' };
    const live = product.activeVersionId
      ? await ports.products.findVersion(orgId, productId, product.activeVersionId)
      : null;
    const shown = {
      orgId,
      expiresAt: new Date(now.getTime() + LINK_LIFETIME_MS),
      organisation,
      customer: { name: 'Ana Lima', email: 'ana@example.com' },
      orderNumber: null,
      productName: product.name,
      version: live && { label: live.version, files: live.files },
      newerVersion: null,
    };
    const backTo = `/dashboard/products/${product.id}`;
    return { kind: 'document', document: previewOfDownloadPage(shown, backTo, now) };
  });
}
