import type { Logger } from 'pino';
import { HANDOVER } from '../cli/command-text.ts';
import { makeSignInLink } from '../cli/sign-in-commands.ts';
import { ids } from '../composition/composition.ts';
import { type Demo, openDemo } from '../demo/open-demo.ts';
import { explainProblems, readSettings, type Settings } from '../settings/settings.ts';
import { VERSION } from '../version.ts';
import { type EndDatabase, endWithin } from './end-within.ts';
import { exitWithParent } from './exit-with-parent.ts';
import { explainStartFailure } from './explain-start-failure.ts';
import { createLog } from './log.ts';
import { type RunningServer, runServer } from './run-server.ts';

/** The server: from settings to the end of the process. */
export async function serve(): Promise<void> {
  const settings = readSettingsOrExit();
  const log = createLog();
  let stopping = false;
  let running: RunningServer | null = null;
  let endDatabase: EndDatabase | null = null;
  const stopped = new AbortController();
  const starting = runServer(settings, log, {
    onDatabase: (end) => {
      endDatabase = end;
    },
    signal: stopped.signal,
  });

  // Registered first, so that a Ctrl-C during the start leaves no database behind.
  stopOnSignals(stop, log);

  try {
    const server = await starting;
    running = server;
    logStart(server.settings, log);
    void server.databaseIsLost.then(() => {
      log.fatal(`the embedded database has ended by itself; see ${settings.dataDir}/postgres/postgres.log`);
      process.exitCode = 1;
      stop();
    });
    const { role, isLocalTrial } = server.settings;
    if (isLocalTrial && role !== 'worker' && !stopping) await greet(server);
  } catch (error) {
    // A stop gives up the start, or closes the database while the tour is printed; neither may interrupt it.
    if (stopping) return;
    console.error(explainStartFailure(error, settings) ?? error);
    if (running === null) process.exit(1);
    // Only the tour failed: the server ends in order, and its database with it.
    process.exitCode = 1;
    stop();
  }

  function stop(): void {
    if (stopping) return;
    stopping = true;
    log.info('stopping: finishing what was accepted');
    stopped.abort();
    endWithin(settings.stopTimeoutMs, {
      log,
      leftBehind: () => running?.leftBehind() ?? ['the start'],
      endDatabase: async (limits) => endDatabase?.(limits),
    });
    exitInOrder(starting, log);
  }
}

function readSettingsOrExit(): Settings {
  const read = readSettings(process.env);
  if (!('problems' in read)) return read.settings;
  console.error(explainProblems(read.problems));
  process.exit(1);
}

/** A terminal's Ctrl-C may arrive twice (from the terminal, and forwarded by npm): the second `stop` changes nothing. */
function stopOnSignals(stop: () => void, log: Logger): void {
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  // The terminal was closed. Otherwise the database would live on.
  process.on('SIGHUP', stop);
  exitWithParent(stop);
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'a fault that nothing handles; stopping');
    process.exitCode = 1;
    stop();
  });
}

function exitInOrder(starting: Promise<RunningServer>, log: Logger): void {
  starting
    .then(
      (server) => server.stop(),
      (error) => log.warn({ reason: error.message }, 'the start was given up'),
    )
    .then(() => log.info('stopped'))
    .catch((error) => {
      log.fatal({ err: error }, 'could not stop cleanly');
      process.exitCode = 1;
    })
    .finally(() => process.exit());
}

function logStart({ role, siteUrl, isLocalTrial, mail, dataDir }: Settings, log: Logger): void {
  log.info({ role, siteUrl, ...VERSION }, role === 'worker' ? 'working' : `listening at ${siteUrl}`);
  if (isLocalTrial || mail.smtpUrl !== null) return;
  log.warn(
    `there is no SMTP_URL: mails are kept in ${dataDir}/mail, and shown nowhere (/dev/mail needs a HOST on loopback and ` +
      'the embedded database)',
  );
}

async function greet(server: RunningServer): Promise<void> {
  const { resolve } = server.composition;
  const ports = {
    ...resolve('stores'),
    apiKeys: resolve('apiKeys'),
    clock: resolve('clock'),
    files: resolve('files'),
    ids,
    platforms: resolve('platforms'),
  };
  const demo = await openDemo(ports, server.settings.dataDir);
  if (demo === null) return console.log(describeStart(server.settings));
  const issued = demo.ownerEmail ? await makeSignInLink(server.composition, demo.ownerEmail) : null;
  const signInUrl = issued?.kind === 'issued' ? issued.url : null;
  console.log(describeTour(server.settings, demo, signInUrl));
}

/** Where things are, for an installation whose organisations are no demo. */
export function describeStart({ siteUrl, dataDir, mail }: Settings): string {
  const where =
    mail.smtpUrl === null ? `\n  Mails are kept here instead of sent:\n\n       ${siteUrl}/dev/mail\n` : '';
  return `
Handover runs at ${siteUrl}.

  A link that signs a user in to the dashboard:

       ${HANDOVER} sign-in-link --email EMAIL
${where}
Everything is kept in ${dataDir}. Ctrl-C stops the server and its database.
`;
}

/** The first text for a new user: where things are, and one command to try. */
export function describeTour(
  settings: Settings,
  { orgId, apiKey, sku, ownerEmail }: Demo,
  signInUrl: string | null,
): string {
  const { siteUrl, dataDir } = settings;
  const mail =
    settings.mail.smtpUrl === null ? `${siteUrl}/dev/mail` : 'in the mailbox you name with --email';
  return `
Handover runs at ${siteUrl}, with a demo shop: Lumen Audio sells Felt Piano.

  1. Send a signed order, as a shop would (in a second terminal, from this directory):

       ${HANDOVER} simulate storefront-a --org ${orgId} --sku ${sku}

  2. Read the receipt, and open its download link:

       ${mail}

  3. See the purchase through the API:

       curl -H 'Authorization: Bearer ${apiKey}' ${siteUrl}/api/purchases

  4. Open the dashboard as the shop's owner (the link works once, for 15 minutes; each start prints a new one):

       ${signInUrl ?? `${siteUrl}/dashboard`}
${ownerEmail ? `\n     A new link at any time:\n\n       ${HANDOVER} sign-in-link --email ${ownerEmail}\n` : ''}
  5. Open a shop of your own. Each command names the next one, up to its first delivered order:

       ${HANDOVER} org create --name 'Halo Audio' --owner-email you@example.com

Everything is kept in ${dataDir}. Ctrl-C stops the server and its database.
`;
}
