import { shareInFile } from '../../../../test/undo.ts';
import { type MailServer, type Mails, startMailServer } from './mail-server.ts';
import { type Environment, type ServerProcess, startServer } from './server-process.ts';
import { makeInstallation, type OpenShop, openShop } from './shop.ts';

/** An installation with a running server and its own mail server. */
export interface Installation {
  readonly environment: Environment;
  readonly server: ServerProcess;
  readonly mailServer: MailServer;
}

/** A shop in it. */
export interface RunningShop extends Omit<Installation, 'mailServer'> {
  /** Only its mails. */
  readonly mailServer: Mails;
  readonly shop: OpenShop;
  readonly ownerEmail: string;
}

/**
 * One server for all tests of a file, since its start takes longer than most tests. Each test opens its own shop and
 * reads nothing else: its own purchases, and the mails of its own shop. A test that stops its server or changes its
 * settings starts its own.
 */
export function shareServer(settings?: Environment): () => Installation {
  return shareInFile(() => startInstallation(settings));
}

/** A server for one test, or for several, that stop it. */
export async function startInstallation(settings: Environment = {}): Promise<Installation> {
  const mailServer = await startMailServer();
  const environment = { ...(await makeInstallation(mailServer)), ...settings };
  return { mailServer, environment, server: await startServer(environment) };
}

/** A shop that no other test uses. */
export async function openOwnShop(installation: Installation, file?: Uint8Array): Promise<RunningShop> {
  const { environment, server, mailServer } = installation;
  const ownerEmail = makeOwnerEmail();
  const shop = await openShop(environment, server.url, ownerEmail, file);
  return { environment, server, shop, ownerEmail, mailServer: mailServer.of(ownerEmail) };
}

let owners = 0;

/** An address can own only one organisation. */
export function makeOwnerEmail(): string {
  owners += 1;
  return `owner-${owners}@lumen.test`;
}
