import { text } from 'node:stream/consumers';
import { PLATFORMS, SHARED_PLATFORM, setIntegrationSecret } from '@handover/domain';
import type { Command } from 'commander';
import { Option } from 'commander';
import { clock, ids, offeredPlatforms, tokens } from '../composition.ts';
import type { CommandContext, OpenedCommand } from './run-command.ts';
import { CommandError, runCommand } from './run-command.ts';

/** `integration set`. */
export function addIntegrationCommands(program: Command, context: CommandContext): void {
  program
    .command('integration')
    .description('connections to shops')
    .command('set')
    .description('set the signing secret of a connection; the one before goes on working for 24 hours')
    .requiredOption('--org <id>', 'the organisation')
    .addOption(platformOption().makeOptionMandatory())
    .addOption(
      new Option('--secret <secret>', 'the secret (it stays in your shell’s history)').conflicts(
        'secretStdin',
      ),
    )
    .option('--secret-stdin', 'read the secret from standard input')
    .option('--name <name>', 'which of several shops of this platform', 'main')
    .action((options: SetOptions) =>
      runCommand(context, 'integration set', (opened) => setSecret(opened, options)),
    );
}

/** `--platform`, limited to the platforms that this installation can receive. */
export function platformOption(): Option {
  const offered = PLATFORMS.filter((label) => offeredPlatforms.some((platform) => platform.label === label));
  return new Option('--platform <label>', 'the commerce platform').choices(offered);
}

interface SetOptions {
  readonly org: string;
  readonly platform: (typeof PLATFORMS)[number];
  readonly secret?: string;
  readonly secretStdin?: true;
  readonly name: string;
}

async function setSecret({ composition, foundation }: OpenedCommand, options: SetOptions) {
  const { org: orgId, platform, name } = options;
  if (platform === SHARED_PLATFORM) throw new CommandError(explainSharedPlatform(orgId));
  const secret = options.secretStdin ? await text(process.stdin) : options.secret;
  if (secret === undefined) throw new CommandError('Give the secret with --secret-stdin, or with --secret.');
  const { connections } = composition.resolve(tokens.stores);
  const set = await setIntegrationSecret({ clock, ids, connections }, { orgId, platform, name, secret });
  if (set.kind === 'invalid') throw new CommandError(`--${set.field} ${set.problem}.`);
  if (set.kind === 'unknown-organisation') {
    throw new CommandError(`--org ${orgId} is not an organisation of this installation.`);
  }
  const webhookUrl = `${foundation.serverUrl}/webhooks/${orgId}/${platform}`;
  const former =
    set.kind === 'replaced'
      ? [`The secret before goes on working until ${set.formerUntil.toISOString()}.`]
      : [];
  return {
    json: {
      connection: name,
      platform,
      webhookUrl,
      formerSecretUntil: set.kind === 'replaced' ? set.formerUntil.toISOString() : null,
    },
    lines: [
      `The secret of ${platform}, connection “${name}”, is set. It is kept encrypted and never shown again.`,
      ...former,
      'Next: have the shop send its order webhooks to',
      `  ${webhookUrl}`,
    ],
  };
}

function explainSharedPlatform(orgId: string): string {
  return (
    `--platform ${SHARED_PLATFORM} has no secret of an organisation’s own: all of them share one address. ` +
    'Start the server with PAYMENTS_A_SIGNING_SECRET, then say whose each account is:\n' +
    `  npm run --silent handover -- account map --org ${orgId} --account acct_…`
  );
}
