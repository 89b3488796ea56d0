import type { FastifyInstance, FastifyPluginAsync } from 'fastify';

/**
 * Registers a part of the app by its name. Without one, Fastify compares the plug-in with every CommonJS module that the
 * process has loaded, twice.
 */
export function registerRoutes(
  app: FastifyInstance,
  name: string,
  routes: FastifyPluginAsync,
  options: { readonly prefix?: string } = {},
): void {
  app.register(Object.assign(routes, { [DISPLAY_NAME]: name }), options);
}

/** https://fastify.dev/docs/latest/Reference/Plugins/#handle-the-scope */
const DISPLAY_NAME = Symbol.for('fastify.display-name');
