import { type MountedApp, mountHttpApp } from '@handover/adapters-http';
import type { PlatformWebhook } from '@handover/platform-contract';
import type { Logger } from 'pino';
import pino from 'pino';
import { assembleHandover } from './composition/assemble-handover.ts';
import { openInfrastructure } from './composition/open-infrastructure.ts';
import { readSettings, type SettingProblem, type Settings } from './settings/settings.ts';

/** What the program that mounts Handover decides. The settings of README.md that are not here have their defaults. */
export interface HandoverOptions {
  /** For example `postgresql://user:password@host:5432/name`. `migrate` makes its tables beforehand. */
  readonly databaseUrl: string;
  /** Where product files are stored: `file:///srv/files`, or a bucket such as `s3://bucket?region=eu-central-1`. */
  readonly files: string;
  /** The mail server for outgoing mail, and the sender's address. */
  readonly mail: { readonly smtpUrl: string; readonly from: string };
  /** At least 32 characters. The first of several is current; the others decrypt older values. */
  readonly secret: string | readonly string[];
  /** The public URL of the plugin. Its path ends with the prefix of the plugin. */
  readonly siteUrl: string;
  /** Platforms of your own or of other teams, besides ours: each package exports one. */
  readonly platforms?: readonly PlatformWebhook[];
  /** Any other setting of the server, by its name: `{ MAX_FILE_SIZE: '40GB' }`. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Without it, nothing is logged. */
  readonly log?: Logger;
}

/** The whole service, to mount in your own Fastify server. */
export interface Handover {
  /** Pages, API and webhook routes, under a prefix or at the root, where your own routes have precedence. */
  readonly plugin: MountedApp['plugin'];
  /** Starts workers and maintenance, so that receipts are sent. Not needed in a process that only serves requests. */
  start(): Promise<void>;
  /** Lets requests and jobs finish, and closes everything. This is final. Your server's `close` calls it as well. */
  stop(): Promise<void>;
}

/** Invalid options, each named with what it must be. */
export class HandoverOptionsError extends Error {
  override readonly name = 'HandoverOptionsError';
  readonly code = 'handover-options';
}

/** Creates Handover without opening anything: the database is opened when the plugin is loaded or `start` is called. */
export function createHandover(options: HandoverOptions): Handover {
  const settings = readOptions(options);
  const log = options.log ?? pino({ level: 'silent' });
  // The host may use DATA_DIR as well: other files in it stay unchanged.
  const holder = { kind: 'command', what: 'Handover' } as const;
  const handover = assembleHandover((signal) => openInfrastructure(settings, log, holder, { signal }), log);
  const openApp = async () => ({ app: (await handover.open()).composition.resolve('app') });
  const mounted = mountHttpApp(openApp, settings.siteUrl);
  const stop = () =>
    handover.stop([{ name: 'requests', close: () => mounted.drain(settings.stopTimeoutMs) }]);
  return {
    plugin: async (host, mount) => {
      host.addHook('onClose', stop);
      await mounted.plugin(host, mount);
    },
    start: async () => {
      await handover.start();
    },
    stop,
  };
}

/** The option of each setting, so that a problem names the option. */
const OPTIONS: Readonly<Record<string, string>> = {
  DATABASE_URL: 'databaseUrl',
  FILES_URL: 'files',
  SMTP_URL: 'mail.smtpUrl',
  MAIL_FROM: 'mail.from',
  HANDOVER_SECRET: 'secret',
  SITE_URL: 'siteUrl',
};

// A program in JavaScript can leave out what the type demands.
function readOptions(options: Partial<HandoverOptions>): Settings {
  const { databaseUrl, files, mail, secret, siteUrl, platforms, settings } = options;
  const given = {
    DATABASE_URL: databaseUrl,
    FILES_URL: files,
    SMTP_URL: mail?.smtpUrl,
    MAIL_FROM: mail?.from,
    HANDOVER_SECRET: secret === undefined ? secret : [secret].flat().join(','),
    SITE_URL: siteUrl,
  };
  const missing = Object.entries(given).filter(([, value]) => value === undefined);
  if (missing.length > 0)
    throw createOptionsError(missing.map(([name]) => ({ name, problem: 'is required' })));
  const read = readSettings({ ...settings, ...given });
  if ('problems' in read) throw createOptionsError(read.problems);
  return { ...read.settings, platforms: [...read.settings.platforms, ...(platforms ?? [])] };
}

function createOptionsError(problems: readonly SettingProblem[]): HandoverOptionsError {
  const nameOptions = (text: string) => text.replace(/[A-Z_]{5,}/g, (name) => OPTIONS[name] ?? name);
  const texts = problems.map(({ name, problem }) => nameOptions(`${name} ${problem}`));
  return new HandoverOptionsError(`createHandover: ${texts.join('; ')}.`);
}
