import { connect, type Socket } from 'node:net';

export interface Answer {
  /** 0: the connection broke, or timed out. */
  readonly status: number;
  /** How long the server asks to wait, in milliseconds. Null if it does not. */
  readonly retryAfterMs: number | null;
}

/** One keep-alive connection, for one request at a time. It reconnects after it was closed. */
export interface RawConnection {
  exchange(request: Buffer): Promise<Answer>;
  close(): void;
}

const BROKEN: Answer = { status: 0, retryAfterMs: null };
const HEAD_END = Buffer.from('\r\n\r\n');
const LAST_CHUNK = Buffer.from('0\r\n\r\n');
const ANSWER_TIMEOUT_MS = 60_000;

/** Uses a raw socket: an HTTP client of Node would take longer than the server that it measures. */
export function openConnection(url: string): RawConnection {
  const { hostname, port } = new URL(url);
  let socket: Socket | null = null;
  let received: Buffer | null = null;
  let resolve: ((answer: Answer) => void) | null = null;

  function finish(answer: Answer): void {
    const answered = resolve;
    resolve = null;
    received = null;
    answered?.(answer);
  }

  function open(): Socket {
    const opened = connect({ host: hostname, port: Number(port), noDelay: true });
    opened.setTimeout(ANSWER_TIMEOUT_MS, () => opened.destroy());
    opened.on('error', () => undefined);
    opened.on('close', () => {
      if (socket !== opened) return;
      socket = null;
      finish(BROKEN);
    });
    opened.on('data', (piece: Buffer) => {
      received = received === null ? piece : Buffer.concat([received, piece]);
      const answer = readAnswer(received);
      if (answer === null) return;
      if (answer.closes) {
        socket = null;
        opened.destroy();
      }
      finish(answer);
    });
    return opened;
  }

  return {
    exchange: (request) =>
      new Promise((answered) => {
        resolve = answered;
        socket ??= open();
        socket.write(request);
      }),
    close: () => socket?.destroy(),
  };
}

/** Null while it is incomplete. */
function readAnswer(bytes: Buffer): (Answer & { readonly closes: boolean }) | null {
  const headEnd = bytes.indexOf(HEAD_END);
  if (headEnd === -1) return null;
  const head = bytes.toString('latin1', 0, headEnd).toLowerCase();
  const length = /\r\ncontent-length: *(\d+)/.exec(head)?.[1];
  const isWhole =
    length === undefined
      ? bytes.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK)
      : bytes.length >= headEnd + HEAD_END.length + Number(length);
  if (!isWhole) return null;
  const seconds = /\r\nretry-after: *(\d+)/.exec(head)?.[1];
  return {
    status: Number(head.slice(9, 12)),
    retryAfterMs: seconds === undefined ? null : Number(seconds) * 1000,
    closes: head.includes('\r\nconnection: close'),
  };
}
