import type { PaymentAccounts, UnassignedDelivery } from '@handover/domain';
import { mapAccount, OUR_PLATFORMS, runUnassigned, SHARED_PLATFORM, unmapAccount } from '@handover/domain';
import type { Command } from 'commander';
import { counted, formatCommand, formatOption } from './command-text.ts';
import { inOrganisation, ORG, unknownOrganisation } from './in-organisation.ts';
import {
  addPageOptions,
  cutPage,
  describeNextPage,
  type PageOptions,
  readLimit,
} from './read-page-options.ts';
import { isSharedSecretLost } from './replace-shared-secret.ts';
import type { CommandContext, OpenedCommand } from './run-command.ts';
import { CommandError, inInstallation } from './run-command.ts';
import { type CommandAction, runCommandAction } from './run-command-action.ts';
import { describeAddress } from './server-address.ts';
import { wrongOption } from './wrong-option.ts';

/** `account map`, `account unmap`, `unassigned list` and `unassigned run`. */
export function addAccountCommands(program: Command, context: CommandContext): void {
  const account = program
    .command('account')
    .description(
      `accounts of ${SHARED_PLATFORM} (${OUR_PLATFORMS.vendorOf(SHARED_PLATFORM)}): for the operator of the service`,
    );
  account
    .command('map')
    .description('map an account to an organisation; orders that waited for it are delivered')
    .requiredOption(...ORG)
    .requiredOption('--account <account>', 'the account, such as acct_1A2b3C')
    .action(inOrganisation(context, map));
  account
    .command('unmap')
    .description('unmap an account; its orders wait from now on')
    .requiredOption('--account <account>', 'the account, such as acct_1A2b3C')
    .action(inInstallation(context, unmap));

  const unassigned = program
    .command('unassigned')
    .description(
      `orders of ${SHARED_PLATFORM} (${OUR_PLATFORMS.vendorOf(SHARED_PLATFORM)}) that belong to no organisation yet`,
    );
  addPageOptions(
    unassigned.command('list').description('list orders without an organisation, oldest first'),
  ).action(inInstallation(context, list));
  unassigned
    .command('run')
    .description('deliver the orders whose organisation is known now')
    .action(inInstallation(context, run));
}

interface UnmapOptions {
  readonly account: string;
}

interface MapOptions extends UnmapOptions {
  readonly org: string;
}

async function map(opened: OpenedCommand, { org: orgId, account }: MapOptions) {
  const { ports } = opened;
  // The mapping and its entry are one transaction. Waiting orders follow one by one, each in the webhook log.
  const accounts: PaymentAccounts = {
    ...ports.accounts,
    map: (mapping) =>
      runCommandAction(
        opened,
        (within) => within.accounts.map(mapping),
        ({ kind }) => {
          const summary = `Account ${mapping.account} of ${OUR_PLATFORMS.vendorOf(SHARED_PLATFORM)} was mapped to this organisation.`;
          return kind === 'mapped' ? changeOf(orgId, summary) : null;
        },
      ),
  };
  const mapped = await mapAccount({ ...ports, accounts }, { orgId, account });
  if (mapped.kind === 'invalid') throw wrongOption(mapped);
  if (mapped.kind === 'unknown-organisation') throw unknownOrganisation(orgId);
  if (mapped.kind === 'taken') {
    throw new CommandError(
      `--account ${account} belongs to organisation ${mapped.orgId}, and an account belongs to one organisation only.`,
    );
  }
  const already = mapped.kind === 'already-yours' ? ' already' : '';
  return {
    json: { account: mapped.account, orgId, isNew: mapped.kind === 'mapped', assigned: mapped.assigned },
    lines: [
      `Account ${mapped.account}${already} belongs to organisation ${orgId}.`,
      ...(mapped.assigned > 0
        ? [`${counted(mapped.assigned, 'order')} waited for it: ${BEING_DELIVERED}`]
        : []),
      ...(await adviseSetup(opened, orgId)),
    ],
  };
}

async function unmap(opened: OpenedCommand, { account: text }: UnmapOptions) {
  const unmapped = await runCommandAction(
    opened,
    (within) => unmapAccount(within, text),
    (done) => {
      if (done.kind !== 'unmapped') return null;
      return changeOf(
        done.orgId,
        `Account ${done.account} of ${OUR_PLATFORMS.vendorOf(SHARED_PLATFORM)} is no longer mapped to this organisation.`,
      );
    },
  );
  if (unmapped.kind === 'invalid') throw wrongOption(unmapped);
  if (unmapped.kind === 'unknown-account') {
    throw new CommandError(`--account ${text} is not mapped to an organisation: there is nothing to unmap.`);
  }
  const { account, orgId } = unmapped;
  return {
    json: { account, orgId },
    lines: [
      `Account ${account} no longer belongs to organisation ${orgId}, which keeps what it has received.`,
      'Orders of the account wait from now on, until you map it again:',
      formatCommand(`account map --org ORG --account ${account}`),
    ],
  };
}

function changeOf(orgId: string, summary: string): CommandAction {
  return { orgId, kind: 'integration-changed', subjectId: orgId, summary };
}

async function adviseSetup(opened: OpenedCommand, orgId: string): Promise<readonly string[]> {
  const { ports, infrastructure } = opened;
  const { settings, server } = infrastructure;
  const address = describeAddress(settings, `/webhooks/${SHARED_PLATFORM}`);
  if (server.paymentsA === 'set') return ['Stripe sends its events to', ...address];
  if (await isSharedSecretLost(ports)) {
    return [
      'The signing secret of Stripe was encrypted with a secret that HANDOVER_SECRET does not list any more: no server',
      'starts. Add the former secret to HANDOVER_SECRET. If nobody has it, enter the signing secret again:',
      formatCommand(`integration set --org ${orgId} --platform ${SHARED_PLATFORM} --secret-stdin`),
    ];
  }
  const set = await ports.sharedSecrets.list(ports.clock.now());
  return set.length > 0
    ? ['Stripe sends its events to', ...address]
    : [
        'Next: have Stripe send its checkout events to',
        ...address,
        'and set the signing secret that Stripe shows for that address: on the dashboard, under Settings, Installation,',
        'Stripe, or start the server with PAYMENTS_A_SIGNING_SECRET.',
      ];
}

async function list({ ports }: OpenedCommand, options: PageOptions) {
  const limit = readLimit(options);
  const found = await ports.unassigned.list({ after: options.after ?? null, limit: limit + 1 });
  const { shown, next } = cutPage(found, limit, ({ id }) => id);
  return {
    json: { unassigned: shown, next },
    lines:
      shown.length === 0
        ? [
            'No order is waiting for an organisation.',
            'Next: to deliver the orders of another Stripe account, map it to its organisation:',
            formatCommand('account map --org ORG --account ACCOUNT'),
          ]
        : [
            ...shown.map(describe),
            ...describeNextPage('unassigned list', limit, next),
            ...adviseMapping(shown),
          ],
  };
}

function describe({ id, orderId, receivedAt, problem, reason }: UnassignedDelivery): string {
  const remarks = problem === null ? [reason] : [`Error: ${problem}`, reason];
  return [`  ${id}  ${receivedAt.toISOString()}  ${orderId}`, ...remarks].join('\n    ');
}

function adviseMapping(shown: readonly UnassignedDelivery[]): readonly string[] {
  const accounts = new Set(shown.flatMap(({ account }) => (account === null ? [] : [account])));
  return [
    ...(accounts.size > 0
      ? ['Next: map each account to its organisation; that delivers the orders that wait for it:']
      : []),
    ...[...accounts].map((account) =>
      formatCommand(`account map --org ORG ${formatOption('account', account)}`),
    ),
    ...(shown.some(({ account, problem }) => account === null && problem === null)
      ? [
          'An order without an account must name its organisation in the metadata of the session, as org_id.',
          'Once that organisation exists, deliver it with:',
          formatCommand('unassigned run'),
        ]
      : []),
  ];
}

async function run({ ports }: OpenedCommand) {
  const assigned = await runUnassigned(ports);
  const waiting = await ports.unassigned.count();
  return {
    json: { assigned, waiting },
    lines: [
      assigned === 0
        ? describeNone(waiting)
        : `${counted(assigned, 'order')} of known organisations: ${BEING_DELIVERED}`,
      ...(waiting === 0
        ? []
        : [
            `${counted(waiting, 'order')} still without an organisation. See why, and what to do:`,
            formatCommand('unassigned list'),
          ]),
    ],
  };
}

function describeNone(waiting: number): string {
  return waiting === 0
    ? 'No order is without an organisation.'
    : 'No order was delivered: their organisations are still unknown.';
}

const BEING_DELIVERED = 'being delivered now, and shown in its webhook log.';
