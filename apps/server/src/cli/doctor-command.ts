import type { CheckArea, CheckResult } from '@handover/adapters-http';
import { readEmail } from '@handover/domain';
import { type Command, InvalidArgumentError } from 'commander';
import pino from 'pino';
import { openDatabaseOf } from '../composition/open-database-of.ts';
import { evaluateFindings } from '../doctor/evaluate-findings.ts';
import { type ExamineOptions, examineInstallation } from '../doctor/examine-installation.ts';
import { readSettings } from '../settings/settings.ts';
import type { CommandContext } from './run-command.ts';

/** `doctor`: what works, and what to fix. */
export function addDoctorCommand(program: Command, context: CommandContext): void {
  program
    .command('doctor')
    .description('check settings, database, mail, files, DNS, clock and address, and say what to fix')
    .option('--mail-to <email>', 'send a test mail there', checkEmail)
    .option('--dkim-selector <selector>', 'where the DKIM key of the sender’s domain is')
    .action(
      ({ mailTo = null, dkimSelector = null }: Partial<Pick<ExamineOptions, 'mailTo' | 'dkimSelector'>>) =>
        runDoctor(context, { mailTo, dkimSelector }),
    );
}

async function runDoctor({ environment, output, wantsJson }: CommandContext, options: ExamineOptions) {
  const checks = await check(environment, options);
  const status = worstOf(checks);
  output.out(wantsJson() ? JSON.stringify({ status, checks }) : describe(checks, status).join('\n'));
  if (status === 'problem') output.fail();
}

async function check(
  environment: CommandContext['environment'],
  options: ExamineOptions,
): Promise<readonly CheckResult[]> {
  const read = readSettings(environment);
  if ('problems' in read) {
    const unknown = {
      exposure: null,
      database: null,
      mail: null,
      files: null,
      dns: null,
      site: null,
      secrets: null,
    };
    return evaluateFindings({ ...unknown, settings: read.problems });
  }
  const { settings } = read;
  const holder = { kind: 'command', what: 'handover doctor' } as const;
  const opening = openDatabaseOf(settings, pino({ level: 'silent' }), holder);
  // With PORT=0 only the running server knows its address.
  const siteUrl = await opening.then((opened) => opened.siteUrl).catch(() => settings.siteUrl);
  const openDatabase = async () => (await opening).databaseUrl;
  try {
    return evaluateFindings(await examineInstallation({ ...settings, siteUrl }, openDatabase, options));
  } finally {
    await opening.then((opened) => opened.close()).catch(() => undefined);
  }
}

function checkEmail(text: string): string {
  const email = readEmail(text);
  if (email === null) throw new InvalidArgumentError('It must be an e-mail address.');
  return email;
}

function worstOf(checks: readonly CheckResult[]): CheckResult['state'] {
  const states = checks.map(({ state }) => state);
  if (states.includes('problem')) return 'problem';
  return states.includes('warning') ? 'warning' : 'good';
}

const AREAS: Readonly<Record<CheckArea, string>> = {
  settings: 'Settings',
  database: 'Database',
  mail: 'Mail',
  files: 'Files',
  dns: 'DNS',
  clock: 'Clock',
  site: 'Address',
};

const MARKS: Readonly<Record<CheckResult['state'], string>> = { good: 'ok', warning: 'warn', problem: 'FIX' };

const ENDS: Readonly<Record<CheckResult['state'], string>> = {
  good: 'All is well.',
  warning: 'It works. The warnings above say what could be better.',
  problem: 'Something must be fixed: see FIX above.',
};

function describe(checks: readonly CheckResult[], status: CheckResult['state']): readonly string[] {
  const lines = checks.flatMap(({ area, state, finding, fix }) => [
    `${MARKS[state].padEnd(5)}${AREAS[area].padEnd(10)}${finding}`,
    ...(fix === null ? [] : [`${' '.repeat(15)}→ ${fix}`]),
  ]);
  return [...lines, '', ENDS[status]];
}
