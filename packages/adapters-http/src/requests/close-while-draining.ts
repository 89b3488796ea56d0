import type { FastifyInstance, FastifyReply } from 'fastify';

/** While the process drains, every answer asks its client to come back on another connection. */
export function closeWhileDraining(app: FastifyInstance, isDraining: () => boolean): void {
  const ask = async (reply: FastifyReply) => {
    if (isDraining()) reply.header('connection', 'close');
  };
  app.addHook('onSend', (_request, reply) => ask(reply));
  // Files are sent past that hook (`startChunks`).
  app.addHook('preHandler', (_request, reply) => ask(reply));
}
