import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    /** The methods that the routes at this path take; none at an unknown path. */
    methodsAt(path: string): readonly string[];
  }
  interface FastifyContextConfig {
    /** The route takes none of its methods: it only says which ones its path takes. */
    readonly refusesMethod?: true;
  }
}

/** Remembers the methods of every route, so that a request with another one is told which there are. */
export function rememberMethods(app: FastifyInstance): void {
  const routes: { readonly segments: readonly string[]; readonly methods: readonly string[] }[] = [];
  app.addHook('onRoute', ({ method, url, config }) => {
    if (config?.refusesMethod) return;
    routes.push({ segments: url.split('/'), methods: [method].flat() });
  });
  app.decorate('methodsAt', (path: string) => {
    const segments = path.split('/');
    const found = routes.filter((route) => isAt(route.segments, segments));
    return [...new Set(found.flatMap(({ methods }) => methods))];
  });
}

function isAt(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((expected, position) =>
      expected.startsWith(':') ? segments[position] !== '' : expected === segments[position],
    )
  );
}
