import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startTcpProxy, type TcpProxy } from '../src/network/tcp-proxy.ts';

/** Answers each message in upper case, and stores what it received. */
let server: Server;
let received: string[];
let serverSockets: Socket[];
let proxy: TcpProxy;
let clients: Socket[];

beforeEach(async () => {
  received = [];
  serverSockets = [];
  clients = [];
  server = createServer({ allowHalfOpen: true }, (socket) => {
    serverSockets.push(socket);
    socket.on('error', (error) => received.push(`error ${(error as NodeJS.ErrnoException).code}`));
    socket.on('end', () => received.push('end'));
    socket.on('data', (data) => {
      received.push(String(data));
      if (socket.writable) socket.write(String(data).toUpperCase());
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  proxy = await startTcpProxy(`postgres://someone@127.0.0.1:${(server.address() as AddressInfo).port}/shop`);
});

afterEach(async () => {
  for (const socket of [...clients, ...serverSockets]) socket.destroy();
  await proxy.close();
  server.close();
});

it('keeps all of the address but host and port, and forwards both ways', async () => {
  expect(proxy.url).toBe(`postgres://someone@127.0.0.1:${proxy.port}/shop`);
  expect(await ask(await open(), 'hello')).toBe('HELLO');
  expect(proxy.acceptedConnections()).toBe(1);
});

it('forwards a FIN in one direction, and data in the other', async () => {
  const client = await open();
  const answer = text(client);
  client.end('last words');
  await vi.waitFor(() => expect(received).toEqual(['last words', 'end']));
  serverSockets[0]?.end('!');
  expect(await answer).toBe('LAST WORDS!');
});

it('forwards more than sockets buffer, whole and in order', async () => {
  const client = await open();
  const all = Buffer.from('abcdefgh'.repeat(500_000));
  client.write(all);
  let answer = '';
  client.on('data', (data) => {
    answer += String(data);
  });
  await vi.waitFor(() => expect(answer.length).toBe(all.length), { timeout: 20_000 });
  expect(answer === String(all).toUpperCase()).toBe(true);
});

it('cuts with an RST on both ends', async () => {
  const client = await open();
  await ask(client, 'hello');
  const error = once(client, 'error');
  proxy.cut('reset');
  expect(await codeOf(error)).toBe('ECONNRESET');
  await vi.waitFor(() => expect(received).toEqual(['hello', 'error ECONNRESET']));
  expect(await ask(await open(), 'again')).toBe('AGAIN');
});

it('cuts with a FIN on both ends', async () => {
  const client = await open();
  await ask(client, 'hello');
  const ended = once(client, 'end');
  proxy.cut('close');
  await ended;
  await vi.waitFor(() => expect(received).toEqual(['hello', 'end']));
});

it('closes one half: the server still answers, the client still sends', async () => {
  const told = await open();
  await ask(told, 'hello');
  proxy.halfClose('server');
  await vi.waitFor(() => expect(received).toEqual(['hello', 'end']));
  const answer = once(told, 'data');
  serverSockets[0]?.write('still here');
  expect(String((await answer)[0])).toBe('still here');

  const cutOff = await open();
  await ask(cutOff, 'second');
  const ended = once(cutOff, 'end');
  proxy.halfClose('client');
  await ended;
  cutOff.write('unanswered');
  await vi.waitFor(() => expect(received.at(-1)).toBe('unanswered'));
});

it('delays data in the direction it is told, and not in the other', async () => {
  const client = await open();
  await ask(client, 'hello');
  proxy.delay('to-client', 300);
  const askedAt = performance.now();
  const answer = ask(client, 'slow');
  await vi.waitFor(() => expect(received).toContain('slow'));
  expect(await answer).toBe('SLOW');
  expect(performance.now() - askedAt).toBeGreaterThanOrEqual(295);
});

it('forwards what was held back once it is healed', async () => {
  const client = await open();
  proxy.stall('to-server');
  const answer = ask(client, 'held');
  const other = await open();
  expect(received).toEqual([]);
  await proxy.heal();
  expect(await answer).toBe('HELD');
  expect(await ask(other, 'free')).toBe('FREE');
});

it('loses an answer for good: one direction is stalled, then all is cut', async () => {
  const client = await open();
  let answered = '';
  client.on('data', (data) => {
    answered += String(data);
  });
  proxy.stall('to-client');
  client.write('commit');
  await vi.waitFor(() => expect(received).toEqual(['commit']));
  const error = once(client, 'error');
  proxy.cut('reset');
  await proxy.heal();
  expect(await codeOf(error)).toBe('ECONNRESET');
  expect(answered).toBe('');
});

it('refuses new connections, and leaves open ones alone', async () => {
  const client = await open();
  await ask(client, 'hello');
  await proxy.refuse();
  const refused = connect(proxy.port, '127.0.0.1');
  expect(await codeOf(once(refused, 'error'))).toBe('ECONNREFUSED');
  expect(await ask(client, 'still')).toBe('STILL');
  await proxy.heal();
  expect(await ask(await open(), 'again')).toBe('AGAIN');
});

it.each([
  ['cut-before', ['hello'], 'ECONNRESET'],
  ['cut-within', ['hello', 'com'], 'ECONNRESET'],
  ['lose-answer', ['hello', 'commit'], 'ECONNRESET'],
] as const)('applies %s to the message that matches, and to no other', async (fault, arrived, code) => {
  const client = await open();
  const happened = proxy.failNext(fault, (message) => message.includes('commit'));
  expect(await ask(client, 'hello')).toBe('HELLO');
  const error = once(client, 'error');
  client.on('data', () => expect.unreachable('The answer was lost.'));
  client.write('commit');
  expect(await codeOf(error)).toBe(code);
  await happened;
  await vi.waitFor(() => expect(received.filter((what) => !what.startsWith('error'))).toEqual(arrived));
  expect(await ask(await open(), 'commit')).toBe('COMMIT');
  expect(proxy.disarm()).toBe(false);
});

it('half-closes after the message that matches', async () => {
  const client = await open();
  void proxy.failNext('half-close-server');
  expect(await ask(client, 'hello')).toBe('HELLO');
  await vi.waitFor(() => expect(received).toEqual(['hello', 'end']));

  const other = await open();
  const ended = once(other, 'end');
  void proxy.failNext('half-close-client');
  other.on('data', () => expect.unreachable('The answer was lost.'));
  other.write('unanswered');
  await ended;
  await vi.waitFor(() => expect(received.at(-1)).toBe('unanswered'));
});

it('forgets a fault that did not happen', async () => {
  void proxy.failNext('cut-before');
  expect(proxy.disarm()).toBe(true);
  expect(await ask(await open(), 'hello')).toBe('HELLO');
});

it('resets a client whose server cannot be reached', async () => {
  server.close();
  await once(server, 'close');
  const client = connect(proxy.port, '127.0.0.1');
  expect(await codeOf(once(client, 'error'))).toBe('ECONNRESET');
});

it('closes with connections open and data held back', async () => {
  const client = await open();
  proxy.stall('to-server');
  client.write('held');
  const error = once(client, 'error');
  await proxy.close();
  expect(await codeOf(error)).toBe('ECONNRESET');
  await vi.waitFor(() => expect(proxy.openConnections()).toBe(0));
  expect(received).not.toContain('held');
});

async function open(): Promise<Socket> {
  const before = serverSockets.length;
  const client = connect({ port: proxy.port, host: '127.0.0.1', allowHalfOpen: true });
  clients.push(client);
  client.on('error', () => undefined);
  await once(client, 'connect');
  await vi.waitFor(() => expect(serverSockets.length).toBeGreaterThan(before));
  return client;
}

async function ask(client: Socket, message: string): Promise<string> {
  const answer = once(client, 'data');
  client.write(message);
  return String((await answer)[0]);
}

async function codeOf(error: Promise<unknown[]>): Promise<string | undefined> {
  return ((await error)[0] as NodeJS.ErrnoException).code;
}
