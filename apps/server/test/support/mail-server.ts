import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { undoLater } from '../../../../test/undo.ts';

export interface Mails {
  readonly mails: readonly Email[];
  /** Resolves once this many mails have arrived in total. */
  waitForMails(count: number): Promise<readonly Email[]>;
}

export interface MailServer extends Mails {
  readonly url: string;
  /** Only the mails to this address, and the replies to them: the mails of one shop. */
  of(address: string): Mails;
  /** Addresses without a mailbox: mail to them is refused permanently. */
  readonly unknown: Set<string>;
  /** Called before a recipient is accepted; delaying it delays the sender before it sends its mail. */
  beforeRecipient: () => Promise<void> | void;
  /** Called before each mail is accepted; delaying it delays the sender. */
  beforeAccepting: (mail: Email) => Promise<void> | void;
  stop(): Promise<void>;
  /** Restarts on the same port. */
  start(): Promise<void>;
}

/** The receipts and link mails of buyers; alerts go to the shop. */
export function receiptsAmong(mails: readonly Email[]): readonly Email[] {
  return mails.filter(({ messageId }) => messageId?.startsWith('<receipt-'));
}

/** A real SMTP server, on a port of its own if none is given, which stores the mails. */
export async function startMailServer(givenPort = 0): Promise<MailServer> {
  const mails: Email[] = [];
  const unknown = new Set<string>();
  const waiting = new Set<() => void>();
  let port = givenPort;
  let smtp: SMTPServer | null = null;
  const self: MailServer = {
    get url() {
      return `smtp://127.0.0.1:${port}`;
    },
    mails,
    waitForMails: select(() => mails, waiting).waitForMails,
    of: (address) => select(() => mails.filter((mail) => namesAddress(mail, address)), waiting),
    unknown,
    beforeRecipient: () => {},
    beforeAccepting: () => {},
    stop: async () => {
      const stopping = smtp;
      smtp = null;
      if (stopping) await new Promise<void>((resolve) => stopping.close(resolve));
    },
    start: async () => {
      smtp = new SMTPServer({
        authOptional: true,
        disabledCommands: ['STARTTLS', 'AUTH'],
        closeTimeout: 100,
        logger: false,
        onRcptTo: ({ address }, _session, done) => {
          void Promise.resolve(self.beforeRecipient()).then(() =>
            done(
              unknown.has(address)
                ? Object.assign(new Error('No such mailbox'), { responseCode: 550 })
                : null,
            ),
          );
        },
        onData: (stream, _session, done) => {
          void buffer(stream).then(async (bytes) => {
            const mail = await PostalMime.parse(bytes);
            await self.beforeAccepting(mail);
            mails.push(mail);
            done();
            for (const look of waiting) look();
            // A mail that its sender cancelled.
          }, done);
        },
      });
      // These tests kill clients in the middle of a mail.
      smtp.on('error', () => {});
      smtp.listen(port, '127.0.0.1');
      await once(smtp.server, 'listening');
      port = (smtp.server.address() as AddressInfo).port;
    },
  };
  await self.start();
  undoLater(() => self.stop());
  return self;
}

function select(find: () => readonly Email[], waiting: Set<() => void>): Mails {
  return {
    get mails() {
      return find();
    },
    waitForMails: (count) =>
      new Promise((resolve) => {
        const look = () => {
          if (find().length < count) return;
          waiting.delete(look);
          resolve(find());
        };
        waiting.add(look);
        look();
      }),
  };
}

function namesAddress({ to = [], replyTo = [] }: Email, address: string): boolean {
  return [...to, ...replyTo].some((mailbox) => mailbox.address === address);
}
