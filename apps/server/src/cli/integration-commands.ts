import { randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { VENDORS } from '@handover/adapters-http';
import {
  addIntegrationSecret,
  type ConnectionRules,
  type InvalidInput,
  PLATFORMS,
  readRules,
  SHARED_PLATFORM,
  setConnectionRules,
  setIntegrationSecret,
} from '@handover/domain';
import type { Command } from 'commander';
import { Option } from 'commander';
import { offeredPlatforms } from '../composition.ts';
import { findShortSecrets } from './find-short-secrets.ts';
import { tryRejectedAgain } from './rejected-again.ts';
import type { CommandContext, OpenedCommand } from './run-command.ts';
import { CommandError, runCommand } from './run-command.ts';
import { type CommandAction, type CommandPorts, runCommandAction } from './run-command-action.ts';
import { describeAddress, explainUnknownPort } from './server-address.ts';

/** `integration set` and `integration add-secret`. */
export function addIntegrationCommands(program: Command, context: CommandContext): void {
  const integration = program.command('integration').description('connections to shops');
  const set = integration
    .command('set')
    .description(
      'set the signing secret of a connection (the one before goes on working for 24 hours), its rules, or both',
    );
  addWords(set)
    .option(
      '--strict',
      'refuse what would be taken with a note: a reused proof of origin (checkout-a-classic)',
    )
    .option('--no-strict', 'take it with a note, as usual')
    .option('--ignore-test-orders', 'deliver no test orders of the platform')
    .option('--no-ignore-test-orders', 'deliver them like others, as usual')
    .option('--default-currency <code>', 'for orders that name no currency: a code such as EUR, or none')
    .action((options: SetOptions) =>
      runCommand(context, 'integration set', (opened) => setIntegration(opened, options)),
    );
  addWords(
    integration
      .command('add-secret')
      .description('give a connection one more secret: some accounts sign with several'),
  ).action((options: SecretOptions) =>
    runCommand(context, 'integration add-secret', (opened) => addSecret(opened, options)),
  );
}

/** `--platform`, limited to the platforms that this installation can receive. */
export function platformOption(): Option {
  const offered = PLATFORMS.filter((label) => offeredPlatforms.some((platform) => platform.label === label));
  return new Option('--platform <label>', 'the commerce platform').choices(offered);
}

function addWords(command: Command): Command {
  return command
    .requiredOption('--org <id>', 'the organisation')
    .addOption(platformOption().makeOptionMandatory())
    .addOption(
      new Option('--secret <secret>', 'the secret (it stays in your shell’s history)').conflicts(
        'secretStdin',
      ),
    )
    .option('--secret-stdin', 'read the secret from standard input')
    .addOption(
      new Option(
        '--generate-secret',
        'make a secret, and show the webhook URL that holds it (cart-a, whose vendors have none to give)',
      ).conflicts(['secret', 'secretStdin']),
    )
    .option('--name <name>', 'which of several shops of this platform', 'main')
    .option('--deliver-rejected', 'deliver what was rejected within 7 days and is genuine by now');
}

interface SecretOptions {
  readonly org: string;
  readonly platform: (typeof PLATFORMS)[number];
  readonly secret?: string;
  readonly secretStdin?: true;
  readonly generateSecret?: true;
  readonly name: string;
  readonly deliverRejected?: true;
}

interface SetOptions extends SecretOptions {
  readonly strict?: boolean;
  readonly ignoreTestOrders?: boolean;
  readonly defaultCurrency?: string;
}

async function setIntegration(opened: OpenedCommand, options: SetOptions) {
  if (options.platform === SHARED_PLATFORM) throw new CommandError(explainSharedPlatform(options.org));
  const rules = readRuleOptions(options);
  const secret = await readSecretOption(options);
  if (secret === undefined && Object.keys(rules).length === 0) throw new CommandError(NO_SECRET);
  // A refusal on the way is an error, which undoes what came before it.
  const { formerUntil, connectionRules } = await runCommandAction(
    opened,
    async (within) => ({
      formerUntil: secret === undefined ? null : await setSecret(within, options, secret),
      connectionRules: await setRules(within, options, rules),
    }),
    ({ connectionRules: now }) =>
      changeOf(options, [
        ...(secret === undefined ? [] : ['The secret was set.']),
        ...Object.keys(rules).map((rule) => RULES[rule as keyof ConnectionRules](now)),
      ]),
  );
  const said = await concludeWith(opened, options, secret, [
    ...(secret === undefined ? [] : [explainSecret(options, 'is set')]),
    ...(formerUntil ? [`The secret before goes on working until ${formerUntil}.`] : []),
    ...Object.keys(rules).map((rule) => RULES[rule as keyof ConnectionRules](connectionRules)),
  ]);
  return { ...said, json: { ...said.json, formerSecretUntil: formerUntil, rules: connectionRules } };
}

async function addSecret(opened: OpenedCommand, options: SecretOptions) {
  const { org: orgId, platform, name } = options;
  if (platform === SHARED_PLATFORM) throw new CommandError(explainSharedPlatform(orgId));
  const secret = await readSecretOption(options);
  if (secret === undefined) throw new CommandError(NO_SECRET);
  const added = await runCommandAction(
    opened,
    (within) => addIntegrationSecret(within, { orgId, platform, name, secret }),
    ({ kind }) =>
      kind === 'created' || kind === 'added' ? changeOf(options, ['A secret was added.']) : null,
  );
  if (added.kind === 'invalid') throw asCommandError(added);
  if (added.kind === 'unknown-organisation') throw unknownOrganisation(orgId);
  const said = await concludeWith(opened, options, secret, [
    added.kind === 'known'
      ? `${platform}, connection “${name}”, has that secret already: nothing changed.`
      : explainSecret(options, added.kind === 'created' ? 'is set' : 'is added to those it has'),
  ]);
  return { ...said, json: { ...said.json, added: added.kind !== 'known' } };
}

/** What both commands end with: the rejected requests that are genuine by now, and where the shop sends the next. */
async function concludeWith(
  opened: OpenedCommand,
  options: SecretOptions,
  secret: string | undefined,
  lines: readonly string[],
) {
  const { org: orgId, platform, name: connection } = options;
  const { settings } = opened.infrastructure;
  const generated = options.generateSecret && secret !== undefined ? secret : null;
  const path = `/webhooks/${orgId}/${platform}${generated === null ? '' : `?secret=${generated}`}`;
  const webhookUrl = explainUnknownPort(settings) === null ? `${settings.siteUrl}${path}` : null;
  const short = await findShortSecrets(opened, orgId);
  const rejected = await tryRejectedAgain(opened, orgId, platform, options.deliverRejected === true);
  return {
    json: {
      connection,
      platform,
      webhookUrl,
      ...(generated === null ? {} : { secret: generated }),
      ...rejected.json,
      ...short.json,
    },
    lines: [
      ...lines,
      ...rejected.lines,
      ...short.lines,
      'Next: have the shop send its order webhooks to',
      ...describeAddress(settings, path),
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

function changeOf({ org, platform, name }: SecretOptions, sentences: readonly string[]): CommandAction {
  const summary = `${VENDORS[platform]}, “${name.trim()}”: ${sentences.join(' ')}`;
  return { orgId: org, kind: 'integration-changed', subjectId: org, summary };
}

async function setSecret(ports: CommandPorts, options: SecretOptions, secret: string) {
  const { org: orgId, platform, name } = options;
  const set = await setIntegrationSecret(ports, { orgId, platform, name, secret });
  if (set.kind === 'invalid') throw asCommandError(set);
  if (set.kind === 'unknown-organisation') throw unknownOrganisation(orgId);
  return set.kind === 'replaced' ? set.formerUntil.toISOString() : null;
}

/** Changes none where none is given, and answers with all of them. */
async function setRules(ports: CommandPorts, options: SetOptions, rules: Partial<ConnectionRules>) {
  const { org: orgId, platform, name } = options;
  const set = await setConnectionRules(ports, { orgId, platform, name, rules });
  if (set.kind === 'invalid') throw asCommandError(set);
  if (set.kind === 'set') return set.rules;
  throw new CommandError(
    `--org ${orgId} has no connection “${name}” of ${platform}. Set its secret first, with --secret-stdin.`,
  );
}

/** Checked before anything is changed, so that a command does all of what it says, or nothing. */
function readRuleOptions({
  strict,
  ignoreTestOrders,
  defaultCurrency,
}: SetOptions): Partial<ConnectionRules> {
  const rules = readRules({
    ...(strict === undefined ? {} : { strict }),
    ...(ignoreTestOrders === undefined ? {} : { ignoreTestOrders }),
    ...(defaultCurrency === undefined
      ? {}
      : { defaultCurrency: defaultCurrency === 'none' ? null : defaultCurrency }),
  });
  if ('kind' in rules) throw asCommandError(rules);
  return rules;
}

async function readSecretOption(options: SecretOptions): Promise<string | undefined> {
  const { platform, secret, secretStdin, generateSecret } = options;
  if (!generateSecret) return secretStdin ? text(process.stdin) : secret;
  if (platform !== 'cart-a') throw new CommandError(NOT_GENERATED);
  return randomBytes(24).toString('base64url');
}

const NOT_GENERATED =
  '--generate-secret is for cart-a alone. Give the secret that the vendor shows, with --secret-stdin.';

const NO_SECRET = 'Give the secret with --secret-stdin, or with --secret.';

/** Each rule as a sentence. */
const RULES: { readonly [Rule in keyof ConnectionRules]: (rules: ConnectionRules) => string } = {
  strict: ({ strict }) =>
    strict
      ? 'The connection is strict: a proof of origin that was used before is refused.'
      : 'The connection is not strict: a proof of origin that was used before is taken, with a note.',
  ignoreTestOrders: ({ ignoreTestOrders }) =>
    ignoreTestOrders ? 'Test orders are ignored.' : 'Test orders are delivered like others.',
  defaultCurrency: ({ defaultCurrency }) =>
    defaultCurrency === null
      ? 'Orders that name no currency are in the organisation’s default.'
      : `Orders that name no currency are in ${defaultCurrency}.`,
};

function explainSecret({ platform, name }: SecretOptions, what: string): string {
  return `The secret of ${platform}, connection “${name}”, ${what}. It is kept encrypted and never shown again.`;
}

/** Named by the option rather than by the field. */
function asCommandError({ field, problem }: InvalidInput): CommandError {
  return new CommandError(`--${field === 'defaultCurrency' ? 'default-currency' : field} ${problem}.`);
}

function unknownOrganisation(orgId: string): CommandError {
  return new CommandError(`--org ${orgId} is not an organisation of this installation.`);
}
