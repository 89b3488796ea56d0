import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/** The connections of a web server and their states, which a drain needs and Node does not provide. */
export interface WebConnections {
  count(): number;
  /** Ends connections without a request in progress: idle keep-alive ones, and those that never sent anything. */
  endIdle(): void;
  /** Ends connections whose request is incomplete: a silent client must not block the stop. */
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
