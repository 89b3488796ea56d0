import { VENDORS } from '@handover/adapters-http';
import type { PaymentAccounts, UnassignedDelivery } from '@handover/domain';
import { mapAccount, runUnassigned, SHARED_PLATFORM, unmapAccount } from '@handover/domain';
import type { Command } from 'commander';
import { ids, tokens } from '../composition.ts';
import type { CommandContext, OpenedCommand } from './run-command.ts';
import { CommandError, runCommand } from './run-command.ts';
import { type CommandAction, runCommandAction } from './run-command-action.ts';
import { describeAddress } from './server-address.ts';

/** `account map`, `account unmap`, `unassigned list` and `unassigned run`. */
export function addAccountCommands(program: Command, context: CommandContext): void {
  const account = program
    .command('account')
    .description(`accounts of ${SHARED_PLATFORM}: for the service’s operator`);
  account
    .command('map')
    .description('say whose an account is; orders that waited for it are delivered')
    .requiredOption('--org <id>', 'the organisation')
    .requiredOption('--account <account>', 'the account, such as acct_1A2b3C')
    .action((options: MapOptions) => runCommand(context, 'account map', (opened) => map(opened, options)));
  account
    .command('unmap')
    .description('say that an account is nobody’s any more; its orders wait from now on')
    .requiredOption('--account <account>', 'the account, such as acct_1A2b3C')
    .action((options: UnmapOptions) =>
      runCommand(context, 'account unmap', (opened) => unmap(opened, options)),
    );

  const unassigned = program
    .command('unassigned')
    .description(`orders of ${SHARED_PLATFORM} that belong to no organisation yet`);
  unassigned
    .command('list')
    .description('show them, oldest first')
    .option('--limit <number>', 'how many at most, up to 1000', '100')
    .option('--after <id>', 'go on after this one')
    .action((options: ListOptions) =>
      runCommand(context, 'unassigned list', (opened) => list(opened, options)),
    );
  unassigned
    .command('run')
    .description('deliver those whose organisation is known by now')
    .action(() => runCommand(context, 'unassigned run', run));
}

interface UnmapOptions {
  readonly account: string;
}

interface MapOptions extends UnmapOptions {
  readonly org: string;
}

interface ListOptions {
  readonly limit: string;
  readonly after?: string;
}

async function map(opened: OpenedCommand, { org: orgId, account }: MapOptions) {
  const ports = portsOf(opened);
  // The mapping and its entry are one. Orders that waited follow one by one, each into the webhook log.
  const accounts: PaymentAccounts = {
    ...ports.accounts,
    map: (mapping) =>
      runCommandAction(
        opened,
        (within) => within.accounts.map(mapping),
        ({ kind }) => {
          const summary = `Account ${mapping.account} of ${VENDORS[SHARED_PLATFORM]} was mapped to this organisation.`;
          return kind === 'mapped' ? changeOf(orgId, summary) : null;
        },
      ),
  };
  const mapped = await mapAccount({ ...ports, accounts }, { orgId, account });
  if (mapped.kind === 'invalid') throw new CommandError(`--${mapped.field} ${mapped.problem}.`);
  if (mapped.kind === 'unknown-organisation') {
    throw new CommandError(`--org ${orgId} is not an organisation of this installation.`);
  }
  if (mapped.kind === 'taken') {
    throw new CommandError(
      `--account ${account} belongs to organisation ${mapped.orgId}, and an account is one organisation’s.`,
    );
  }
  const already = mapped.kind === 'already-yours' ? ' already' : '';
  return {
    json: { account: mapped.account, orgId, isNew: mapped.kind === 'mapped', assigned: mapped.assigned },
    lines: [
      `Account ${mapped.account}${already} belongs to organisation ${orgId}.`,
      ...(mapped.assigned > 0
        ? [`${countOrders(mapped.assigned)} had waited for it: ${BEING_DELIVERED}`]
        : []),
      ...adviseSetup(opened),
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
        `Account ${done.account} of ${VENDORS[SHARED_PLATFORM]} is mapped to this organisation no more.`,
      );
    },
  );
  if (unmapped.kind === 'invalid') throw new CommandError(`--${unmapped.field} ${unmapped.problem}.`);
  if (unmapped.kind === 'unknown-account') {
    throw new CommandError(`--account ${text} is mapped to no organisation: there is nothing to unmap.`);
  }
  const { account, orgId } = unmapped;
  return {
    json: { account, orgId },
    lines: [
      `Account ${account} belongs to organisation ${orgId} no longer. What it has received stays with it.`,
      'Orders of the account wait from now on, until you say whose it is:',
      `  ${HANDOVER} account map --org ORG --account ${account}`,
    ],
  };
}

function changeOf(orgId: string, summary: string): CommandAction {
  return { orgId, kind: 'integration-changed', subjectId: orgId, summary };
}

function adviseSetup({ infrastructure: { settings } }: OpenedCommand): readonly string[] {
  const address = describeAddress(settings, `/webhooks/${SHARED_PLATFORM}`);
  return settings.paymentsASecrets.length > 0
    ? ['Its events come in at', ...address]
    : [
        'Next: have the platform send its checkout events to',
        ...address,
        'and start the server with PAYMENTS_A_SIGNING_SECRET, the secret that the platform shows for that address.',
      ];
}

async function list({ composition }: OpenedCommand, { limit: text, after }: ListOptions) {
  const limit = Number(text);
  if (!/^\d+$/.test(text) || limit < 1 || limit > 1000) {
    throw new CommandError('--limit must be a whole number from 1 to 1000.');
  }
  const { unassigned } = composition.resolve(tokens.stores);
  // One more tells whether there is more.
  const found = await unassigned.list({ after: after ?? null, limit: limit + 1 });
  const shown = found.slice(0, limit);
  const next = found.length > limit ? (shown.at(-1)?.id ?? null) : null;
  const more =
    next === null ? [] : ['There are more. See them with:', `  ${HANDOVER} unassigned list --after ${next}`];
  return {
    json: { unassigned: shown, next },
    lines:
      shown.length === 0
        ? ['No order waits for an organisation.']
        : [...shown.map(describe), ...more, ...adviseMapping(shown)],
  };
}

function describe({ id, orderId, receivedAt, problem, reason }: UnassignedDelivery): string {
  const remarks = problem === null ? [reason] : [`Error: ${problem}`, reason];
  return [`  ${id}  ${receivedAt.toISOString()}  ${orderId}`, ...remarks].join('\n    ');
}

function adviseMapping(shown: readonly UnassignedDelivery[]): readonly string[] {
  const accounts = new Set(shown.flatMap(({ account }) => (account === null ? [] : [account])));
  return [
    ...(accounts.size > 0 ? ['Next: say whose each account is; that delivers what waits for it:'] : []),
    ...[...accounts].map((account) => `  ${HANDOVER} account map --org ORG --account ${account}`),
    ...(shown.some(({ account, problem }) => account === null && problem === null)
      ? [
          'What names no account must name its organisation in the metadata of the session, as org_id.',
          'Once that organisation exists, deliver it with:',
          `  ${HANDOVER} unassigned run`,
        ]
      : []),
  ];
}

async function run(opened: OpenedCommand) {
  const assigned = await runUnassigned(portsOf(opened));
  const waiting = await opened.composition.resolve(tokens.stores).unassigned.count();
  const left = waiting === 1 ? '1 order still belongs to nobody' : `${waiting} orders still belong to nobody`;
  return {
    json: { assigned, waiting },
    lines: [
      assigned === 0
        ? 'No order has found its organisation since.'
        : `${countOrders(assigned)} found an organisation: ${BEING_DELIVERED}`,
      ...(waiting === 0 ? [] : [`${left}. See why, and what to do:`, `  ${HANDOVER} unassigned list`]),
    ],
  };
}

const HANDOVER = 'npm run --silent handover --';
const BEING_DELIVERED = 'being delivered now, and shown in its webhook log.';

function countOrders(count: number): string {
  return count === 1 ? '1 order' : `${count} orders`;
}

function portsOf({ composition }: OpenedCommand) {
  return { ...composition.resolve(tokens.stores), clock: composition.resolve(tokens.clock), ids };
}
