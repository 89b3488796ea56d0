import type { Platform } from '@handover/domain';
import { mapSku } from '@handover/domain';
import type { Command } from 'commander';
import { tokens } from '../composition.ts';
import { platformOption } from './integration-commands.ts';
import type { CommandContext, OpenedCommand } from './run-command.ts';
import { CommandError, runCommand } from './run-command.ts';

/** `sku map`. */
export function addSkuCommands(program: Command, context: CommandContext): void {
  program
    .command('sku')
    .description('what SKUs stand for')
    .command('map')
    .description('say which product a SKU stands for, on all platforms or on one')
    .requiredOption('--org <id>', 'the organisation')
    .requiredOption('--sku <sku>', 'the SKU, as the shop sends it')
    .requiredOption('--product <id>', 'the product')
    .addOption(platformOption())
    .action((options: MapOptions) => runCommand(context, 'sku map', (opened) => map(opened, options)));
}

interface MapOptions {
  readonly org: string;
  readonly sku: string;
  readonly product: string;
  readonly platform?: Platform;
}

async function map({ composition }: OpenedCommand, { org, sku, product, platform }: MapOptions) {
  const { skuMappings } = composition.resolve(tokens.stores);
  const mapped = await mapSku({ skuMappings }, org, { sku, platform: platform ?? null, productId: product });
  if (mapped.kind === 'invalid') throw new CommandError(`--${mapped.field} ${mapped.problem}.`);
  if (mapped.kind === 'unknown-product') {
    throw new CommandError(`--product ${product} is not a product of this organisation.`);
  }
  if (mapped.kind === 'unknown-organisation') {
    throw new CommandError(`--org ${org} is not an organisation of this installation.`);
  }
  return {
    json: { sku: mapped.mapping.sku, platform: mapped.mapping.platform, productId: product },
    lines: [
      `SKU ${sku.trim()} now stands for product ${product} on ${platform ?? 'every platform'}.`,
      'New orders follow it at once.',
    ],
  };
}
