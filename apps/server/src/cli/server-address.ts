import { isLoopbackHost } from '@handover/adapters-http';
import type { Platform } from '@handover/domain';
import { readFetchFailure } from '../composition/read-fetch-failure.ts';
import type { Settings } from '../settings/settings.ts';
import { START_COMMAND } from './command-text.ts';
import { CommandError } from './run-command.ts';

type AddressSettings = Pick<Settings, 'siteUrl' | 'databaseUrl'>;

/** The server's URL, for commands that need it. */
export function requireAddress(settings: AddressSettings): string {
  const unknown = explainUnknownPort(settings);
  if (unknown !== null) throw new CommandError(unknown);
  return settings.siteUrl;
}

/**
 * With PORT=0 the server takes a free port, which it records only beside an embedded database. Null: the URL is
 * known.
 */
export function explainUnknownPort({ siteUrl, databaseUrl }: AddressSettings): string | null {
  if (new URL(siteUrl).port !== '0') return null;
  return databaseUrl === null
    ? `No server runs in this DATA_DIR, and with PORT=0 it may take any port: start it with ${START_COMMAND}, or set PORT.`
    : 'With PORT=0 the server took any port, and DATABASE_URL does not tell which: set PORT to it, or SITE_URL to the server’s address.';
}

/**
 * Why the server's URL gave no response, and what to do, without the end of the sentence. A server that runs may still be
 * out of reach of its own machine: by its DNS, its router or its certificate.
 */
export function explainSilence(serverUrl: string, error: unknown): string {
  const { code, message } = readFetchFailure(error);
  return isLoopbackHost(new URL(serverUrl).hostname) || code === 'ECONNREFUSED'
    ? `No server answers at ${serverUrl}. Start it with ${START_COMMAND}`
    : `This machine cannot reach ${serverUrl}: ${message.replace(/\.$/, '')}. Correct its DNS, the proxy of SITE_URL or its certificate`;
}

/** The lines that name a URL of the server, or its known part. */
export function describeAddress(settings: AddressSettings, path: string): readonly string[] {
  const unknown = explainUnknownPort(settings);
  return unknown === null ? [`  ${settings.siteUrl}${path}`] : [`  ${path}`, unknown];
}

/** Printed with a webhook URL that is not reachable from the internet. */
export function explainReach({ siteUrl }: AddressSettings): readonly string[] {
  return isLoopbackHost(new URL(siteUrl).hostname)
    ? ['Only this machine reaches it. A shop on the internet needs a server with a public SITE_URL.']
    : [];
}

/** Where the events to choose in a shop are: the vendor's pages and names, which only the dashboard has. */
export function explainSetup(settings: AddressSettings, platform: Platform): readonly string[] {
  if (explainUnknownPort(settings) !== null) return [];
  return [
    `Which events to choose there, step by step: ${settings.siteUrl}/dashboard/settings/integrations/${platform}`,
  ];
}
