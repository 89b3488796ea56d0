import {
  type ActivateVersionResult,
  type ActivityOrigin,
  type AuditedAction,
  activateVersion,
  type CreateProductResult,
  type CreateVersionResult,
  createProduct,
  createVersion,
  type FilePlace,
  type NewProduct,
  type Product,
  type ProductChange,
  type ProductState,
  type PutVersionFileResult,
  putVersionFile,
  runAuditedAction,
  type StoredContent,
  type Stores,
  type UpdateProductResult,
  updateProduct,
} from '@handover/domain';
import type { AuditPorts } from '../http-ports.ts';

// Changes to the catalogue, each with its entry in the activity log: the same from the dashboard and by API key.

/** The organisation whose log gets the entry, and the actor. */
export interface ActionScope {
  readonly orgId: string;
  readonly by: ActivityOrigin;
}

export function createProductWithEntry(
  ports: AuditPorts,
  scope: ActionScope,
  input: NewProduct,
): Promise<CreateProductResult> {
  return runAuditedAction(
    ports,
    scope,
    (within) => createProduct(within, scope.orgId, input),
    (created) => {
      if (created.kind !== 'created') return null;
      const { id: subjectId, name } = created.product;
      return { kind: 'product-changed', subjectId, summary: `${name}: added.` };
    },
  );
}

/** An update that changes nothing has no entry. */
export async function updateProductWithEntry(
  ports: AuditPorts,
  scope: ActionScope,
  productId: string,
  change: ProductChange,
  expected?: ProductState,
): Promise<UpdateProductResult> {
  const { result } = await runAuditedAction(
    ports,
    scope,
    async (within) => {
      const before = await within.products.findToChange(scope.orgId, productId);
      const result = await updateProduct(within, scope.orgId, productId, change, expected);
      const changed = before && result.kind === 'updated' && { before, after: result.product };
      return { result, changed, liveVersion: changed ? await findLiveVersion(within, changed) : null };
    },
    ({ changed, liveVersion }) => {
      const summary = changed ? describeChange(changed.before, changed.after, liveVersion) : null;
      return summary === null ? null : { kind: 'product-changed', subjectId: productId, summary };
    },
  );
  return result;
}

/** The label is read only where another version went live. */
async function findLiveVersion(
  { products }: Pick<Stores, 'products'>,
  { before, after }: { readonly before: Product; readonly after: Product },
): Promise<string | null> {
  const { orgId, id, activeVersionId } = after;
  if (activeVersionId === null || activeVersionId === before.activeVersionId) return null;
  return (await products.findVersion(orgId, id, activeVersionId))?.version ?? null;
}

export function createVersionWithEntry(
  ports: AuditPorts,
  scope: ActionScope,
  productId: string,
  label: string,
): Promise<CreateVersionResult> {
  return runProductAction(
    ports,
    { ...scope, productId },
    (within) => createVersion(within, scope.orgId, productId, label),
    (created) => (created.kind === 'created' ? `version ${created.version.version} begun` : null),
  );
}

/**
 * Makes a version live; `publishVersion` publishes a draft with it. Activating the live version again changes nothing and
 * has no entry.
 */
export async function activateVersionWithEntry(
  ports: AuditPorts,
  scope: ActionScope,
  productId: string,
  versionId: string,
  activate: typeof activateVersion = activateVersion,
): Promise<ActivateVersionResult> {
  const { result } = await runAuditedAction(
    ports,
    scope,
    async (within) => {
      // Of two that activate it at once, the second one changes nothing.
      const before = await within.products.findToChange(scope.orgId, productId);
      return { before, result: await activate(within, scope.orgId, productId, versionId) };
    },
    ({ before, result }) => before && describeProductAction(before, describeActivation(before, result)),
  );
  return result;
}

function describeActivation(before: Product, result: ActivateVersionResult): string | null {
  if (result.kind !== 'activated') return null;
  const { version, product } = result;
  const changes = [
    ...(version.id === before.activeVersionId ? [] : [`version ${version.version} made live`]),
    ...(product.status === before.status ? [] : [STATUS[product.status]]),
  ];
  return changes.join('; ') || null;
}

/** Adds stored content to a version as a file. */
export function putFileWithEntry(
  ports: AuditPorts,
  by: ActivityOrigin,
  place: FilePlace,
  content: StoredContent,
): Promise<PutVersionFileResult> {
  return runProductAction(
    ports,
    { ...place, by },
    (within) => putVersionFile(within, place, content),
    (put) => (put.kind === 'added' && put.isNew ? `${put.file.name} added` : null),
  );
}

/** Names, moves or removes a file of a version. */
export function changeFileWithEntry<Result extends { readonly kind: string }>(
  ports: AuditPorts,
  by: ActivityOrigin,
  place: FilePlace,
  change: (within: Pick<Stores, 'products'>, place: FilePlace) => Promise<Result>,
  tell: (result: Result) => string | null,
): Promise<Result> {
  return runProductAction(ports, { ...place, by }, (within) => change(within, place), tell);
}

/** Runs an action whose entry names the product as it was before. */
async function runProductAction<Result>(
  ports: AuditPorts,
  { productId, ...scope }: ActionScope & { readonly productId: string },
  work: (within: AuditPorts & Stores) => Promise<Result>,
  tell: (result: Result) => string | null,
): Promise<Result> {
  const done = await runAuditedAction(
    ports,
    scope,
    async (within) => {
      const before = await within.products.find(scope.orgId, productId);
      return { before, result: await work(within) };
    },
    ({ before, result }) => before && describeProductAction(before, tell(result)),
  );
  return done.result;
}

function describeProductAction({ id, name }: Product, told: string | null): AuditedAction | null {
  return told === null ? null : { kind: 'product-changed', subjectId: id, summary: `${name}: ${told}.` };
}

/**
 * Describes the change of a product in a sentence for the activity log; null when nothing changed.
 * `liveVersion` is the label of the version that is live after the change.
 */
function describeChange(before: Product, after: Product, liveVersion: string | null): string | null {
  const changes = [
    ...(before.status === after.status ? [] : [STATUS[after.status]]),
    ...(before.name === after.name ? [] : [`renamed from “${before.name}”`]),
    ...(before.slug === after.slug ? [] : [`its slug was ${before.slug} and is ${after.slug}`]),
    ...(before.description === after.description ? [] : ['described anew']),
    ...(before.activeVersionId === after.activeVersionId
      ? []
      : [liveVersion === null ? 'no version is live any more' : `version ${liveVersion} made live`]),
  ];
  return changes.length === 0 ? null : `${after.name}: ${changes.join('; ')}.`;
}

const STATUS = {
  draft: 'a draft again',
  published: 'published',
  archived: 'archived',
} as const;
