import { createHttpApp, type HttpOptions, type HttpPorts } from '@handover/adapters-http';

export interface ListedRoute {
  readonly method: string;
  /** With its parameters as a document writes them. */
  readonly path: string;
}

/** Every route of an app, as Fastify is given them while it makes itself ready. */
export async function listRoutes(ports: HttpPorts, options: HttpOptions): Promise<readonly ListedRoute[]> {
  const routes: ListedRoute[] = [];
  const app = createHttpApp(ports, options);
  app.addHook('onRoute', ({ method, url }) => {
    const path = url.replace(/:(\w+)/g, '{$1}');
    routes.push(...[method].flat().map((name) => ({ method: name, path })));
  });
  await app.ready();
  await app.close();
  return routes;
}
