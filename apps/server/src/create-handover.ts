import { type MountedApp, mountHttpApp } from '@handover/adapters-http';
import type { PlatformWebhook } from '@handover/platform-contract';
import type { Logger } from 'pino';
import pino from 'pino';
import { assembleHandover } from './assemble-handover.ts';
import { tokens } from './composition.ts';
import { openInfrastructure } from './open-infrastructure.ts';
import { readSettings, type Settings } from './settings.ts';

export interface HandoverOptions {
  /** Such as `postgresql://user:password@host:5432/name`. Its tables are made, and kept up to date. */
  readonly databaseUrl: string;
  /** Where product files are kept: `file:///srv/files`, or a bucket such as `s3://bucket?region=eu-central-1`. */
  readonly files: string;
  /** The mail server that takes receipts, and the address that they come from. */
  readonly mail: { readonly smtpUrl: string; readonly from: string };
  /** At least 32 characters. Of several the first is current; the others open what was sealed with them. */
  readonly secret: string | readonly string[];
  /** The address that buyers reach the plugin at. Its path ends with the prefix that the plugin is mounted at. */
  readonly siteUrl: string;
  /** Platforms of your own or of other teams, besides ours: each package exports one. */
  readonly platforms?: readonly PlatformWebhook[];
  /** Any other setting of the server, by its name: `{ MAX_FILE_SIZE: '40GB' }`. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Left out, nothing is logged. */
  readonly log?: Logger;
}

/** The whole service, to be mounted in a Fastify server of your own. */
export interface Handover {
  /** Its pages, API and webhook addresses, at a prefix or at the root, where your own routes come first. */
  readonly plugin: MountedApp['plugin'];
  /** Starts workers and maintenance: receipts go out. Not needed in a process that only answers requests. */
  start(): Promise<void>;
  /** Lets requests and jobs finish, and gives back all that was opened. It is for good. Your server's `close` calls it, too. */
  stop(): Promise<void>;
}

/** Options that cannot work, each named with what it must be. */
export class HandoverOptionsError extends Error {
  readonly code = 'handover-options';
}

/** Makes Handover, without opening anything yet: the database is opened when the plugin is loaded or `start` is called. */
export function createHandover(options: HandoverOptions): Handover {
  const settings = readOptions(options);
  const log = options.log ?? pino({ level: 'silent' });
  // DATA_DIR is not its own: what others keep there stays as it is.
  const holder = { kind: 'command', what: 'Handover' } as const;
  const handover = assembleHandover(() => openInfrastructure(settings, log, holder), log);
  const openApp = async () => ({ app: (await handover.open()).composition.resolve(tokens.app) });
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

/** The option behind each setting, so that a problem is named as its reader wrote it. */
const OPTIONS: Readonly<Record<string, string>> = {
  DATABASE_URL: 'databaseUrl',
  FILES_URL: 'files',
  SMTP_URL: 'mail.smtpUrl',
  MAIL_FROM: 'mail.from',
  HANDOVER_SECRET: 'secret',
  SITE_URL: 'siteUrl',
};

function readOptions({
  databaseUrl,
  files,
  mail,
  secret,
  siteUrl,
  platforms,
  settings,
}: HandoverOptions): Settings {
  const read = readSettings({
    ...settings,
    DATABASE_URL: databaseUrl,
    FILES_URL: files,
    SMTP_URL: mail.smtpUrl,
    MAIL_FROM: mail.from,
    HANDOVER_SECRET: [secret].flat().join(','),
    SITE_URL: siteUrl,
  });
  if ('settings' in read) {
    return { ...read.settings, platforms: [...read.settings.platforms, ...(platforms ?? [])] };
  }
  const problems = read.problems.map(({ name, problem }) => `${OPTIONS[name] ?? name} ${problem}`);
  throw new HandoverOptionsError(`createHandover: ${problems.join('; ')}.`);
}
