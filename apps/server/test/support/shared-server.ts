import { shareInFile } from '../../../../test/undo.ts';
import { type MailServer, type Mails, startMailServer } from './mail-server.ts';
import { type Environment, type ServerProcess, startServer } from './server-process.ts';
import { makeInstallation, type OpenShop, openShop } from './shop.ts';

/** An installation with its server running, and a mail server of its own. */
export interface Installation {
  readonly environment: Environment;
  readonly server: ServerProcess;
  readonly mailServer: MailServer;
}

/** A shop in it. */
export interface RunningShop extends Omit<Installation, 'mailServer'> {
  /** Its mails alone. */
  readonly mailServer: Mails;
  readonly shop: OpenShop;
  readonly ownerEmail: string;
}

/**
 * One server for all tests of the file that calls this, since starting one takes longer than most of them do. Each opens
 * a shop of its own there and looks at nothing else: at its own purchases, and at mails of its own shop. A test that
 * stops its server or gives it other settings starts one of its own.
 */
export function shareServer(settings?: Environment): () => Installation {
  return shareInFile(() => startInstallation(settings));
}

/** One for a test, or some, that stop the server. */
export async function startInstallation(settings: Environment = {}): Promise<Installation> {
  const mailServer = await startMailServer();
  const environment = { ...(await makeInstallation(mailServer)), ...settings };
  return { mailServer, environment, server: await startServer(environment) };
}

/** A shop that no other test knows. */
export async function openOwnShop(installation: Installation, file?: Uint8Array): Promise<RunningShop> {
  const { environment, server, mailServer } = installation;
  const ownerEmail = makeOwnerEmail();
  const shop = await openShop(environment, server.url, ownerEmail, file);
  return { environment, server, shop, ownerEmail, mailServer: mailServer.of(ownerEmail) };
}

let owners = 0;

/** An address owns one organisation. */
export function makeOwnerEmail(): string {
  owners += 1;
  return `owner-${owners}@lumen.test`;
}
