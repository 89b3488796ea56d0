import type { CreateProductResult, ProductStatus, UpdateProductResult } from '@handover/domain';
import { createProduct, PRODUCT_STATUSES, updateProduct } from '@handover/domain';
import type { HttpPorts } from '../../http-ports.ts';
import { action, type DashboardRoute, page } from '../dashboard-route.ts';
import { noteDeed } from '../note-deed.ts';
import { describeChange } from './describe-change.ts';
import { newProductPage, type ProductForm, type ProductProblems } from './product-form.ts';
import { productListPage } from './product-list-page.ts';
import { productDetailsPage, productPage } from './product-page.ts';

const PAGE_SIZE = 50;
const SHOWN_VERSIONS = 50;
const SHOWN_SKUS = 200;

/** The catalogue: found, added, looked at and changed. */
export function productRoutes(ports: HttpPorts): readonly DashboardRoute[] {
  const load = async (orgId: string, productId: string) => {
    const [product, versions, skus] = await Promise.all([
      ports.products.find(orgId, productId),
      ports.products.listVersions(orgId, productId, SHOWN_VERSIONS),
      ports.skuMappings.listOf(orgId, productId, SHOWN_SKUS),
    ]);
    return product && { product, versions, skus };
  };

  return [
    page('/products', 'member', async ({ orgId, query, now }) => {
      const text = query.get('q') ?? '';
      const status = readStatus(query.get('status'));
      // One more than is shown says whether there are older ones.
      const search = { text, status, before: query.get('before'), limit: PAGE_SIZE + 1 };
      const found = await ports.products.search(orgId, search);
      return productListPage({
        found: found.slice(0, PAGE_SIZE),
        isMore: found.length > PAGE_SIZE,
        text,
        status,
        now,
      });
    }),

    page('/products/new', 'member', async ({ formToken }) =>
      newProductPage({ formToken, form: EMPTY, problems: {} }),
    ),

    action('/products/new', 'member', async (visit, posted) => {
      const { orgId, formToken } = visit;
      const form = readForm(posted);
      // Most slugs are the name: it is only asked for where another is wanted.
      const result = await createProduct(ports, orgId, { ...form, slug: form.slug.trim() || form.name });
      if (result.kind === 'created') {
        const { id: subjectId, name } = result.product;
        await noteDeed(ports, visit, { kind: 'product-changed', subjectId, summary: `${name}: added.` });
        const toast = {
          title: `${result.product.name} is added`,
          sentence: 'It is a draft until you publish it.',
        };
        return { kind: 'redirect', to: `/dashboard/products/${result.product.id}`, toast };
      }
      return newProductPage({ formToken, form, problems: explain(result) });
    }),

    page('/products/:productId', 'member', async ({ orgId, params: { productId = '' }, formToken }) => {
      const loaded = await load(orgId, productId);
      return loaded ? productPage({ ...loaded, formToken }) : { kind: 'not-found' };
    }),

    page(
      '/products/:productId/details',
      'member',
      async ({ orgId, params: { productId = '' }, formToken }) => {
        const loaded = await load(orgId, productId);
        if (!loaded) return { kind: 'not-found' };
        const { name, slug, description, status } = loaded.product;
        const form = { name, slug, description: description ?? '', status };
        return productDetailsPage({ ...loaded, formToken, form, problems: {} });
      },
    ),

    action('/products/:productId/details', 'member', async (visit, posted) => {
      const { orgId, formToken } = visit;
      const { productId = '' } = visit.params;
      const before = await ports.products.find(orgId, productId);
      const form = readForm(posted);
      const status = readStatus(form.status) ?? undefined;
      const result = await updateProduct(ports, orgId, productId, { ...form, status });
      if (result.kind === 'updated') {
        const summary = before && describeChange(before, result.product);
        if (summary) await noteDeed(ports, visit, { kind: 'product-changed', subjectId: productId, summary });
        const toast = { title: 'Saved', sentence: `${result.product.name} is up to date.` };
        return { kind: 'redirect', to: `/dashboard/products/${productId}`, toast };
      }
      const loaded = await load(orgId, productId);
      if (!loaded) return { kind: 'not-found' };
      return productDetailsPage({ ...loaded, formToken, form, problems: explain(result) });
    }),
  ];
}

const EMPTY: ProductForm = { name: '', slug: '', description: '', status: 'draft' };

function readForm(posted: URLSearchParams): ProductForm {
  const read = (name: string) => posted.get(name) ?? '';
  return { name: read('name'), slug: read('slug'), description: read('description'), status: read('status') };
}

function readStatus(text: string | null): ProductStatus | null {
  return PRODUCT_STATUSES.find((status) => status === text) ?? null;
}

/** Sentences for the fields. */
function explain(
  result: Exclude<CreateProductResult | UpdateProductResult, { kind: 'created' | 'updated' }>,
): ProductProblems {
  switch (result.kind) {
    case 'invalid':
      return { [result.field]: `It ${result.problem}.` };
    case 'slug-taken':
      return { slug: `Another product has the slug “${result.slug}”. Choose another.` };
    case 'unknown-product':
      return {};
  }
}
