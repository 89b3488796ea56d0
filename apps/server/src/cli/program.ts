import { Command, type CommanderError } from 'commander';
import { addAccountCommands } from './account-commands.ts';
import { addIntegrationCommands } from './integration-commands.ts';
import { addOrgCommands } from './org-commands.ts';
import { addProductCommands } from './product-commands.ts';
import type { CommandOutput, Environment } from './run-command.ts';
import { addSecretCommands } from './secret-commands.ts';
import { addSignInCommands } from './sign-in-commands.ts';
import { addSimulateCommand } from './simulate-command.ts';
import { addSkuCommands } from './sku-commands.ts';

/** All words of the command line. Each command says what happened and what to do next, or with --json just one object. */
export function buildProgram(environment: Environment, output: CommandOutput = STANDARD_OUTPUT): Command {
  const program = new Command('handover')
    .description(
      'Runs a Handover installation from the command line, beside a running server or without one.',
    )
    .option('--json', 'print one JSON object on stdout, and nothing else')
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('Add --help to see what a command takes.')
    .exitOverride((error) => endOnUsageError(error, program));
  const context = { environment, output, wantsJson: () => program.opts<{ json?: true }>().json === true };
  addOrgCommands(program, context);
  addIntegrationCommands(program, context);
  addAccountCommands(program, context);
  addProductCommands(program, context);
  addSkuCommands(program, context);
  addSecretCommands(program, context);
  addSignInCommands(program, context);
  addSimulateCommand(program, context);
  for (const command of allCommands(program)) command.copyInheritedSettings(program);
  return program;
}

const STANDARD_OUTPUT: CommandOutput = {
  out: (text) => process.stdout.write(`${text}\n`),
  err: (text) => process.stderr.write(`${text}\n`),
  fail: () => {
    process.exitCode = 1;
  },
};

function endOnUsageError(error: CommanderError, program: Command): never {
  // Commander has explained itself on stderr; whoever asked for JSON still gets an object.
  if (error.exitCode !== 0 && process.argv.includes('--json')) {
    program.configureOutput().writeOut?.(`${JSON.stringify({ error: explainUsage(error) })}\n`);
  }
  process.exit(error.exitCode);
}

/** Commander calls it an error when a command's second word is missing, and says no more than that it showed the help. */
function explainUsage({ code, message }: CommanderError): string {
  return code === 'commander.help' ? 'A word is missing. Add --help to see which there are.' : message;
}

function allCommands(command: Command): readonly Command[] {
  return command.commands.flatMap((child) => [child, ...allCommands(child)]);
}
