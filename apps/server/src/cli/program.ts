import { createInterface } from 'node:readline';
import { type Readable, Writable } from 'node:stream';
import { OUR_PLATFORMS, type Platforms } from '@handover/domain';
import { describePlatforms } from '@handover/platform-contract';
import { Command, CommanderError } from 'commander';
import { loadPlatforms, PlatformError } from '../composition/load-platforms.ts';
import { serve } from '../serve/serve.ts';
import { splitList } from '../settings/read-value.ts';
import { explainProblems, readSettings, type SettingProblem } from '../settings/settings.ts';
import { VERSION } from '../version.ts';
import { addAccountCommands } from './account-commands.ts';
import { addBackupCommands } from './backup-commands.ts';
import { addDatabaseCommands } from './database-commands.ts';
import { addDoctorCommand } from './doctor-command.ts';
import { addExportCommand } from './export-command.ts';
import { addImportCommand } from './import-command.ts';
import { addIntegrationCommands } from './integration-commands.ts';
import { addMigrateCommand } from './migrate-command.ts';
import { addOrgCommands } from './org-commands.ts';
import { addProductCommands } from './product-commands.ts';
import type { CommandContext, CommandOutput, Environment } from './run-command.ts';
import { addSecretCommands } from './secret-commands.ts';
import { addSignInCommands } from './sign-in-commands.ts';
import { addSimulateCommand } from './simulate-command.ts';
import { addSkuCommands } from './sku-commands.ts';

/** Runs the command with these words and reports the result: as text, or with --json as one object. */
export async function runProgram(
  environment: Environment,
  words: readonly string[],
  output: CommandOutput = STANDARD_OUTPUT,
): Promise<void> {
  try {
    // An empty item is a problem of the settings, which each command that needs them reports.
    const sources = splitList(environment.PLATFORMS ?? null).filter((source) => source !== '');
    const platforms = await loadPlatforms(sources);
    await buildProgram(environment, output, describePlatforms(platforms)).parseAsync(
      withVersionCommand(words),
      { from: 'user' },
    );
  } catch (error) {
    if (error instanceof PlatformError) {
      const explanation = explainProblems(listProblems(environment, error));
      if (words.includes('--json')) output.out(JSON.stringify({ error: explanation }));
      else output.err(explanation);
      return output.fail();
    }
    if (!(error instanceof CommanderError)) throw error;
    // Requested output, such as help.
    if (error.exitCode === 0) return;
    // Commander has printed its message on stderr; with --json, print an object as well.
    if (words.includes('--json')) output.out(JSON.stringify({ error: explainUsage(error) }));
    output.fail();
  }
}

/** Those of all settings, so that nobody corrects one after the other. */
function listProblems(environment: Environment, { problems }: PlatformError): readonly SettingProblem[] {
  const read = readSettings(environment);
  const others = 'problems' in read ? read.problems : [];
  return [...others, ...problems.map((problem) => ({ name: 'PLATFORMS', problem }))];
}

/** The whole command line; its options list these platforms. Each command prints what happened and what to do next, or with --json only one object. */
export function buildProgram(
  environment: Environment,
  output: CommandOutput = STANDARD_OUTPUT,
  platforms: Platforms = OUR_PLATFORMS,
): Command {
  const program = new Command('handover')
    .description(
      'Runs the Handover server, and everything else from the command line, beside a running server or without one.',
    )
    .option('--json', 'print one JSON object on stdout, and nothing else')
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('Add --help to see what a command takes.')
    .configureOutput({
      writeOut: (text) => output.out(withoutEnd(text)),
      writeErr: (text) => output.err(withoutEnd(text)),
    })
    // Leaves the exit to the caller.
    .exitOverride();
  const wantsJson = () => program.opts<{ json?: true }>().json === true;
  const context = { environment, output, platforms, wantsJson };
  program.command('serve').description('run the server, until it is told to stop').action(serve);
  addMigrateCommand(program, context);
  addVersionCommand(program, context);
  addExportCommand(program, context);
  addImportCommand(program, context);
  addBackupCommands(program, context);
  addDatabaseCommands(program, context);
  addDoctorCommand(program, context);
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

function addVersionCommand(program: Command, { output, wantsJson }: CommandContext): void {
  const { version, commit } = VERSION;
  const text = commit === null ? version : `${version} (${commit})`;
  program
    .command('version')
    .description('show the version, and the commit of a release; the same as --version')
    .action(() => output.out(wantsJson() ? JSON.stringify(VERSION) : text));
}

/** `--version` is not an option of the program, because those hold for all commands, and one has its own of that name. */
function withVersionCommand(words: readonly string[]): string[] {
  const isOnly = words.every((word) => ['--version', '-V', '--json'].includes(word));
  return words.map((word) => (isOnly && word !== '--json' ? 'version' : word));
}

const STANDARD_OUTPUT: CommandOutput = {
  out: (text) => process.stdout.write(`${text}\n`),
  err: (text) => process.stderr.write(`${text}\n`),
  ...(process.stdin.isTTY && process.stderr.isTTY
    ? { ask: (question) => askHidden(process.stdin, process.stderr, question) }
    : {}),
  fail: () => {
    process.exitCode = 1;
  },
};

/** If the second word of a command is missing, Commander reports an error that only says that it printed the help. */
function explainUsage({ code, message }: CommanderError): string {
  if (code === 'commander.help') return 'A word is missing. Add --help to see which there are.';
  return message.replace(/^error: /, '');
}

/** Commander ends its lines itself. */
function withoutEnd(text: string): string {
  return text.replace(/\n$/, '');
}

function allCommands(command: Command): readonly Command[] {
  return command.commands.flatMap((child) => [child, ...allCommands(child)]);
}

/** Prompts at a terminal and hides the input. Null: the prompt was cancelled. */
export function askHidden(input: Readable, output: Writable, question: string): Promise<string | null> {
  output.write(question);
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: unseen, terminal: true, historySize: 0 });
  return new Promise((resolve) => {
    lines.once('line', (line) => {
      resolve(line);
      lines.close();
    });
    // Ctrl-C, Ctrl-D and the answer close it.
    lines.once('SIGINT', () => lines.close());
    lines.once('close', () => {
      output.write('\n');
      resolve(null);
    });
  });
}
