import { randomInt } from 'node:crypto';
import {
  listSharedSecrets,
  normalizeSlug,
  type Platform,
  type Platforms,
  SHARED_PLATFORM,
} from '@handover/domain';
import type { Command } from 'commander';
import { Argument } from 'commander';
import { choosePlatform } from './choose-platform.ts';
import { formatCommand } from './command-text.ts';
import { describeSent } from './describe-sent.ts';
import { inOrganisation, ORG, unknownOrganisation } from './in-organisation.ts';
import type { CommandContext, OpenedCommand } from './run-command.ts';
import { CommandError } from './run-command.ts';
import { sendSigned } from './send-signed.ts';

/** `simulate`. */
export function addSimulateCommand(program: Command, context: CommandContext): void {
  program
    .command('simulate')
    .description('send a genuinely signed sample order to the running server, and show the result')
    .addArgument(choosePlatform(new Argument('<platform>', 'as which platform'), context.platforms))
    .requiredOption(...ORG)
    .option('--sku <sku>', 'what is bought (unless it is --unknown-sku)')
    .option('--email <address>', 'who buys it', 'ana@example.com')
    .option('--order <number>', 'the order’s number; the same number again is the same order')
    .option('--connection <name>', 'as which of several shops of this platform (default: the first)')
    .option('--unknown-sku', 'order something that no product is known for')
    .option('--unpaid', 'the order is placed, but still to be paid')
    .option('--redeliver', 'send it twice, byte for byte, as platforms do when in doubt')
    .action(inOrganisation(context, simulate));
}

interface SimulateOptions {
  readonly org: string;
  readonly sku?: string;
  readonly email: string;
  readonly order?: string;
  readonly connection?: string;
  readonly unknownSku?: true;
  readonly unpaid?: true;
  readonly redeliver?: true;
}

async function simulate(opened: OpenedCommand, platform: Platform, options: SimulateOptions) {
  const { org: orgId, email, unpaid = false } = options;
  const { platforms } = opened;
  const sample = opened.composition.resolve('platformWebhooks')[platform]?.sample;
  if (!sample) {
    throw new CommandError(
      `The package of ${nameOf(platforms, platform)} brings no sample order (“sample”). Buy something in the shop.`,
    );
  }
  if (unpaid && !sample.announcesUnpaid) {
    throw new CommandError(
      `${nameOf(platforms, platform)} announces an order only once it is paid, so it has no unpaid one to send. Leave --unpaid out.`,
    );
  }
  const orderId = readOrderId(options);
  const sku = readSku(options, orderId);
  const { secret, path } =
    platform === SHARED_PLATFORM
      ? await findServiceSecret(opened, options)
      : { secret: await findSecret(opened, platform, options), path: `/webhooks/${orgId}/${platform}` };
  const request = sample.sign(secret, { orderId, email, sku, orgId, unpaid });
  const sent = await sendSigned(opened, { orgId, path }, request);
  const again = options.redeliver ? await sendSigned(opened, { orgId, path }, request) : null;
  return {
    json: { platform, orderId, sku, ...sent, again },
    lines: describeSent(
      platforms,
      opened.infrastructure,
      { platform, orgId, orderId, sku, email, product: await findMeant(opened, options) },
      sent,
      again,
    ),
  };
}

/** The slug of the product that `--sku` names, or of the newest one. */
async function findMeant({ ports: { products } }: OpenedCommand, { org, sku = '' }: SimulateOptions) {
  const named = await products.findBySlug(org, normalizeSlug(sku));
  if (named) return named.slug;
  const [newest] = await products.search(org, { text: '', status: null, before: null, limit: 1 });
  return newest?.product.slug ?? null;
}

function readOrderId({ order = String(randomInt(100_000, 1_000_000)) }: SimulateOptions): string {
  if (!/^[1-9]\d{0,15}$/.test(order)) throw new CommandError('--order must be a whole number.');
  return order;
}

function readSku({ sku, unknownSku }: SimulateOptions, orderId: string): string {
  if (unknownSku) return `${sku ?? 'sample'}-unknown-${orderId}`;
  if (sku === undefined) throw new CommandError('Say what is bought: --sku, or --unknown-sku.');
  return sku;
}

/** All organisations share this URL: the order names its organisation. */
async function findServiceSecret(
  opened: OpenedCommand,
  { org: orgId, connection }: SimulateOptions,
): Promise<{ readonly secret: string; readonly path: string }> {
  const { composition, ports, infrastructure, platforms } = opened;
  if (connection !== undefined) {
    throw new CommandError(
      `${nameOf(platforms, SHARED_PLATFORM)} has no shops to choose from. Leave --connection out.`,
    );
  }
  if (infrastructure.server.paymentsA === 'set' && infrastructure.settings.paymentsASecrets.length === 0) {
    throw new CommandError(
      `The server was started with PAYMENTS_A_SIGNING_SECRET, which it tells nobody. Give this command the same.`,
    );
  }
  const [secret] = await listSharedSecrets(
    ports,
    composition.resolve('sharedSecretSettings'),
    ports.clock.now(),
  );
  if (secret !== undefined) return { secret, path: `/webhooks/${SHARED_PLATFORM}` };
  throw await notSetUp(
    opened,
    SHARED_PLATFORM,
    orgId,
    'The operator of the service sets its secret: on the dashboard, under Settings, Installation, Stripe, or as PAYMENTS_A_SIGNING_SECRET of the server.',
  );
}

async function findSecret(
  opened: OpenedCommand,
  platform: Platform,
  { org: orgId, connection: name }: SimulateOptions,
): Promise<string> {
  const { ports, platforms } = opened;
  const found = await ports.connections.list(orgId, platform, ports.clock.now());
  if (found === null) throw unknownOrganisation(orgId);
  const connection = name === undefined ? found[0] : found.find((candidate) => candidate.name === name);
  if (!connection && found.length > 0) {
    const names = found.map((candidate) => `“${candidate.name}”`).join(', ');
    throw new CommandError(
      `${nameOf(platforms, platform)} has no connection “${name}” here. It has ${names}.`,
    );
  }
  const secret = connection?.secrets[0];
  if (secret !== undefined) return secret;
  const remedy = formatCommand(`integration set --org ${orgId} --platform ${platform}`);
  throw await notSetUp(opened, platform, orgId, `Set its secret first:\n${remedy}`);
}

async function notSetUp(
  { ports, infrastructure, platforms }: OpenedCommand,
  platform: Platform,
  orgId: string,
  remedy: string,
): Promise<CommandError> {
  const facts = await ports.connections.listFacts(orgId, ports.clock.now());
  const ready = platforms
    .list()
    .filter((label) =>
      label === SHARED_PLATFORM
        ? infrastructure.server.paymentsA !== 'off'
        : facts.some((connection) => connection.platform === label),
    );
  const others =
    ready.length === 0
      ? 'No platform is set up yet.'
      : `Set up are: ${ready.map((label) => nameOf(platforms, label)).join(', ')}.`;
  return new CommandError(
    `${nameOf(platforms, platform)} is not set up for this organisation. ${others} ${remedy}`,
  );
}

/** As people know it, and as commands name it. */
function nameOf(platforms: Platforms, platform: Platform): string {
  return `${platforms.vendorOf(platform)} (${platform})`;
}
