import {
  addIntegrationSecret,
  type InvalidInput,
  minSecretLength,
  OUR_PLATFORMS,
  type Platforms,
  SHARED_PLATFORM,
  setIntegrationSecret,
} from '@handover/domain';
import type { Command } from 'commander';
import { Option } from 'commander';
import { adviseFirstOrder, chooseSampleShop } from './advise-next.ts';
import { choosePlatform } from './choose-platform.ts';
import { formatCommand } from './command-text.ts';
import {
  describeRules,
  explainStrict,
  type RuleOptions,
  readRuleOptions,
  setRules,
} from './connection-rules.ts';
import { inOrganisation, ORG, unknownOrganisation } from './in-organisation.ts';
import { addIntegrationList } from './list-commands.ts';
import { askForSecret, readSecretOption, type SecretOptions } from './read-secret-option.ts';
import { tryRejectedAgain } from './rejected-again.ts';
import { isSharedSecretLost, replaceSharedSecret } from './replace-shared-secret.ts';
import type { CommandContext, CommandPorts, OpenedCommand } from './run-command.ts';
import { CommandError } from './run-command.ts';
import { type CommandAction, runCommandAction } from './run-command-action.ts';
import { describeAddress, explainReach, explainSetup, explainUnknownPort } from './server-address.ts';
import { wrongOption } from './wrong-option.ts';

/** `integration list`, `integration set` and `integration add-secret`. */
export function addIntegrationCommands(program: Command, context: CommandContext): void {
  const integration = program.command('integration').description('connections to shops');
  addIntegrationList(integration, context);
  const set = integration
    .command('set')
    .description(
      'set the signing secret of a connection (the former one works for another 24 hours), its rules, or both',
    );
  addWords(set, context)
    .option(
      '--strict',
      'checkout-a-classic: refuse a proof of origin that was used before, is old, or does not name its order',
    )
    .option('--no-strict', 'accept such a proof, with a note (as a new connection does)')
    .option('--ignore-test-orders', 'deliver no test orders of the platform')
    .option('--no-ignore-test-orders', 'deliver test orders like others (as a new connection does)')
    .option('--default-currency <code>', 'for orders that name no currency: a code such as EUR, or none')
    .action(
      inOrganisation(context, (opened, options: SetOptions) => setIntegration(context, opened, options)),
    );
  addWords(
    integration
      .command('add-secret')
      .description('add a secret to a connection: some accounts sign with several'),
    context,
  ).action(
    inOrganisation(context, (opened, options: ConnectionOptions) => addSecret(context, opened, options)),
  );
}

/** `--platform`, limited to the platforms that this installation can receive. */
export function platformOption({ platforms }: CommandContext): Option {
  return choosePlatform(new Option('--platform <label>', 'the commerce platform'), platforms);
}

function addWords(command: Command, context: CommandContext): Command {
  return command
    .requiredOption(...ORG)
    .addOption(platformOption(context).makeOptionMandatory())
    .addOption(
      new Option('--secret <secret>', 'the secret (it stays in your shell’s history)').conflicts(
        'secretStdin',
      ),
    )
    .option('--secret-stdin', 'read the secret from standard input')
    .addOption(
      new Option(
        '--generate-secret',
        'generate a secret, and show the webhook URL that holds it (cart-a, whose vendors show none)',
      ).conflicts(['secret', 'secretStdin']),
    )
    .option('--name <name>', 'which of several shops of this platform', 'main')
    .option('--deliver-rejected', 'deliver what was rejected within 7 days and is genuine by now');
}

interface ConnectionOptions extends SecretOptions {
  readonly name: string;
  readonly deliverRejected?: true;
}

type SetOptions = ConnectionOptions & RuleOptions;

async function setIntegration(context: CommandContext, opened: OpenedCommand, options: SetOptions) {
  if (options.platform === SHARED_PLATFORM) {
    if (await isSharedSecretLost(opened.ports)) return replaceSharedSecret(opened, options);
    throw new CommandError(explainSharedPlatform(options.org));
  }
  const rules = readRuleOptions(options);
  const given = await readSecretOption(opened, options);
  const asks = given === undefined && Object.keys(rules).length === 0;
  const secret = asks ? await askForSecret(context, opened, options) : given;
  // A refusal is thrown as an error, which rolls back what came before it.
  const { formerUntil, ruled } = await runCommandAction(
    opened,
    async (within) => ({
      formerUntil:
        secret === undefined
          ? null
          : await setSecret({ ...within, platforms: opened.platforms }, options, secret),
      ruled: await setRules(within, options, rules),
    }),
    ({ ruled }) =>
      secret === undefined && !ruled.isChanged
        ? null
        : changeOf(opened, options, [
            ...(secret === undefined ? [] : ['The secret was set.']),
            ...describeRules(rules, ruled.rules),
          ]),
  );
  const said = await concludeWith(opened, options, secret, [
    ...(secret === undefined ? [] : [explainSecret(opened, options, 'is set')]),
    ...(formerUntil ? [`The former secret also works until ${formerUntil}.`] : []),
    ...describeRules(rules, ruled.rules),
    ...(rules.strict ? explainStrict(opened, options.platform) : []),
  ]);
  return { ...said, json: { ...said.json, formerSecretUntil: formerUntil, rules: ruled.rules } };
}

async function addSecret(context: CommandContext, opened: OpenedCommand, options: ConnectionOptions) {
  const { org: orgId, platform, name } = options;
  if (platform === SHARED_PLATFORM) throw new CommandError(explainSharedPlatform(orgId));
  const secret = (await readSecretOption(opened, options)) ?? (await askForSecret(context, opened, options));
  const added = await runCommandAction(
    opened,
    (within) =>
      addIntegrationSecret({ ...within, platforms: opened.platforms }, { orgId, platform, name, secret }),
    ({ kind }) =>
      kind === 'created' || kind === 'added' ? changeOf(opened, options, ['A secret was added.']) : null,
  );
  if (added.kind === 'invalid') throw wrongSecret(added, opened.platforms.hasSecretInUrl(platform));
  if (added.kind === 'unknown-organisation') throw unknownOrganisation(orgId);
  const said = await concludeWith(opened, options, secret, [
    added.kind === 'known'
      ? `${opened.platforms.vendorOf(platform)}, connection “${name}”, has that secret already: nothing changed.`
      : explainSecret(opened, options, added.kind === 'created' ? 'is set' : 'is added to those it has'),
  ]);
  return { ...said, json: { ...said.json, added: added.kind !== 'known' } };
}

/** The end of both commands: the rejected requests that are genuine now, and the URL for the next ones. */
async function concludeWith(
  opened: OpenedCommand,
  options: ConnectionOptions,
  secret: string | undefined,
  lines: readonly string[],
) {
  const { org: orgId, platform, name: connection } = options;
  const { settings } = opened.infrastructure;
  const path = `/webhooks/${orgId}/${platform}`;
  // Where the secret is in the URL, the URL is of no use without it.
  const inUrl = opened.platforms.hasSecretInUrl(platform) && secret !== undefined;
  const whole = inUrl ? `${path}?secret=${encodeURIComponent(secret.trim())}` : path;
  // A script that passed the secret knows it, and its output may be logged.
  const told = options.generateSecret ? whole : path;
  const webhookUrl = explainUnknownPort(settings) === null ? `${settings.siteUrl}${told}` : null;
  const short = await findShortSecrets(opened, orgId);
  const rejected = await tryRejectedAgain(opened, orgId, platform, options.deliverRejected === true);
  return {
    json: {
      connection,
      platform,
      webhookUrl,
      ...(options.generateSecret && secret !== undefined ? { secret } : {}),
      ...rejected.json,
      ...short.json,
    },
    lines: [
      ...lines,
      ...rejected.lines,
      ...short.lines,
      `Have ${opened.platforms.vendorOf(platform)} send its order webhooks to`,
      ...describeAddress(settings, whole),
      ...(inUrl ? ['This URL is secret, because it holds the secret: share it with nobody else.'] : []),
      ...explainReach(settings),
      ...explainSetup(settings, platform),
      ...(await adviseSampleOrder(opened, options)),
    ],
  };
}

async function adviseSampleOrder({ ports }: OpenedCommand, { org, platform, name }: ConnectionOptions) {
  const connections = await ports.connections.listFacts(org, ports.clock.now());
  const shop = chooseSampleShop(connections, { platform, name: name.trim() });
  return adviseFirstOrder(ports, org, shop ?? { platform, connection: null });
}

function explainSharedPlatform(orgId: string): string {
  return (
    `--platform ${SHARED_PLATFORM} (${OUR_PLATFORMS.vendorOf(SHARED_PLATFORM)}) has one address and one secret for all organisations. ` +
    'The operator of the service sets it: on the dashboard, under Settings, Installation, Stripe, or as ' +
    'PAYMENTS_A_SIGNING_SECRET of the server. Then map each account to its organisation:\n' +
    formatCommand(`account map --org ${orgId} --account acct_…`)
  );
}

function changeOf(
  { platforms }: OpenedCommand,
  { org, platform, name }: ConnectionOptions,
  sentences: readonly string[],
): CommandAction {
  const summary = `${platforms.vendorOf(platform)}, “${name.trim()}”: ${sentences.join(' ')}`;
  return { orgId: org, kind: 'integration-changed', subjectId: org, summary };
}

async function setSecret(
  ports: CommandPorts & { readonly platforms: Platforms },
  options: ConnectionOptions,
  secret: string,
) {
  const { org: orgId, platform, name } = options;
  const set = await setIntegrationSecret(ports, { orgId, platform, name, secret });
  if (set.kind === 'invalid') throw wrongSecret(set, ports.platforms.hasSecretInUrl(platform));
  if (set.kind === 'unknown-organisation') throw unknownOrganisation(orgId);
  return set.kind === 'replaced' ? set.formerUntil.toISOString() : null;
}

function explainSecret(
  { platforms }: OpenedCommand,
  { platform, name }: ConnectionOptions,
  what: string,
): string {
  const shown = platforms.hasSecretInUrl(platform) ? 'shown only now, in the URL' : 'never shown again';
  return `The secret of ${platforms.vendorOf(platform)}, connection “${name}”, ${what}. It is kept encrypted and ${shown}.`;
}

/** Where a URL has the secret, this command can make one. */
function wrongSecret(invalid: InvalidInput, canGenerate: boolean): CommandError {
  const { field, problem } = invalid;
  const isLacking = canGenerate && field === 'secret';
  return wrongOption(
    isLacking ? { ...invalid, problem: `${problem}. --generate-secret makes one` } : invalid,
  );
}

/** Connections of an organisation with a secret shorter than the current minimum. */
async function findShortSecrets({ ports, platforms }: OpenedCommand, orgId: string) {
  const facts = await ports.connections.listFacts(orgId, ports.clock.now());
  const short = facts.filter(({ hasShortSecret }) => hasShortSecret);
  return {
    json: { shortSecrets: short.map(({ platform, name }) => ({ platform, connection: name })) },
    lines: short.map(
      ({ platform, name }) =>
        `The secret of ${platform}, connection “${name}”, is shorter than ${minSecretLength(platform, platforms)} characters. ` +
        'It still works, but set a longer one with integration set.',
    ),
  };
}
