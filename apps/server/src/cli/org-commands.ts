import type { Role } from '@handover/domain';
import { createOrganisation, createUser, ROLES } from '@handover/domain';
import type { Command } from 'commander';
import { Option } from 'commander';
import { clock, ids, tokens } from '../composition.ts';
import type { CommandContext, OpenedCommand } from './run-command.ts';
import { CommandError, runCommand } from './run-command.ts';

/** `org create` and `user create`. */
export function addOrgCommands(program: Command, context: CommandContext): void {
  program
    .command('org')
    .description('organisations')
    .command('create')
    .description('add an organisation and its owner')
    .requiredOption('--name <name>', 'what buyers know the shop as')
    .requiredOption('--owner-email <address>', 'the owner’s address; buyers’ replies go there')
    .action((options: { name: string; ownerEmail: string }) =>
      runCommand(context, 'org create', (opened) => createOrg(opened, options)),
    );

  program
    .command('user')
    .description('users and their API keys')
    .command('create')
    .description('add a user, with an API key')
    .requiredOption('--email <address>', 'the user’s address')
    .option('--name <name>', 'the user’s name')
    .option('--org <id>', 'the organisation the user belongs to')
    .addOption(new Option('--role <role>', 'what the user may do there').choices(ROLES).default('member'))
    .action((options: UserOptions) =>
      runCommand(context, 'user create', (opened) => addUser(opened, options)),
    );
}

interface UserOptions {
  readonly email: string;
  readonly name?: string;
  readonly org?: string;
  readonly role: Role;
}

async function createOrg(opened: OpenedCommand, { name, ownerEmail }: { name: string; ownerEmail: string }) {
  const created = await createOrganisation(accessPorts(opened), { name, ownerEmail });
  if (created.kind === 'invalid') throw new CommandError(`--${created.field} ${created.problem}.`);
  if (created.kind === 'email-taken') throw new CommandError(emailTaken('--owner-email', ownerEmail));
  const { organisation, owner, apiKey } = created;
  return {
    // There is no dashboard to sign in to yet.
    json: { orgId: organisation.id, userId: owner.id, apiKey, signInUrl: null },
    lines: [
      `${organisation.name} is set up, and ${owner.email} owns it.`,
      `  organisation  ${organisation.id}`,
      `  user          ${owner.id}`,
      `  API key       ${apiKey}`,
      'Next: connect a shop with the signing secret from its admin:',
      `  npm run --silent handover -- integration set --org ${organisation.id} --platform storefront-a --secret-stdin`,
    ],
  };
}

async function addUser(opened: OpenedCommand, { email, name, org, role }: UserOptions) {
  const membership = org === undefined ? null : { orgId: org, role };
  const created = await createUser(accessPorts(opened), { email, name: name ?? null, membership });
  if (created.kind === 'invalid') throw new CommandError(`--${created.field} ${created.problem}.`);
  if (created.kind === 'email-taken') throw new CommandError(emailTaken('--email', email));
  if (created.kind === 'unknown-organisation') {
    throw new CommandError(`--org ${org} is not an organisation of this installation.`);
  }
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

function accessPorts({ composition }: OpenedCommand) {
  const { organisations, users } = composition.resolve(tokens.stores);
  return { clock, ids, organisations, users, apiKeys: composition.resolve(tokens.apiKeys) };
}

function emailTaken(option: string, email: string): string {
  return `${option} ${email} is a user already, and a user belongs to one organisation at most. Use another address.`;
}
