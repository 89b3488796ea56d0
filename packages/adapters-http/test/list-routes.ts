import { createHttpApp, type HttpOptions, type HttpPorts } from '@handover/adapters-http';
import type { ApiScope } from '@handover/domain';

export interface ListedRoute {
  readonly method: string;
  /** With its parameters as a document writes them. */
  readonly path: string;
  /** What its schema declares, if it has one. */
  readonly scope: ApiScope | null;
}

/** Every route of an app, as Fastify is given them while it makes itself ready. */
export async function listRoutes(ports: HttpPorts, options: HttpOptions): Promise<readonly ListedRoute[]> {
  const routes: ListedRoute[] = [];
  const app = createHttpApp(ports, options);
  app.addHook('onRoute', ({ method, url, schema }) => {
    const scope = schema?.['x-handover-scope'] ?? null;
    const path = url.replace(/:(\w+)/g, '{$1}');
    routes.push(...[method].flat().map((name) => ({ method: name, path, scope })));
  });
  await app.ready();
  await app.close();
  return routes;
}
