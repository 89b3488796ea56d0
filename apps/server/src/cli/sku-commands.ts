import { describeMapping } from '@handover/adapters-http';
import type { Platform, Product } from '@handover/domain';
import { countOpenWithSku, mapSkuAndRelease } from '@handover/domain';
import type { Command } from 'commander';
import { adviseOrderOf } from './advise-next.ts';
import { counted, formatCommand } from './command-text.ts';
import { findProduct } from './find-product.ts';
import { inOrganisation, ORG, unknownOrganisation } from './in-organisation.ts';
import { platformOption } from './integration-commands.ts';
import { addSkuList } from './list-commands.ts';
import type { CommandContext, OpenedCommand } from './run-command.ts';
import { CommandError } from './run-command.ts';
import { runCommandAction } from './run-command-action.ts';
import { wrongOption } from './wrong-option.ts';

/** `sku list`, `sku map` and `sku ignore`. */
export function addSkuCommands(program: Command, context: CommandContext): void {
  const sku = program.command('sku').description('which products SKUs deliver');
  addSkuList(sku, context);
  sku
    .command('ignore')
    .description('ignore a SKU: orders with it are neither flagged nor alerted')
    .requiredOption(...ORG)
    .requiredOption(...SKU)
    .addOption(platformOption(context))
    .action(inOrganisation(context, ignore));
  sku
    .command('map')
    .description('deliver a product for a SKU, on all platforms or on one, and the orders that wait for it')
    .requiredOption(...ORG)
    .requiredOption(...SKU)
    .requiredOption('--product <slug>', 'the product’s slug or id')
    .addOption(platformOption(context))
    .action(inOrganisation(context, map));
}

const SKU = [
  '--sku <sku>',
  'the SKU, as the shop sends it; an id that the platform gave only counts with --platform',
] as const;

interface IgnoreOptions {
  readonly org: string;
  readonly sku: string;
  readonly platform?: Platform;
}

interface MapOptions extends IgnoreOptions {
  readonly product: string;
}

async function map(opened: OpenedCommand, options: MapOptions) {
  const { org, product: text } = options;
  const product = await findProduct(opened.ports, org, text);
  const { sku, platform, where, released } = await put(opened, options, product);
  return {
    json: { sku, platform, productId: product.id, released },
    lines: [
      `SKU ${sku} now delivers ${product.name} on ${where}.`,
      ...describeReleased(released),
      ...(await adviseOrderOf(opened, org, platform, sku)),
    ],
  };
}

async function ignore(opened: OpenedCommand, options: IgnoreOptions) {
  const { sku, platform, where, released } = await put(opened, options, null);
  return {
    json: { sku, platform, productId: null, released },
    lines: [
      `SKU ${sku} is ignored on ${where}: orders with it are neither flagged nor alerted.`,
      ...describeReleased(released),
      'Next: see what the other SKUs deliver:',
      formatCommand(`sku list --org ${options.org}`),
    ],
  };
}

async function put(opened: OpenedCommand, { org, sku, platform }: IgnoreOptions, product: Product | null) {
  const { platforms } = opened;
  const { mapped, released } = await runCommandAction(
    opened,
    async (within) => {
      // Counted before the catalogue is locked, which the shop's orders wait for.
      const released = await countOpenWithSku(within, org, sku, platform ?? null);
      const mapping = { sku, platform: platform ?? null, productId: product?.id ?? null };
      return { released, mapped: await mapSkuAndRelease(within, org, mapping) };
    },
    ({ mapped }) =>
      mapped.kind === 'mapped' && mapped.isChanged
        ? { orgId: org, ...describeMapping(platforms, org, mapped.mapping, product) }
        : null,
  );
  if (mapped.kind === 'invalid') throw wrongOption(mapped);
  if (mapped.kind === 'unknown-product') {
    throw new CommandError(`--product ${product?.id} is not a product of this organisation.`);
  }
  if (mapped.kind === 'unknown-organisation') throw unknownOrganisation(org);
  return { ...mapped.mapping, released, where: platform ? platforms.vendorOf(platform) : 'every platform' };
}

function describeReleased(orders: number): readonly string[] {
  if (orders === 0) return [];
  return [
    `${counted(orders, 'order')} that waited for it ${orders === 1 ? 'is' : 'are'} processed again now.`,
  ];
}
