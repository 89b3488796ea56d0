import type { Role } from '@handover/domain';
import {
  createOrganisation,
  createUser,
  ROLES,
  readDay,
  refreshApiKey,
  setSubscription,
} from '@handover/domain';
import type { Command } from 'commander';
import { Option } from 'commander';
import { adviseAdding } from './advise-next.ts';
import { counted, formatCommand } from './command-text.ts';
import { inOrganisation, ORG, unknownOrganisation } from './in-organisation.ts';
import { addUserList } from './list-commands.ts';
import {
  addPageOptions,
  cutPage,
  describeNextPage,
  type PageOptions,
  readLimit,
} from './read-page-options.ts';
import type { CommandContext, OpenedCommand } from './run-command.ts';
import { CommandError, inInstallation } from './run-command.ts';
import { runCommandAction } from './run-command-action.ts';
import { explainUnknownPort } from './server-address.ts';
import { makeSignInLink } from './sign-in-commands.ts';
import { wrongOption } from './wrong-option.ts';

/** `org create`, `org list`, `org subscription`, `user list`, `user create` and `user refresh-key`. */
export function addOrgCommands(program: Command, context: CommandContext): void {
  const org = program.command('org').description('organisations');
  org
    .command('create')
    .description('add an organisation and its owner')
    .requiredOption('--name <name>', 'what buyers know the shop as')
    .requiredOption('--owner-email <address>', 'the owner’s address; buyers’ replies go there')
    .option('--currency <code>', 'the currency of orders that name none, such as EUR')
    .action(inInstallation(context, createOrg));

  addPageOptions(org.command('list').description('list organisations, oldest first')).action(
    inInstallation(context, listOrgs),
  );

  org
    .command('subscription')
    .description('set the end of an organisation’s subscription')
    .requiredOption(...ORG)
    .requiredOption(
      '--expires-at <time>',
      'a time such as 2027-01-31T00:00:00Z, or a day, which is included (until its end in UTC), or never',
    )
    .action(inOrganisation(context, changeSubscription));

  const user = program.command('user').description('users and their API keys');
  addUserList(user, context);
  user
    .command('refresh-key')
    .description('replace a user’s API key; the former key stops working at once')
    .requiredOption('--user <address>', 'the user’s address or id')
    .action(inInstallation(context, refreshKey));
  user
    .command('create')
    .description('add a user, with an API key')
    .requiredOption('--email <address>', 'the user’s address')
    .option('--name <name>', 'the user’s name')
    .option('--org <organisation>', 'the organisation the user belongs to: its name or id')
    .addOption(
      new Option('--role <role>', 'what the user may do there (member, if not given)').choices(ROLES),
    )
    .action(inOrganisation(context, addUser));
}

interface OrgOptions {
  readonly name: string;
  readonly ownerEmail: string;
  readonly currency?: string;
}

interface SubscriptionOptions {
  readonly org: string;
  readonly expiresAt: string;
}

interface UserOptions {
  readonly email: string;
  readonly name?: string;
  readonly org?: string;
  readonly role?: Role;
}

async function createOrg(opened: OpenedCommand, options: OrgOptions) {
  const { ownerEmail } = options;
  const apiKeys = opened.composition.resolve('apiKeys');
  const created = await runCommandAction(
    opened,
    (within) => createOrganisation({ ...within, apiKeys }, options),
    (made) => {
      if (made.kind !== 'created') return null;
      const { id, name: called } = made.organisation;
      const summary = `${called} was set up, and ${made.owner.email} owns it.`;
      return { orgId: id, kind: 'organisation-changed', subjectId: id, summary };
    },
  );
  if (created.kind === 'invalid') throw wrongOption(created);
  if (created.kind === 'email-taken') throw new CommandError(emailTaken('--owner-email', ownerEmail));
  const { organisation, owner, apiKey } = created;
  const unknownPort = explainUnknownPort(opened.infrastructure.settings);
  const issued = unknownPort === null ? await makeSignInLink(opened.composition, owner.email) : null;
  const signInUrl = issued?.kind === 'issued' ? issued.url : null;
  return {
    json: { orgId: organisation.id, userId: owner.id, apiKey, signInUrl },
    lines: [
      `${organisation.name} is set up, and ${owner.email} owns it.`,
      `  organisation  ${organisation.id}`,
      `  user          ${owner.id}`,
      `  API key       ${apiKey}`,
      ...(unknownPort === null
        ? [
            `  sign in       ${signInUrl}`,
            'The link signs the owner in to the dashboard, once, for 15 minutes.',
          ]
        : [
            unknownPort,
            'Then this prints a link that signs the owner in to the dashboard:',
            formatCommand(`sign-in-link --email ${owner.email}`),
          ]),
      ...(organisation.defaultCurrency === null
        ? ['Choose the currency of orders that name none in the dashboard, under Settings, Organisation.']
        : [`Orders that name no currency are in ${organisation.defaultCurrency}.`]),
      ...adviseAdding(organisation.id),
    ],
  };
}

async function listOrgs({ ports }: OpenedCommand, options: PageOptions) {
  const limit = readLimit(options);
  const found = await ports.organisations.list({ after: options.after ?? null, limit: limit + 1 });
  const { shown, next } = cutPage(found, limit, ({ id }) => id);
  const [first] = shown;
  return {
    json: { organisations: shown, next },
    lines: [
      ...shown.map(({ id, name, email }) => `  ${id}  ${name}, ${email}`),
      ...describeNextPage('org list', limit, next),
      ...(first
        ? ['Next: see the products of one:', formatCommand(`product list --org ${first.id}`)]
        : [
            'There is no organisation.',
            'Next: add one:',
            formatCommand("org create --name 'Halo Audio' --owner-email you@example.com"),
          ]),
    ],
  };
}

async function addUser(opened: OpenedCommand, { email, name, org, role: wanted }: UserOptions) {
  if (wanted && org === undefined)
    throw new CommandError('--role needs --org: a user has a role in an organisation.');
  const role = wanted ?? 'member';
  const membership = org === undefined ? null : { orgId: org, role };
  const apiKeys = opened.composition.resolve('apiKeys');
  const created = await runCommandAction(
    opened,
    (within) => createUser({ ...within, apiKeys }, { email, name: name ?? null, membership }),
    (made) => {
      if (made.kind !== 'created') return null;
      const summary = `${made.user.email} was added as ${role}.`;
      return { orgId: org ?? null, kind: 'team-changed', subjectId: made.user.id, summary };
    },
  );
  if (created.kind === 'invalid') throw wrongOption(created);
  if (created.kind === 'email-taken') throw new CommandError(emailTaken('--email', email));
  if (created.kind === 'unknown-organisation') throw unknownOrganisation(org ?? '');
  const { user, apiKey } = created;
  return {
    json: { userId: user.id, apiKey },
    lines: [
      membership ? `${user.email} is added as ${role}.` : `${user.email} is added, without an organisation.`,
      `  user     ${user.id}`,
      `  API key  ${apiKey}`,
      'Next: send the key in the header “Authorization: Bearer …” of API requests.',
    ],
  };
}

async function changeSubscription(opened: OpenedCommand, { org, expiresAt }: SubscriptionOptions) {
  const end = readEnd(expiresAt);
  const summary = end
    ? `The subscription lasts until ${end.toISOString()}.`
    : 'The subscription never expires.';
  const result = await runCommandAction(
    opened,
    (within) => setSubscription(within, org, end),
    ({ kind }) =>
      kind === 'set' ? { orgId: org, kind: 'organisation-changed', subjectId: org, summary } : null,
  );
  if (result.kind === 'unknown-organisation') {
    throw unknownOrganisation(org);
  }
  const released =
    result.released === 0
      ? []
      : [`${counted(result.released, 'order')} held for the subscription: being delivered now.`];
  return {
    json: { orgId: org, expiresAt: end?.toISOString() ?? null, released: result.released },
    lines: [
      summary,
      ...(end && end <= opened.ports.clock.now()
        ? ['It has expired: new orders are held, and the API answers 403.']
        : []),
      ...released,
    ],
  };
}

function readEnd(text: string): Date | null {
  if (text === 'never') return null;
  // A time without a zone would mean another moment on another machine.
  const [, day] =
    /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/.exec(text) ?? [];
  const end = new Date(text);
  if (day !== undefined && readDay(day) && !Number.isNaN(end.getTime())) {
    // People name the last day on which it still works.
    return text === day ? new Date(end.getTime() + DAY) : end;
  }
  throw new CommandError(
    '--expires-at must be a time such as 2027-01-31T00:00:00Z, or never. A day alone, such as 2027-01-31, is included.',
  );
}

const DAY = 24 * 60 * 60 * 1000;

async function refreshKey(opened: OpenedCommand, { user: text }: { readonly user: string }) {
  const apiKeys = opened.composition.resolve('apiKeys');
  const userId = text.includes('@') ? ((await opened.ports.users.find({ email: text }))?.id ?? text) : text;
  const { refreshed } = await runCommandAction(
    opened,
    async (within) => ({
      refreshed: await refreshApiKey({ ...within, apiKeys }, userId),
      user: await within.users.find({ id: userId }),
    }),
    ({ user }) => {
      if (!user) return null;
      const summary = `${user.email} has a new API key; the one before is invalid.`;
      const orgId = user.membership?.orgId ?? null;
      return { orgId, kind: 'api-key-refreshed', subjectId: user.id, summary };
    },
  );
  if (refreshed.kind === 'unknown-user') {
    throw new CommandError(
      `--user ${text} is not a user of this installation: give the address that the user signs in with.`,
    );
  }
  return {
    json: { apiKey: refreshed.apiKey },
    lines: [
      'The user has a new API key. The former key no longer works.',
      `  API key  ${refreshed.apiKey}`,
      'Next: use it wherever the former key was used.',
    ],
  };
}

function emailTaken(option: string, email: string): string {
  return `${option} ${email} is already a user, and a user belongs to one organisation at most. Use another address.`;
}
