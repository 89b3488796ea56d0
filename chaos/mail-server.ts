import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { SMTPServer } from 'smtp-server';
import type { MailMood, ProgramName } from './plan-faults.ts';

/** A mail that the server has taken responsibility for. */
export interface Copy {
  /** By the monotonic clock of the harness: when it was complete. */
  readonly at: number;
  readonly messageId: string;
  readonly to: string;
  /** Who sent it. */
  readonly program: ProgramName;
  /** Whether the server said that it has it. */
  readonly answered: boolean;
}

/** A real SMTP server, with a port for each of its clients, so that it knows who sends what. */
export interface ChaosMailServer {
  readonly copies: readonly Copy[];
  url(program: ProgramName): string;
  setMood(mood: MailMood | null): Promise<void>;
  close(): Promise<void>;
}

/** Addresses that begin so have no mailbox: they are refused for good. */
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
    // A client that died while its mail was taken hears nothing.
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
          // It hangs up with the mail in its hands: its client cannot know.
          else sockets.get(port)?.destroy();
        })
        // Half a mail, of a client that was killed.
        .catch(done);
    },
  });
  server.server.on('connection', (socket: Socket) => {
    const port = socket.remotePort ?? 0;
    sockets.set(port, socket);
    socket.on('close', () => sockets.delete(port));
  });
  // Clients that are killed in the middle are what this is for.
  server.on('error', () => undefined);
  return server;
}
