import { chooseOrganisation, type Organisation, type Stores } from '@handover/domain';
import type { Command } from 'commander';
import { formatCommand } from './command-text.ts';
import {
  type CommandContext,
  CommandError,
  type CommandResult,
  inInstallation,
  type OpenedCommand,
} from './run-command.ts';

/** The option of commands that concern one organisation. */
export const ORG = ['--org <organisation>', 'the organisation’s name or id, which org list shows'] as const;

/**
 * As `inInstallation`, for a command with `--org`. It may be a name; the work gets the id, so that the next commands that it
 * prints go on working when the organisation is renamed.
 */
export function inOrganisation<Words extends readonly unknown[]>(
  context: CommandContext,
  work: (opened: OpenedCommand, ...words: Words) => Promise<CommandResult>,
) {
  return function (this: Command, ...words: Words): Promise<void> {
    const withId = async (opened: OpenedCommand, ...given: Words) => {
      const { org } = this.opts<{ org?: string }>();
      if (org !== undefined) {
        const { id } = await findOrganisation(opened.ports, org);
        // The options among the words are the command's own.
        this.setOptionValue('org', id);
      }
      return work(opened, ...given);
    };
    return inInstallation(context, withId).call(this, ...words);
  };
}

/** The organisation that `--org` names. */
async function findOrganisation(
  { organisations }: Pick<Stores, 'organisations'>,
  text: string,
): Promise<Organisation> {
  const ofThisId = await organisations.find(text.trim());
  const ofThisName = ofThisId ? [] : await organisations.findByName(text, MAX_NAMED + 1);
  const chosen = chooseOrganisation(ofThisId, ofThisName);
  switch (chosen.kind) {
    case 'chosen':
      return chosen.organisation;
    case 'several':
      throw severalOrganisations(text, chosen.organisations);
    case 'unknown':
      throw unknownOrganisation(text);
  }
}

/** More of one name are found in the whole list. */
const MAX_NAMED = 10;

function severalOrganisations(text: string, found: readonly Organisation[]): CommandError {
  const named = found.slice(0, MAX_NAMED).map(({ id, name, email }) => `  ${id}  ${name}, ${email}`);
  const more = found.length > MAX_NAMED ? ['More are in:', formatCommand('org list')] : [];
  return new CommandError(
    [
      `--org ${text} is the name of several organisations. Give the id of the one that you mean:`,
      ...named,
      ...more,
    ].join('\n'),
  );
}

export function unknownOrganisation(text: string): CommandError {
  return new CommandError(
    `--org ${text} is not an organisation of this installation: give its name or its id. See them with:\n${formatCommand('org list')}`,
  );
}
