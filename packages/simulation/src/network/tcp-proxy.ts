import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { countAnswers, countRequests } from './postgres-messages.ts';

export type Direction = 'to-server' | 'to-client';

/** `reset`: an RST, as from a host that has crashed. `close`: a FIN, as from a process that has ended. */
export type Cut = 'reset' | 'close';

/** What goes wrong with a message that a client sends, and with its answer. */
export type MessageFault =
  /** Nothing of the message arrives; both ends are cut. */
  | 'cut-before'
  /** Half of the message arrives; both ends are cut. */
  | 'cut-within'
  /** The message arrives and is answered, each statement of it. The answer is lost; both ends are cut. */
  | 'lose-answer'
  /** The message arrives, and the server is told that nothing more comes. Its answer is forwarded. */
  | 'half-close-server'
  /** The message arrives, and the client is told that no answer comes. */
  | 'half-close-client';

/** The network between clients and one server, with faults on command. Without any, bytes go through unchanged. */
export interface TcpProxy {
  /** The address of the server, with the host and port of the proxy. */
  readonly url: string;
  readonly port: number;
  /** How many connections are open. */
  openConnections(): number;
  /** How many connections there have been. */
  acceptedConnections(): number;
  /** Ends every connection. New ones are accepted as before. */
  cut(how: Cut): void;
  /** Tells this end of every connection that nothing more comes. What it sends is still forwarded. */
  halfClose(end: 'client' | 'server'): void;
  /** From now on, each piece of data waits this many milliseconds before it is forwarded. */
  delay(direction: Direction, milliseconds: number): void;
  /** Holds data back in this direction until `heal`. After a `cut` it is lost, such as the answer to a commit. */
  stall(direction: Direction): void;
  /** Refuses new connections until `heal`. Open ones go on. */
  refuse(): Promise<void>;
  /** Ends every fault: no delay, no stall, new connections are accepted. What was held back is forwarded. */
  heal(): Promise<void>;
  /**
   * Applies the fault, once, to the first message of a client that matches. Resolves when it was applied; `how` is how
   * connections are cut. A client must write a message at once, as pg does with a statement.
   */
  failNext(fault: MessageFault, matches?: (message: Buffer) => boolean, how?: Cut): Promise<void>;
  /** Forgets a fault of `failNext` that did not happen; false when it did. */
  disarm(): boolean;
  /** Cuts every connection and stops listening. */
  close(): Promise<void>;
}

/** Forwards to the host and port of `targetUrl`, by default to PostgreSQL's port. */
export async function startTcpProxy(targetUrl: string): Promise<TcpProxy> {
  const target = new URL(targetUrl);
  const wires = new Set<Wire>();
  const network: Network = { delays: { 'to-server': 0, 'to-client': 0 }, gates: {}, armed: null };
  let accepted = 0;
  const server = createServer({ allowHalfOpen: true }, (client) => {
    accepted += 1;
    const wire = openWire(client, target);
    wires.add(wire);
    void forward(network, wire).finally(() => wires.delete(wire));
  });
  const listen = async (port: number): Promise<number> => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const port = await listen(0);
  const url = new URL(targetUrl);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  return {
    url: url.href,
    port,
    openConnections: () => wires.size,
    acceptedConnections: () => accepted,
    ...controlFaults(network, wires),
    refuse: async () => {
      // The callback would wait for the connections that are open.
      server.close();
    },
    heal: async () => {
      release(network);
      if (!server.listening) await listen(port);
    },
    close: async () => {
      if (server.listening) server.close();
      for (const wire of wires) cutWire(wire, 'reset');
      release(network);
    },
  };
}

function openWire(client: Socket, { hostname, port }: URL): Wire {
  client.setNoDelay(true);
  return {
    client,
    server: connect({ port: Number(port || 5432), host: hostname, allowHalfOpen: true, noDelay: true }),
    losesAnswer: null,
    ended: Promise.withResolvers(),
  };
}

/** The faults of connections that are open. */
function controlFaults(
  network: Network,
  wires: ReadonlySet<Wire>,
): Pick<TcpProxy, 'cut' | 'halfClose' | 'delay' | 'stall' | 'failNext' | 'disarm'> {
  return {
    cut: (how) => {
      for (const wire of wires) cutWire(wire, how);
    },
    halfClose: (end) => {
      for (const wire of wires) wire[end].end();
    },
    delay: (direction, milliseconds) => {
      network.delays[direction] = milliseconds;
    },
    stall: (direction) => {
      network.gates[direction] ??= Promise.withResolvers();
    },
    failNext: (fault, matches = () => true, how = 'reset') => {
      const { promise, resolve } = Promise.withResolvers<void>();
      network.armed = { fault, matches, how, happened: resolve };
      return promise;
    },
    disarm: () => {
      const { armed } = network;
      network.armed = null;
      return armed !== null;
    },
  };
}

function release(network: Network): void {
  network.delays = { 'to-server': 0, 'to-client': 0 };
  const gates = Object.values(network.gates);
  network.gates = {};
  for (const gate of gates) gate.resolve();
}

/** One connection: the two sockets that the proxy holds of it. */
interface Wire {
  readonly client: Socket;
  readonly server: Socket;
  /** Set once the answer that comes next is to be lost, and the wire cut then. */
  losesAnswer: LostAnswer | null;
  /** Resolves when the wire was cut: from then on nothing is forwarded. */
  readonly ended: PromiseWithResolvers<'cut'>;
}

interface Armed {
  readonly fault: MessageFault;
  readonly matches: (message: Buffer) => boolean;
  readonly how: Cut;
  readonly happened: () => void;
}

interface LostAnswer extends Armed {
  /** How many statements the message has. */
  readonly requests: number;
  /** What the server answered so far. */
  answer: Buffer;
}

interface Network {
  delays: Record<Direction, number>;
  /** A gate that is there is shut. */
  gates: Partial<Record<Direction, PromiseWithResolvers<void>>>;
  armed: Armed | null;
}

async function forward(network: Network, wire: Wire): Promise<void> {
  const { client, server } = wire;
  for (const socket of [client, server]) socket.on('error', () => undefined);
  // What ends without a FIN has crashed, and so does its other end.
  client.on('close', () => client.readableEnded || server.resetAndDestroy());
  server.on('close', () => server.readableEnded || client.resetAndDestroy());
  await Promise.allSettled([
    forwardOneWay(network, wire, 'to-server'),
    forwardOneWay(network, wire, 'to-client'),
  ]);
  client.destroy();
  server.destroy();
}

async function forwardOneWay(network: Network, wire: Wire, direction: Direction): Promise<void> {
  const [from, to] = direction === 'to-server' ? [wire.client, wire.server] : [wire.server, wire.client];
  for await (const piece of from.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    const delay = network.delays[direction];
    if (delay > 0) await pause(delay);
    // Data that nobody reads would turn the FIN of a cut into an RST, so the loop goes on and drops it.
    if ((await Promise.race([wire.ended.promise, network.gates[direction]?.promise])) === 'cut') continue;
    if (direction === 'to-client' && wire.losesAnswer) loseAnswer(wire, wire.losesAnswer, piece);
    else {
      const armed = direction === 'to-server' ? takeArmed(network, piece) : null;
      if (armed) failMessage(wire, piece, armed);
      // What is sent to a half that was closed is dropped.
      else if (to.writable && !to.write(piece)) await untilWritable(to);
    }
  }
  to.end();
}

function untilWritable(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      socket.off('drain', done).off('close', done);
      resolve();
    };
    socket.on('drain', done).on('close', done);
  });
}

function takeArmed(network: Network, message: Buffer): Armed | null {
  const { armed } = network;
  if (!armed?.matches(message)) return null;
  network.armed = null;
  return armed;
}

function failMessage(wire: Wire, message: Buffer, armed: Armed): void {
  const { fault, how, happened } = armed;
  if (fault === 'cut-within') wire.server.write(message.subarray(0, Math.ceil(message.length / 2)));
  if (fault === 'cut-before' || fault === 'cut-within') cutWire(wire, how);
  else {
    wire.server.write(message);
    if (fault === 'half-close-server') wire.server.end();
    if (fault === 'half-close-client') wire.client.end();
  }
  if (fault === 'lose-answer')
    wire.losesAnswer = { ...armed, requests: countRequests(message), answer: Buffer.alloc(0) };
  else happened();
}

/** A wire that is cut after a part of the answer would undo what the server has not read yet. */
function loseAnswer(wire: Wire, lost: LostAnswer, piece: Buffer): void {
  lost.answer = Buffer.concat([lost.answer, piece]);
  if (countAnswers(lost.answer) < lost.requests) return;
  cutWire(wire, lost.how);
  lost.happened();
}

function cutWire({ client, server, ended }: Wire, how: Cut): void {
  ended.resolve('cut');
  for (const socket of [client, server]) {
    if (how === 'reset') socket.resetAndDestroy();
    else socket.end();
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
