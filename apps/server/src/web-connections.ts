import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/** The connections of a web server, and what each is at: what a drain needs to know, and Node does not tell. */
export interface WebConnections {
  count(): number;
  /** Ends connections on which no request is being answered: those kept alive, and those that never said a word. */
  endIdle(): void;
  /** Ends connections whose request has not come in whole: a peer that went silent half-way must not hold us. */
  endUnfinished(): void;
}

export function watchConnections(server: Server): WebConnections {
  const requests = new Map<Socket, IncomingMessage | null>();
  server.on('connection', (socket: Socket) => {
    requests.set(socket, null);
    socket.once('close', () => requests.delete(socket));
  });
  server.on('request', (request, response) => {
    const { socket } = request;
    requests.set(socket, request);
    response.once('close', () => {
      if (requests.has(socket)) requests.set(socket, null);
    });
  });
  const end = (which: (request: IncomingMessage | null) => boolean) => {
    for (const [socket, request] of requests) if (which(request)) socket.destroy();
  };
  return {
    count: () => requests.size,
    endIdle: () => end((request) => request === null),
    endUnfinished: () => end((request) => request !== null && !request.complete),
  };
}
