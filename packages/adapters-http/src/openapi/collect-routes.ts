import type { FastifyInstance } from 'fastify';
import type { DocumentedRoute } from './build-document.ts';

/** Notes every documented route that is added to the app from now on. */
export function collectRoutes(app: FastifyInstance): readonly DocumentedRoute[] {
  const routes: DocumentedRoute[] = [];
  app.addHook('onRoute', ({ method, url, schema = {}, config }) => {
    const docs = config?.docs;
    // HEAD says nothing that GET does not, and an operation's id must be unique.
    const methods = [method].flat().filter((name) => name !== 'HEAD');
    if (docs) routes.push(...methods.map((name) => ({ method: name, url, schemas: schema, docs })));
  });
  return routes;
}
