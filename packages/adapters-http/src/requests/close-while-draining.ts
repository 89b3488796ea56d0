import type { FastifyInstance } from 'fastify';

/** While the process drains, every answer asks its client to come back on another connection. */
export function closeWhileDraining(app: FastifyInstance, isDraining: () => boolean): void {
  app.addHook('onSend', async (_request, reply) => {
    if (isDraining()) reply.header('connection', 'close');
  });
}
