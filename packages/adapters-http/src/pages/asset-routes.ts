import type { FastifyPluginAsync } from 'fastify';
import type { Asset } from './assets.ts';

export function assetRoutes(assets: readonly Asset[]): FastifyPluginAsync {
  return async (app) => {
    for (const { path, type, content } of assets) {
      app.get(path, { logLevel: 'warn' }, async (_request, reply) =>
        reply
          .headers({
            'content-type': type,
            'cache-control': 'public, max-age=31536000, immutable',
            'x-content-type-options': 'nosniff',
            'cross-origin-resource-policy': 'same-origin',
          })
          .send(content),
      );
    }
  };
}
