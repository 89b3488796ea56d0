import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import type { Asset } from './assets.ts';

const compress = promisify(brotliCompress);

/** Text assets are compressed once, at the highest level, instead of for each browser. */
export function assetRoutes(assets: readonly Asset[]): FastifyPluginAsync {
  return async (app) => {
    for (const { path, type, content } of assets) {
      let compressed: Promise<Buffer> | null = null;
      app.get(path, { logLevel: 'warn' }, async (request, reply) => {
        reply.headers({
          'content-type': type,
          'cache-control': 'public, max-age=31536000, immutable',
          'x-content-type-options': 'nosniff',
          'cross-origin-resource-policy': 'same-origin',
        });
        if (type.startsWith('font/')) return reply.send(content);
        // Also uncompressed: a shared cache may answer all browsers with what one of them asked for.
        reply.header('vary', 'accept-encoding');
        if (!takesBrotli(request)) return reply.send(content);
        compressed ??= compress(content);
        return reply.header('content-encoding', 'br').send(await compressed);
      });
    }
  };
}

function takesBrotli({ headers }: FastifyRequest): boolean {
  const named = (headers['accept-encoding'] ?? '').split(',').map((each) => each.split(';'));
  const brotli = named.find(([name = '']) => name.trim() === 'br');
  return brotli !== undefined && Number((brotli[1] ?? 'q=1').trim().slice('q='.length)) > 0;
}
