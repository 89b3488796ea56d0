import { describeMapping } from '@handover/adapters-http';
import type { Platform } from '@handover/domain';
import { mapSku } from '@handover/domain';
import type { Command } from 'commander';
import { platformOption } from './integration-commands.ts';
import type { CommandContext, OpenedCommand } from './run-command.ts';
import { CommandError, runCommand } from './run-command.ts';
import { runCommandAction } from './run-command-action.ts';

/** `sku map` and `sku ignore`. */
export function addSkuCommands(program: Command, context: CommandContext): void {
  const sku = program.command('sku').description('what SKUs stand for');
  sku
    .command('ignore')
    .description('say that a SKU is not ours: it is neither flagged nor alerted')
    .requiredOption('--org <id>', 'the organisation')
    .requiredOption('--sku <sku>', 'the SKU, as the shop sends it')
    .addOption(platformOption())
    .action((options: IgnoreOptions) =>
      runCommand(context, 'sku ignore', (opened) => ignore(opened, options)),
    );
  sku
    .command('map')
    .description('say which product a SKU stands for, on all platforms or on one')
    .requiredOption('--org <id>', 'the organisation')
    .requiredOption('--sku <sku>', 'the SKU, as the shop sends it')
    .requiredOption('--product <id>', 'the product')
    .addOption(platformOption())
    .action((options: MapOptions) => runCommand(context, 'sku map', (opened) => map(opened, options)));
}

interface IgnoreOptions {
  readonly org: string;
  readonly sku: string;
  readonly platform?: Platform;
}

interface MapOptions extends IgnoreOptions {
  readonly product: string;
}

async function map(opened: OpenedCommand, { product, ...options }: MapOptions) {
  const { sku, platform, where } = await put(opened, options, product);
  return {
    json: { sku, platform, productId: product },
    lines: [`SKU ${sku} now stands for product ${product} on ${where}.`, 'New orders follow it at once.'],
  };
}

async function ignore(opened: OpenedCommand, options: IgnoreOptions) {
  const { sku, platform, where } = await put(opened, options, null);
  return {
    json: { sku, platform, productId: null },
    lines: [`SKU ${sku} is not ours on ${where}: orders with it are neither flagged nor alerted.`],
  };
}

async function put(opened: OpenedCommand, { org, sku, platform }: IgnoreOptions, productId: string | null) {
  const { mapped } = await runCommandAction(
    opened,
    async (within) => {
      const mapped = await mapSku(within, org, { sku, platform: platform ?? null, productId });
      const found = mapped.kind === 'mapped' ? mapped.mapping.productId : null;
      return { mapped, product: found && (await within.products.find(org, found)) };
    },
    ({ mapped: put, product }) =>
      put.kind === 'mapped' ? { orgId: org, ...describeMapping(org, put.mapping, product || null) } : null,
  );
  if (mapped.kind === 'invalid') throw new CommandError(`--${mapped.field} ${mapped.problem}.`);
  if (mapped.kind === 'unknown-product') {
    throw new CommandError(`--product ${productId} is not a product of this organisation.`);
  }
  if (mapped.kind === 'unknown-organisation') {
    throw new CommandError(`--org ${org} is not an organisation of this installation.`);
  }
  return { ...mapped.mapping, where: platform ?? 'every platform' };
}
