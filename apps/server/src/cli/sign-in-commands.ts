import type { IssueSignInLinkResult } from '@handover/domain';
import { issueSignInLink } from '@handover/domain';
import type { Command } from 'commander';
import type { Composition } from '../composition/composition.ts';
import { ids } from '../composition/composition.ts';
import { formatCommand, formatOption } from './command-text.ts';
import type { CommandContext, OpenedCommand } from './run-command.ts';
import { CommandError, inInstallation } from './run-command.ts';
import { requireAddress } from './server-address.ts';

/** `sign-in-link`. */
export function addSignInCommands(program: Command, context: CommandContext): void {
  program
    .command('sign-in-link')
    .description('print a one-time sign-in link, for when mail is down')
    .requiredOption('--email <address>', 'the address of a user')
    .action(inInstallation(context, printLink));
}

async function printLink(
  { composition, infrastructure }: OpenedCommand,
  { email }: { readonly email: string },
) {
  requireAddress(infrastructure.settings);
  const issued = await makeSignInLink(composition, email);
  if (issued.kind === 'unknown-user') {
    throw new CommandError(
      [
        `--email ${email} is not a user of this installation. Add one with:`,
        formatCommand(`user create --email ${email} --org ORG --role owner`),
      ].join('\n'),
    );
  }
  return {
    json: { signInUrl: issued.url },
    lines: [
      `This link signs ${email} in, once, for 15 minutes:`,
      `  ${issued.url}`,
      'Next: open it in a browser. Afterwards, another one is printed by:',
      formatCommand(`sign-in-link ${formatOption('email', email)}`),
    ],
  };
}

export function makeSignInLink(composition: Composition, email: string): Promise<IssueSignInLinkResult> {
  const { inTransaction } = composition.resolve('stores');
  const signInTokens = composition.resolve('signInTokens');
  const clock = composition.resolve('clock');
  return issueSignInLink({ clock, ids, inTransaction, signInTokens }, email);
}
