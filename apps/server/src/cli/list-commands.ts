import {
  type ConnectionState,
  type EvaluatedConnection,
  normalizeSku,
  type PlatformState,
  readConnectionStates,
  SHARED_PLATFORM,
  type SkuMapping,
  type SkuMappings,
  type Stores,
} from '@handover/domain';
import type { Command } from 'commander';
import { adviseConnecting, adviseFirstOrder, adviseMapping, chooseSampleShop } from './advise-next.ts';
import { formatCommand, formatOption } from './command-text.ts';
import { inOrganisation, ORG } from './in-organisation.ts';
import { addPageOptions, describeNextPage, type PageOptions, readLimit } from './read-page-options.ts';
import { type CommandContext, CommandError, type OpenedCommand } from './run-command.ts';

interface OrgOption {
  readonly org: string;
}

/** `integration list`: the connections of an organisation and how they are doing, without their secrets. */
export function addIntegrationList(integration: Command, context: CommandContext): void {
  integration
    .command('list')
    .description('list an organisation’s connections, and how they are doing')
    .requiredOption(...ORG)
    .action(inOrganisation(context, listConnections));
}

/** `sku list`: what each SKU delivers, as `sku map` and `sku ignore` said. */
export function addSkuList(sku: Command, context: CommandContext): void {
  addPageOptions(
    sku
      .command('list')
      .description('list mapped and ignored SKUs, in alphabetical order')
      .requiredOption(...ORG),
    'continue after this SKU',
  ).action(inOrganisation(context, listSkus));
}

/** `user list`: the members of an organisation. */
export function addUserList(user: Command, context: CommandContext): void {
  user
    .command('list')
    .description('list an organisation’s users, oldest first')
    .requiredOption(...ORG)
    .action(inOrganisation(context, listUsers));
}

async function listConnections({ ports, platforms }: OpenedCommand, { org }: OrgOption) {
  const states = await readConnectionStates({ ...ports, platforms }, org);
  const shown = states.filter(({ connections, rejected }) => connections.length > 0 || rejected);
  return {
    json: { platforms: shown.map(describeForProgram) },
    lines: shown.length
      ? [
          ...shown.flatMap((state) => describePlatform(platforms.vendorOf(state.platform), state)),
          ...(await adviseAfter(ports, org, shown)),
        ]
      : ['No shop is connected.', ...adviseConnecting(org)],
  };
}

/** The secrets of connections that nothing comes in over, or an order for the first that works. */
async function adviseAfter(
  stores: Pick<Stores, 'products'>,
  orgId: string,
  shown: readonly PlatformState[],
): Promise<readonly string[]> {
  const connections = shown.flatMap((platform) => platform.connections);
  const own = connections.filter(({ platform }) => platform !== SHARED_PLATFORM);
  const bare = own.filter(({ state }) => state === 'not-set-up');
  if (bare.length > 0) {
    return [
      'Next: set the secret that the shop signs with:',
      ...bare.map((connection) => formatSecretCommand('set', orgId, connection)),
    ];
  }
  const rejecting = own.filter(({ state }) => state === 'rejecting');
  if (rejecting.length > 0) {
    // Anyone can cause a rejected request: what it advises must not replace a secret that works.
    return [
      'Next: compare the secrets. Where the shop has another one, add it; those that are set go on working:',
      ...rejecting.map((connection) => formatSecretCommand('add-secret', orgId, connection)),
    ];
  }
  const shop = chooseSampleShop(connections);
  return shop ? adviseFirstOrder(stores, orgId, shop) : adviseConnecting(orgId);
}

function formatSecretCommand(
  command: 'set' | 'add-secret',
  orgId: string,
  { platform, name }: EvaluatedConnection,
): string {
  return formatCommand(
    `integration ${command} --org ${orgId} --platform ${platform} ${formatOption('name', name)}`,
  );
}

function describeForProgram({ platform, connections, rejected }: PlatformState) {
  return {
    platform,
    rejected: rejected?.kept ?? 0,
    connections: connections.map((connection) => ({
      name: connection.name,
      state: connection.state,
      secrets: connection.secretCount,
      secretSetAt: connection.secretSetAt?.toISOString() ?? null,
      formerSecretUntil: connection.formerUntil?.toISOString() ?? null,
      rules: connection.rules,
      lastDelivery: connection.lastDelivery && {
        id: connection.lastDelivery.id,
        at: connection.lastDelivery.at.toISOString(),
      },
    })),
  };
}

const STATES: Readonly<Record<ConnectionState, string>> = {
  working: 'working',
  waiting: 'set up, nothing received yet',
  quiet: 'quiet for longer than usual',
  rejecting: 'requests are rejected: check its secret',
  'not-set-up': 'has no secret',
  unmapped: 'its account is no longer mapped',
};

function describePlatform(vendor: string, { platform, connections, rejected }: PlatformState) {
  return [
    `  ${vendor} (${platform})`,
    ...connections.map(describeConnection),
    ...(rejected
      ? [`    rejected requests that are kept: ${rejected.kept}. The last one: ${rejected.lastReason}`]
      : []),
  ];
}

function describeConnection({ name, state, lastDelivery, formerUntil }: EvaluatedConnection): string {
  const last = lastDelivery === null ? '' : `, last webhook ${lastDelivery.at.toISOString()}`;
  const former = formerUntil === null ? '' : `; a replaced secret works until ${formerUntil.toISOString()}`;
  return `    ${name}: ${STATES[state]}${last}${former}`;
}

async function listSkus(opened: OpenedCommand, options: OrgOption & PageOptions) {
  const { org, after } = options;
  const { ports } = opened;
  const limit = readLimit(options);
  const { shown, next } = await readSkus(ports.skuMappings, org, limit, after);
  const slugs = await findSlugs(opened, org, shown);
  return {
    json: { skuMappings: shown, next },
    lines: [
      ...shown.map((mapping) => describeMapping(opened, mapping, slugs)),
      ...(shown.length || after ? [] : ['No SKU is mapped: orders are matched by the products’ slugs.']),
      ...describeNextPage(`sku list --org ${org}`, limit, next),
      ...(next === null ? await adviseMapping(ports, org) : []),
    ],
  };
}

/**
 * At least `limit` mappings, if there are as many: those of one SKU on several platforms stay together, because the next page
 * begins after a SKU.
 */
async function readSkus(mappings: SkuMappings, orgId: string, limit: number, after: string | undefined) {
  const start = after === undefined ? null : normalizeSku(after);
  const shown: SkuMapping[] = [];
  let reached: 'before' | 'at' | 'after' = start === null ? 'after' : 'before';
  for await (const mapping of mappings.list(orgId)) {
    if (mapping.sku === start) reached = 'at';
    else if (reached === 'at') reached = 'after';
    if (reached !== 'after') continue;
    const last = shown.at(-1);
    if (last && shown.length >= limit && last.sku !== mapping.sku) return { shown, next: last.sku };
    shown.push(mapping);
  }
  if (reached === 'before') {
    throw new CommandError(`--after ${after} is not a mapped SKU of this organisation.`);
  }
  return { shown, next: null };
}

/** The slugs of the products that are shown; the catalogue is read only until all are found. */
async function findSlugs({ ports }: OpenedCommand, orgId: string, shown: readonly SkuMapping[]) {
  const wanted = new Set(shown.flatMap(({ productId }) => productId ?? []));
  const slugs = new Map<string, string>();
  if (wanted.size === 0) return slugs;
  for await (const { product } of ports.products.list(orgId)) {
    if (wanted.has(product.id)) slugs.set(product.id, product.slug);
    if (slugs.size === wanted.size) break;
  }
  return slugs;
}

function describeMapping(
  { platforms }: OpenedCommand,
  { sku, platform, productId }: SkuMapping,
  slugs: ReadonlyMap<string, string>,
): string {
  const where = platform === null ? 'every platform' : platforms.vendorOf(platform);
  const what = productId === null ? 'ignored' : `delivers ${slugs.get(productId) ?? productId}`;
  return `  ${sku}  ${what} on ${where}`;
}

async function listUsers({ ports }: OpenedCommand, { org }: OrgOption) {
  const users = await ports.team.list(org);
  return {
    json: {
      users: users.map(({ id, email, name, role, createdAt }) => ({
        id,
        email,
        name,
        role,
        createdAt: createdAt.toISOString(),
      })),
    },
    lines: [
      ...users.map(
        ({ id, email, name, role }) => `  ${id}  ${email}, ${role}${name === null ? '' : ` (${name})`}`,
      ),
      'Next: add another, as a member, an admin or an owner:',
      formatCommand(`user create --org ${org} --email colleague@example.com --role member`),
    ],
  };
}
