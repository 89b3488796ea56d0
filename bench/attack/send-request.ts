import { Agent, request as startRequest } from 'node:http';
import { connect } from 'node:net';
import type { AttackRequest } from './make-request.ts';

export interface Answered {
  /** Null: either side broke the connection. */
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
  /** There was no answer in time. */
  readonly isSilent: boolean;
}

const TIMEOUT_MS = 30_000;
const MAX_READ = 4_000_000;
const NO_ANSWER: Answered = { status: null, headers: {}, text: '', isSilent: false };

const agent = new Agent({ keepAlive: true, maxSockets: 16 });

export function closeConnections(): void {
  agent.destroy();
}

/** Sends one request over a keep-alive connection. */
export function sendRequest(url: string, attack: AttackRequest): Promise<Answered> {
  return attack.manner === 'raw' ? sendRaw(url, attack) : sendWhole(url, attack);
}

function sendWhole(
  url: string,
  { number, method, path, headers, body, manner }: AttackRequest,
): Promise<Answered> {
  return new Promise((resolve) => {
    const { hostname, port } = new URL(url);
    const all: Record<string, string> = { ...headers, 'x-attack': String(number) };
    if (body && manner === 'whole') all['content-length'] = String(body.length);
    const options = { hostname, port, method, path, headers: all, agent, timeout: TIMEOUT_MS };
    const fail = () => resolve(NO_ANSWER);
    let request: ReturnType<typeof startRequest>;
    try {
      request = startRequest(options, (answer) => {
        const chunks: Buffer[] = [];
        let size = 0;
        answer.on('data', (chunk: Buffer) => {
          size += chunk.length;
          if (size < MAX_READ) chunks.push(chunk);
        });
        answer.on('error', fail);
        answer.on('end', () =>
          resolve({
            status: answer.statusCode ?? null,
            headers: answer.headers,
            text: Buffer.concat(chunks).toString(),
            isSilent: false,
          }),
        );
      });
    } catch {
      // A method or header that Node's client refuses to send.
      fail();
      return;
    }
    request.on('error', fail);
    request.on('timeout', () => {
      resolve({ ...NO_ANSWER, isSilent: manner === 'whole' });
      request.destroy();
    });
    if (manner === 'whole') request.end(body ?? undefined);
    else sendInParts(request, body ?? Buffer.alloc(0), manner);
  });
}

/** Half of it now, the rest a little later, or never. */
function sendInParts(
  request: ReturnType<typeof startRequest>,
  body: Buffer,
  manner: 'slow' | 'aborted' | 'raw',
): void {
  const half = Math.ceil(body.length / 2);
  request.flushHeaders();
  request.write(body.subarray(0, half));
  setTimeout(() => {
    if (manner === 'slow') request.end(body.subarray(half));
    else request.destroy();
  }, 100);
}

/** With bytes that no client would write. */
function sendRaw(url: string, { number, method, path, headers, body }: AttackRequest): Promise<Answered> {
  const { hostname, port } = new URL(url);
  const odd = ODD_LINES[number % ODD_LINES.length] ?? '';
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const length = body ? [`Content-Length: ${body.length}`] : [];
  const head = [
    `${method} ${path} HTTP/1.1`,
    `Host: ${hostname}:${port}`,
    `x-attack: ${number}`,
    ...lines,
    ...length,
    odd,
  ];
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    let text = '';
    const finish = () => {
      socket.destroy();
      const status = /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1];
      resolve({ ...NO_ANSWER, status: status ? Number(status) : null, text });
    };
    socket.setTimeout(1500, finish);
    socket.on('data', (chunk) => {
      text = (text + chunk.toString('latin1')).slice(0, MAX_READ);
    });
    socket.on('error', finish);
    socket.on('close', finish);
    socket.write(`${head.join('\r\n')}\r\nConnection: close\r\n\r\n`, 'latin1');
    if (body) socket.write(body);
  });
}

const ODD_LINES = [
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: chunked, identity',
  'Content-Length: 5',
  'Content-Length: -1',
  'Content-Length: 99999999999',
  ': nameless',
  'x y: blank in the name',
  ' folded',
  `x-huge: ${'a'.repeat(60_000)}`,
  'x-nul: a\0b',
  'x-high: \xff\xfe',
  'Host: another.example',
  'Host:',
  'Expect: 100-continue',
  'Connection: upgrade\r\nUpgrade: websocket',
  'Content-Type: application/json\r\nContent-Type: text/plain',
];
