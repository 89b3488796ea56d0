import type { Clock, Ids, Platforms, Stores } from '@handover/domain';
import type { Command } from 'commander';
import pino from 'pino';
import type { Composition } from '../composition/composition.ts';
import { compose, ids } from '../composition/composition.ts';
import { type OpenedDatabase, openDatabaseOf } from '../composition/open-database-of.ts';
import type { OpenedInfrastructure } from '../composition/open-infrastructure.ts';
import { openInfrastructure } from '../composition/open-infrastructure.ts';
import { explainStartFailure } from '../serve/explain-start-failure.ts';
import { explainProblems, readSettings, type Settings } from '../settings/settings.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface CommandOutput {
  out(text: string): void;
  err(text: string): void;
  /** Prompts at the terminal without showing the answer. Absent if there is no terminal. */
  readonly ask?: (question: string) => Promise<string | null>;
  /** Only tests set it: see createSealing. */
  readonly passphraseWork?: number;
  fail(): void;
}

export interface CommandContext {
  readonly environment: Environment;
  readonly output: CommandOutput;
  readonly platforms: Platforms;
  wantsJson(): boolean;
}

/** The result of a command: one object for programs, lines for people. */
export interface CommandResult {
  readonly json: Readonly<Record<string, unknown>>;
  readonly lines: readonly string[];
}

/** A command that cannot run; the message says why and what to do. */
export class CommandError extends Error {
  readonly code = 'command-error';
}

export type CommandPorts = Stores & { readonly clock: Clock; readonly ids: Ids };

/** The opened installation, as commands use it. */
export interface OpenedCommand {
  readonly composition: Composition;
  readonly ports: CommandPorts;
  readonly infrastructure: OpenedInfrastructure;
  readonly platforms: Platforms;
}

export interface DatabaseOfCommand extends Omit<OpenedDatabase, 'close'> {
  readonly settings: Settings;
}

/** The action of a command: opens the installation, does the work with the command's words, and prints the result. */
export function inInstallation<Words extends readonly unknown[]>(
  context: CommandContext,
  work: (opened: OpenedCommand, ...words: Words) => Promise<CommandResult>,
) {
  return function (this: Command, ...words: Words): Promise<void> {
    return runCommand(context, nameOf(this), (opened) => work(opened, ...words));
  };
}

/** As it is typed: `org create`. */
function nameOf(command: Command): string {
  const { parent } = command;
  return parent?.parent ? `${nameOf(parent)} ${command.name()}` : command.name();
}

/** Opens the installation, does the work, prints the result, and closes everything. */
export function runCommand(
  context: CommandContext,
  what: string,
  work: (opened: OpenedCommand) => Promise<CommandResult>,
): Promise<void> {
  return printResult(context, () => workInside(context, what, work));
}

/** The same with the database alone, whatever tables it has. */
export function runDatabaseCommand(
  context: CommandContext,
  what: string,
  work: (database: DatabaseOfCommand) => Promise<CommandResult>,
): Promise<void> {
  return printResult(context, async () => {
    const settings = readEnvironment(context);
    const holder = { kind: 'command', what: `handover ${what}` } as const;
    const { close, ...database } = await explained(settings, () =>
      openDatabaseOf(settings, createOpeningLog(context.output), holder),
    );
    try {
      return await explained(settings, () => work({ ...database, settings }));
    } finally {
      await close();
    }
  });
}

/** Prints the result of work that opens nothing of the installation, or says why there is none. */
export async function printResult(
  context: CommandContext,
  work: () => Promise<CommandResult>,
): Promise<void> {
  try {
    const { json, lines } = await work();
    context.output.out(context.wantsJson() ? JSON.stringify(json) : lines.join('\n'));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (context.wantsJson()) context.output.out(JSON.stringify({ error: message }));
    else context.output.err(message);
    context.output.fail();
  }
}

export function readEnvironment({ environment }: CommandContext): Settings {
  const read = readSettings(environment);
  if ('problems' in read) throw new CommandError(explainProblems(read.problems));
  return read.settings;
}

/** Lines for the person who waits, and who may have mistyped DATA_DIR: a database is made where there is none. */
function createOpeningLog(output: CommandOutput) {
  const write = (line: string) => {
    const { msg, reason }: { msg: string; reason?: string } = JSON.parse(line);
    output.err(reason === undefined ? msg : `${reason} (${msg})`);
  };
  return pino({ level: 'info' }, { write });
}

/** A failure names the setting to fix, as that of the server does. */
async function explained<Result>(settings: Settings, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const explanation = explainStartFailure(error, settings);
    throw explanation === null ? error : new CommandError(explanation);
  }
}

async function workInside(
  context: CommandContext,
  what: string,
  work: (opened: OpenedCommand) => Promise<CommandResult>,
): Promise<CommandResult> {
  const log = pino({ level: 'silent' });
  const settings = readEnvironment(context);
  const holder = { kind: 'command', what: `handover ${what}` } as const;
  const openingLog = createOpeningLog(context.output);
  const infrastructure = await explained(settings, () => openInfrastructure(settings, openingLog, holder));
  const composition = compose({ ...infrastructure, log });
  try {
    const ports = { ...composition.resolve('stores'), clock: composition.resolve('clock'), ids };
    return await work({ composition, ports, infrastructure, platforms: composition.resolve('platforms') });
  } finally {
    // A command that queued jobs has opened connections for the queue as well.
    await composition.resolve('jobs').stop();
    await composition.resolve('database').close();
    await infrastructure.close();
  }
}
