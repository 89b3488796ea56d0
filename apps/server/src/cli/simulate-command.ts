import { randomInt } from 'node:crypto';
import type { Platform } from '@handover/domain';
import { signedSample as signCartA } from '@handover/platform-cart-a/testing';
import { signedSample as signCheckoutA } from '@handover/platform-checkout-a/testing';
import { signedSample as signCheckoutAClassic } from '@handover/platform-checkout-a-classic/testing';
import type { SampleSale, SignedRequest } from '@handover/platform-contract/testing';
import { signedSample as signStorefrontA } from '@handover/platform-storefront-a/testing';
import { signedSample as signStorefrontB } from '@handover/platform-storefront-b/testing';
import type { Command } from 'commander';
import { Argument } from 'commander';
import type { OfferedPlatform } from '../composition.ts';
import { clock, offeredPlatforms, tokens } from '../composition.ts';
import type { CommandContext, OpenedCommand } from './run-command.ts';
import { CommandError, runCommand } from './run-command.ts';

/** `simulate`. */
export function addSimulateCommand(program: Command, context: CommandContext): void {
  program
    .command('simulate')
    .description('send a genuinely signed sample order to the running server')
    .addArgument(
      new Argument('<platform>', 'as which platform').choices(offeredPlatforms.map(({ label }) => label)),
    )
    .requiredOption('--org <id>', 'the organisation')
    .requiredOption('--sku <sku>', 'what is bought')
    .option('--email <address>', 'who buys it', 'ana@example.com')
    .option('--order <number>', 'the order’s number; the same number again is the same order')
    .action((platform: OfferedPlatform, options: SimulateOptions) =>
      runCommand(context, 'simulate', (opened) => simulate(opened, platform, options)),
    );
}

interface SimulateOptions {
  readonly org: string;
  readonly sku: string;
  readonly email: string;
  readonly order?: string;
}

/** Signers for every platform that this program can receive. */
const SIGNERS: Readonly<Record<OfferedPlatform, (secret: string, sale: SampleSale) => SignedRequest>> = {
  'storefront-a': signStorefrontA,
  'storefront-b': signStorefrontB,
  'checkout-a': signCheckoutA,
  'checkout-a-classic': signCheckoutAClassic,
  'cart-a': signCartA,
};

async function simulate(opened: OpenedCommand, platform: OfferedPlatform, options: SimulateOptions) {
  const { org, sku, email, order: orderId = String(randomInt(100_000, 1_000_000)) } = options;
  if (!/^[1-9]\d{0,15}$/.test(orderId)) throw new CommandError('--order must be a whole number.');
  const secret = await findSecret(opened, org, platform);
  const request = SIGNERS[platform](secret, { orderId, email, sku });
  const answer = await post(opened, `/webhooks/${org}/${platform}`, request);
  if (answer.status !== 200) {
    throw new CommandError(`The server answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  }
  const { settings, serverUrl } = opened.foundation;
  const mail =
    settings.isLocalTrial && settings.mail.smtpUrl === null ? `${serverUrl}/dev/mail` : `${email}’s mailbox`;
  return {
    json: { platform, orderId, status: answer.status, answer: answer.body },
    lines: [
      `Order ${orderId} for ${sku} went to ${serverUrl} as ${platform} would send it.`,
      `The server answered 200: ${JSON.stringify(answer.body)}`,
      adviseNext(answer.body, mail),
    ],
  };
}

function adviseNext(answer: unknown, mail: string): string {
  const { status } = (typeof answer === 'object' && answer !== null ? answer : {}) as {
    readonly status?: string;
  };
  if (status === 'pending' || status === 'success')
    return `Next: the receipt with the download link is in ${mail}`;
  return `Nothing was delivered: the webhook log has it as “${status}”, with the reason (GET /api/deliveries).`;
}

async function findSecret(
  { composition }: OpenedCommand,
  orgId: string,
  platform: Platform,
): Promise<string> {
  const { connections } = composition.resolve(tokens.stores);
  const found = await connections.list(orgId, platform, clock.now());
  if (found === null) throw new CommandError(`--org ${orgId} is not an organisation of this installation.`);
  const secret = found[0]?.secrets[0];
  if (secret === undefined) {
    throw new CommandError(
      `${platform} is not set up for this organisation. Set a secret first:\n` +
        `  npm run --silent handover -- integration set --org ${orgId} --platform ${platform} --secret S`,
    );
  }
  return secret;
}

async function post(
  { foundation }: OpenedCommand,
  path: string,
  { headers, body, query }: SignedRequest,
): Promise<{ readonly status: number; readonly body: unknown }> {
  const url = new URL(`${foundation.serverUrl}${path}`);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const options = { method: 'POST', headers, body: Buffer.from(body), signal: AbortSignal.timeout(30_000) };
  const response = await fetch(url, options).catch(() => null);
  if (!response) {
    throw new CommandError(
      `No server answers at ${foundation.serverUrl}. Start it with npm start, then send the order again.`,
    );
  }
  const answer = await response.text();
  return { status: response.status, body: parseIfJson(answer) };
}

function parseIfJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
