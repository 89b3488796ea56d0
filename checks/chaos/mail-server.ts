import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { SMTPServer } from 'smtp-server';
import type { MailMood, ProgramName } from './plan-faults.ts';

/** A mail that the server has accepted. */
export interface Copy {
  /** When it was complete, by the monotonic clock of the harness. */
  readonly at: number;
  readonly messageId: string;
  readonly to: string;
  /** The program that sent it. */
  readonly program: ProgramName;
  /** Whether the server's acceptance reached the sender. */
  readonly answered: boolean;
}

/** A real SMTP server, with a port for each of its clients, so that it knows which program sends what. */
export interface ChaosMailServer {
  readonly copies: readonly Copy[];
  url(program: ProgramName): string;
  setMood(mood: MailMood | null): Promise<void>;
  close(): Promise<void>;
}

/** Addresses with this prefix have no mailbox: they are refused permanently. */
export const NO_MAILBOX = 'gone-';

const SLOW_MS = 1_500;

export async function startMailServer(clients: readonly ProgramName[]): Promise<ChaosMailServer> {
  const copies: Copy[] = [];
  let mood: MailMood | null = null;
  const take = async (
    program: ProgramName,
    raw: Buffer,
    to: string,
    isThere: () => boolean,
  ): Promise<'taken' | 'refused' | 'lost'> => {
    if (mood === 'delays') await pause(SLOW_MS);
    if (mood === 'refuses') return 'refused';
    const isLost = mood === 'loses-answers';
    const messageId = /^message-id: *(\S+)/im.exec(raw.toString('latin1'))?.[1] ?? '';
    // A client that crashed during the transfer gets no answer.
    copies.push({ at: performance.now(), messageId, to, program, answered: !isLost && isThere() });
    return isLost ? 'lost' : 'taken';
  };

  const ports = new Map<ProgramName, number>();
  let servers: SMTPServer[] = [];
  const listen = async (): Promise<void> => {
    servers = await Promise.all(
      clients.map(async (program) => {
        const server = makeServer((raw, to, isThere) => take(program, raw, to, isThere));
        server.listen(ports.get(program) ?? 0, '127.0.0.1');
        await once(server.server, 'listening');
        ports.set(program, (server.server.address() as AddressInfo).port);
        return server;
      }),
    );
  };
  const close = async (): Promise<void> => {
    const closing = servers;
    servers = [];
    await Promise.all(closing.map((server) => new Promise<void>((closed) => server.close(() => closed()))));
  };
  await listen();
  return {
    copies,
    url: (program) => `smtp://127.0.0.1:${ports.get(program)}`,
    setMood: async (next) => {
      mood = next;
      if (next === 'is-away') await close();
      else if (servers.length === 0) await listen();
    },
    close,
  };
}

type Take = (raw: Buffer, to: string, isThere: () => boolean) => Promise<'taken' | 'refused' | 'lost'>;

function makeServer(take: Take): SMTPServer {
  const sockets = new Map<number, Socket>();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    closeTimeout: 100,
    logger: false,
    onRcptTo: ({ address }, _session, done) =>
      done(
        address.startsWith(NO_MAILBOX)
          ? Object.assign(new Error('No such mailbox'), { responseCode: 550 })
          : null,
      ),
    onData: (stream, session, done) => {
      const to = session.envelope.rcptTo[0]?.address ?? '';
      buffer(stream)
        .then(async (raw) => {
          const port = session.remotePort ?? 0;
          const taken = await take(raw, to, () => sockets.has(port));
          if (taken === 'taken') done();
          else if (taken === 'refused')
            done(Object.assign(new Error('Try again later'), { responseCode: 451 }));
          // It hangs up after it has received the mail: its client cannot know the outcome.
          else sockets.get(port)?.destroy();
        })
        // An incomplete mail of a killed client.
        .catch(done);
    },
  });
  server.server.on('connection', (socket: Socket) => {
    const port = socket.remotePort ?? 0;
    sockets.set(port, socket);
    socket.on('close', () => sockets.delete(port));
  });
  // The faults kill clients in the middle of a mail.
  server.on('error', () => undefined);
  return server;
}
