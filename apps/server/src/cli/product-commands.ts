import type { ProductFile, ProductListRow } from '@handover/domain';
import { createProduct, type InvalidForm, publishAndDeliver, updateProduct } from '@handover/domain';
import type { Command } from 'commander';
import { adviseAdding, adviseOrderOf, advisePublish, adviseUpload } from './advise-next.ts';
import { counted, formatCommand } from './command-text.ts';
import { findProduct } from './find-product.ts';
import { inOrganisation, ORG } from './in-organisation.ts';
import {
  addPageOptions,
  cutPage,
  describeNextPage,
  type PageOptions,
  readLimit,
} from './read-page-options.ts';
import type { CommandContext, CommandPorts, OpenedCommand } from './run-command.ts';
import { CommandError } from './run-command.ts';
import { runCommandAction } from './run-command-action.ts';
import { addUploadCommand } from './upload-command.ts';
import { wrongOption } from './wrong-option.ts';

/** `product create`, `product list`, `product upload` and `product publish`. */
export function addProductCommands(program: Command, context: CommandContext): void {
  const product = program.command('product').description('products and their files');
  product
    .command('create')
    .description('add a product, as a draft')
    .requiredOption(...ORG)
    .requiredOption('--name <name>', 'what buyers know it as')
    .option(
      '--slug <slug>',
      'its name in commands and links, and the SKU that delivers it (default: from the name)',
    )
    .action(inOrganisation(context, create));
  addPageOptions(
    product
      .command('list')
      .description('list products, newest first')
      .requiredOption(...ORG),
  ).action(inOrganisation(context, list));
  addUploadCommand(product, context);
  product
    .command('publish')
    .description('let orders deliver a product, and deliver the orders that were held for it')
    .requiredOption(...ORG)
    .requiredOption('--product <slug>', 'the product’s slug or id')
    .action(inOrganisation(context, publish));
}

interface CreateOptions {
  readonly org: string;
  readonly name: string;
  readonly slug?: string;
}

interface ListOptions extends PageOptions {
  readonly org: string;
}

interface PublishOptions {
  readonly org: string;
  readonly product: string;
}

async function create(opened: OpenedCommand, { org: orgId, name, slug }: CreateOptions) {
  const created = await runCommandAction(
    opened,
    (within) => createProduct(within, orgId, { name, slug: slug ?? name }),
    (made) => {
      if (made.kind !== 'created') return null;
      const { id: subjectId } = made.product;
      return { orgId, kind: 'product-changed', subjectId, summary: `${made.product.name}: added.` };
    },
  );
  if (created.kind === 'invalid') throw wrongOption(slug === undefined ? explainSlug(created) : created);
  if (created.kind === 'slug-taken') {
    throw new CommandError(
      `--slug ${created.slug} is the slug of another product. Choose another one, or see what there is:\n` +
        formatCommand(`product list --org ${orgId}`),
    );
  }
  const { product } = created;
  return {
    json: { productId: product.id, slug: product.slug, name: product.name, status: product.status },
    lines: [
      `${product.name} is added as a draft. Orders for the SKU ${product.slug} will deliver it.`,
      `  product  ${product.id}`,
      `  slug     ${product.slug}`,
      ...adviseUpload(orgId, product.slug),
    ],
  };
}

async function list({ ports: { products } }: OpenedCommand, options: ListOptions) {
  const { org: orgId, after = null } = options;
  const limit = readLimit(options);
  const query = { text: '', status: null, before: after, limit: limit + 1 };
  const { shown, next } = cutPage(await products.search(orgId, query), limit, (row) => row.product.id);
  const files = await products.listFiles(
    orgId,
    shown.flatMap(({ activeVersion }) => activeVersion?.id ?? []),
  );
  return {
    json: {
      products: shown.map(({ product, activeVersion }) => ({
        ...product,
        activeVersion: activeVersion?.version ?? null,
        files: filesOf(files, activeVersion).map((file) => ({
          ...file,
          displayName: file.displayName ?? null,
        })),
      })),
      next,
    },
    lines: [
      ...shown.map((row) => describeRow(row, filesOf(files, row.activeVersion))),
      ...describeNextPage(`product list --org ${orgId}`, limit, next),
      ...adviseAfterList(orgId, shown),
    ],
  };
}

function filesOf(
  files: ReadonlyMap<string, readonly ProductFile[]>,
  version: ProductListRow['activeVersion'],
): readonly ProductFile[] {
  return files.get(version?.id ?? '') ?? [];
}

/** Its slug would be made from its name. */
function explainSlug(invalid: InvalidForm): InvalidForm {
  const remedy = 'it would be made from the name. Add one, such as --slug my-product';
  const problems = invalid.problems.map((one) =>
    one.field === 'slug' ? { ...one, problem: `${one.problem}: ${remedy}` } : one,
  );
  return { ...invalid, problems };
}

function describeRow(
  { product: { id, slug, name, status }, activeVersion }: ProductListRow,
  files: readonly ProductFile[],
): string {
  const live = activeVersion ? `version ${activeVersion.version} is live` : 'no live version';
  const listed = files.map((file) =>
    file.displayName === undefined ? `    ${file.name}` : `    ${file.displayName} (${file.name})`,
  );
  return [`  ${slug}  ${status}, ${live}`, `    ${name}  ${id}`, ...listed].join('\n');
}

/** The next step concerns the first product that delivers nothing yet. */
function adviseAfterList(orgId: string, shown: readonly ProductListRow[]): readonly string[] {
  if (shown.length === 0) return ['There is no product.', ...adviseAdding(orgId)];
  const unready = shown.find(({ product }) => product.activeVersionId === null || product.status === 'draft');
  if (!unready) return [];
  const { slug, activeVersionId } = unready.product;
  return activeVersionId === null ? adviseUpload(orgId, slug) : advisePublish(orgId, slug);
}

async function publish(opened: OpenedCommand, options: PublishOptions) {
  const { org: orgId } = options;
  const { product, orders, liveVersion } = await runCommandAction(
    opened,
    (within) => publishAndRelease(within, options),
    ({ before, product, orders, isNew }) => {
      if (before.status === product.status && !isNew) return null;
      const released = orders === 0 ? '' : `, and ${counted(orders, 'waiting order')} released`;
      const summary = `${product.name}: published${released}.`;
      return { orgId, kind: 'product-changed', subjectId: product.id, summary };
    },
  );
  const json = {
    productId: product.id,
    slug: product.slug,
    status: product.status,
    liveVersion,
    released: orders,
  };
  if (liveVersion === null) {
    const held = await opened.ports.openDeliveries.countHeld(orgId, product.id);
    return {
      json,
      lines: [
        `${product.name} is published, but nothing is delivered until a version of it is live: orders are held until then.`,
        ...(held === 0
          ? []
          : [
              `${counted(held, 'order')} ${held === 1 ? 'is' : 'are'} held for it. Publish it again once a version is live.`,
            ]),
        ...adviseUpload(orgId, product.slug),
      ],
    };
  }
  return {
    json,
    lines: [
      `${product.name} is published: orders now deliver version ${liveVersion}.`,
      describeReleased(orders),
      ...(await adviseOrderOf(opened, orgId, null, product.slug)),
    ],
  };
}

/** Publishes the product in any state. Held entries are released if it has a live version. */
async function publishAndRelease(within: CommandPorts, { org: orgId, product: text }: PublishOptions) {
  const before = await findProduct(within, orgId, text);
  const { id } = before;
  if (before.status !== 'published') await updateProduct(within, orgId, id, { status: 'published' });
  const result = await publishAndDeliver(within, orgId, id);
  if (result.kind === 'published') {
    const { product, orders, isNew } = result;
    const live = await within.products.findVersion(orgId, id, product.activeVersionId ?? '');
    return { before, product, orders, isNew, liveVersion: live?.version ?? null };
  }
  const product = await findProduct(within, orgId, id);
  return { before, product, orders: 0, isNew: false, liveVersion: null };
}

function describeReleased(orders: number): string {
  if (orders === 0) return 'No order was held for it.';
  const receipts = orders === 1 ? 'its receipt goes' : 'their receipts go';
  return `${counted(orders, 'order')} ${orders === 1 ? 'was' : 'were'} held for it: ${receipts} out now.`;
}
