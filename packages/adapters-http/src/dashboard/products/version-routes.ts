import {
  type ActivateVersionResult,
  type AddVersionFileResult,
  activateVersion,
  type CreateVersionResult,
  publishVersion,
  storeVersionFile,
} from '@handover/domain';
import {
  activateVersionWithEntry,
  createVersionWithEntry,
  putFileWithEntry,
} from '../../actions/product-actions.ts';
import type { HttpPorts } from '../../http-ports.ts';
import { classifyFailure } from '../../requests/classify-failure.ts';
import { UploadError } from '../../requests/receive-file.ts';
import {
  type Answer,
  action,
  type DashboardRequest,
  type DashboardRoute,
  type Posted,
  page,
  upload,
} from '../dashboard-route.ts';
import { counted } from '../parts/money.ts';
import { makeLivePage } from './confirm-pages.ts';
import type { LoadProduct } from './load-product.ts';
import { productPage } from './product-page.ts';
import { undoTo } from './undo-routes.ts';
import { isBeingDelivered } from './waiting-panel.ts';

type Ports = Pick<HttpPorts, 'clock' | 'files' | 'ids' | 'inTransaction' | 'products'>;

type Context = DashboardRequest<'productId' | 'versionId'>;

/** Creates versions, adds their files and makes them live. */
export function versionRoutes(ports: Ports, load: LoadProduct): readonly DashboardRoute[] {
  return [
    action('/products/:productId/versions', 'member', (context, form) =>
      addVersion(ports, load, context, form),
    ),

    upload('/products/:productId/versions/:versionId/files', 'member', (context, file) =>
      addFile(ports, load, context, file),
    ),

    page('/products/:productId/versions/:versionId/make-live', 'member', (context) =>
      askToMakeLive(load, context),
    ),

    action('/products/:productId/versions/:versionId/make-live', 'member', (context, form) =>
      makeLive(ports, load, context, form),
    ),
  ];
}

async function addVersion(
  ports: Ports,
  load: LoadProduct,
  context: DashboardRequest<'productId'>,
  form: URLSearchParams,
): Promise<Answer> {
  const version = form.get('version') ?? '';
  const { productId } = context.params;
  const result = await createVersionWithEntry(ports, context, productId, version);
  const loaded = await load(context);
  if (!loaded) return { kind: 'not-found' };
  if (result.kind !== 'created') return productPage(loaded, { typed: { version, problem: explain(result) } });
  return { kind: 'redirect', to: pageOf(context) };
}

async function addFile(
  ports: Ports,
  load: LoadProduct,
  context: Context,
  file: Posted['file'],
): Promise<Answer> {
  const { orgId, by } = context;
  const { productId, versionId } = context.params;
  const refuse = async (problem: string, status = 400): Promise<Answer> => {
    const loaded = await load(context);
    if (!loaded) return { kind: 'not-found' };
    return productPage(loaded, { problem: { versionId, problem, status } });
  };
  const refuseFile = (error: unknown) => {
    if (!(error instanceof UploadError)) throw error;
    return refuse(error.message, classifyFailure(error).status);
  };
  if (!file) return refuse('Choose a file first.');
  if (file instanceof UploadError) return refuseFile(file);
  const place = { orgId, productId, versionId, name: file.name };
  const stored = await storeVersionFile(ports, place, file.content).catch((error: unknown) => ({
    kind: 'not-stored' as const,
    error,
  }));
  if (stored.kind === 'not-stored') return refuseFile(stored.error);
  // Removed, or signed out, while the file was sent: the next page says so.
  if (!(await context.isStillAdmitted())) return { kind: 'redirect', to: '/dashboard' };
  const result = stored.kind === 'stored' ? await putFileWithEntry(ports, by, place, stored.content) : stored;
  if (result.kind === 'unknown-version') return { kind: 'not-found' };
  if (result.kind !== 'added') return refuse(explain(result));
  return { kind: 'redirect', to: pageOf(context), toast: { title: `${result.file.name} is uploaded` } };
}

async function askToMakeLive(load: LoadProduct, context: Context): Promise<Answer> {
  const loaded = await load(context);
  const version = loaded?.versions.find(({ id }) => id === context.params.versionId);
  if (!loaded || !version || version.status === 'preparing') return { kind: 'not-found' };
  return makeLivePage(version, loaded);
}

async function makeLive(
  ports: Ports,
  load: LoadProduct,
  context: Context,
  form: URLSearchParams,
): Promise<Answer> {
  const { productId, versionId } = context.params;
  const before = await ports.products.find(context.orgId, productId);
  const isToPublish = form.get('publish') === 'yes';
  const activate = isToPublish ? publishVersion : activateVersion;
  const result = await activateVersionWithEntry(ports, context, productId, versionId, activate);
  const loaded = result.kind === 'unknown-version' ? null : await load(context);
  if (!loaded) return { kind: 'not-found' };
  if (result.kind !== 'activated') {
    return productPage(loaded, { problem: { versionId, problem: explain(result) } });
  }
  const label = result.version.version;
  if (isToPublish && result.product.status === 'published') {
    const toast = { title: 'Published', sentence: `Orders now deliver version ${label}.` };
    return { kind: 'redirect', to: pageOf(context), toast };
  }
  // Null when none was live before: then orders may be on their way by now.
  const former = before?.activeVersionId ?? null;
  const undo = former !== null &&
    former !== versionId && {
      undo: undoTo(productId, { activeVersionId: versionId }, { activeVersionId: former }),
    };
  const { count } = loaded.waiting;
  const sentence =
    count > 0 && !isBeingDelivered(loaded)
      ? `${counted(count, 'order')} can be delivered next.`
      : 'New orders get it.';
  return {
    kind: 'redirect',
    to: pageOf(context),
    toast: { title: `Version ${label} is live`, sentence, ...undo },
  };
}

function pageOf({ params }: DashboardRequest<'productId'>): string {
  return `/dashboard/products/${params.productId}`;
}

type Refusal = Exclude<
  CreateVersionResult | AddVersionFileResult | ActivateVersionResult,
  { readonly kind: 'created' | 'added' | 'activated' }
>;

function explain(result: Refusal): string {
  switch (result.kind) {
    case 'invalid':
      return result.field === 'name' ? `The file’s name ${result.problem}.` : `It ${result.problem}.`;
    case 'label-taken':
      return `This product has a version “${result.label}” already. Choose another label.`;
    case 'frozen':
      return 'This version was live, so its files stay as they are. Add a new version.';
    case 'no-files':
      return 'It has no files yet. Add one, then make it live.';
    case 'unknown-product':
    case 'unknown-version':
      return 'It no longer exists. Load the page again.';
  }
}
