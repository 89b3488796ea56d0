import { randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { minSecretLength, type Platform } from '@handover/domain';
import type { CommandContext, OpenedCommand } from './run-command.ts';
import { CommandError } from './run-command.ts';
import { describeAddress, explainReach } from './server-address.ts';

export interface SecretOptions {
  readonly org: string;
  readonly platform: Platform;
  readonly secret?: string;
  readonly secretStdin?: true;
  readonly generateSecret?: true;
}

/** The secret as given or generated; undefined: neither. */
export async function readSecretOption(
  { platforms }: Pick<OpenedCommand, 'platforms'>,
  options: SecretOptions,
): Promise<string | undefined> {
  const { platform, secret, secretStdin, generateSecret } = options;
  if (!generateSecret) return secretStdin ? text(process.stdin) : secret;
  if (!platforms.hasSecretInUrl(platform)) throw new CommandError(NOT_GENERATED);
  return makeSecret();
}

/**
 * Prompts for a secret that no option gives. Shops show it only beside an existing webhook, so the URL comes first.
 * Without a terminal there is no prompt.
 */
export async function askForSecret(
  { output, wantsJson }: CommandContext,
  { infrastructure, platforms }: OpenedCommand,
  { org, platform }: SecretOptions,
): Promise<string> {
  const address = describeAddress(infrastructure.settings, `/webhooks/${org}/${platform}`);
  const vendor = platforms.vendorOf(platform);
  if (!output.ask || wantsJson()) {
    const remedy = 'Give the secret with --secret-stdin, or with --secret.';
    if (platforms.hasSecretInUrl(platform))
      throw new CommandError(`${remedy} Or have one made, with --generate-secret.`);
    const where = platforms.isSecretEntered(platform)
      ? `It is the one that you enter in ${vendor} for a webhook to`
      : `${vendor} shows it beside a webhook to`;
    throw new CommandError([`${remedy} ${where}`, ...address].join('\n'));
  }
  if (platforms.hasSecretInUrl(platform)) {
    const least = minSecretLength(platform, platforms);
    const question = `${vendor} has no secret to show. Press Enter to have one made, or type one of ${least} characters or more: `;
    return (await output.ask(question)) || makeSecret();
  }
  const [first, paste] = platforms.isSecretEntered(platform)
    ? [
        `Add a webhook in ${vendor} with this address, and enter a secret of your own there:`,
        'Paste the same',
      ]
    : [`Add a webhook in ${vendor} with this address; ${vendor} then shows its signing secret:`, 'Paste the'];
  output.err([first, ...address, ...explainReach(infrastructure.settings)].join('\n'));
  const secret = await output.ask(`${paste} secret here (it stays hidden), then press Enter: `);
  if (!secret)
    throw new CommandError('No secret was given: nothing was changed. The same command asks again.');
  return secret;
}

function makeSecret(): string {
  return randomBytes(24).toString('base64url');
}

const NOT_GENERATED =
  '--generate-secret is for cart-a alone. Give the secret that the vendor shows, with --secret-stdin.';
