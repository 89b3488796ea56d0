import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import type { FastifyPluginAsync } from 'fastify';
import Negotiator from 'negotiator';
import type { Asset } from './assets.ts';

/** Text assets are compressed once, at the highest level, instead of for each browser. */
export function assetRoutes(assets: readonly Asset[]): FastifyPluginAsync {
  return async (app) => {
    for (const { path, type, content } of assets) {
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
        if (new Negotiator(request).encodings(['br']).length === 0) return reply.send(content);
        return reply.header('content-encoding', 'br').send(await compressOnce(content));
      });
    }
  };
}

const compress = promisify(brotliCompress);
/** All apps of a process have the same assets. */
const compressed = new WeakMap<Buffer, Promise<Buffer>>();

function compressOnce(content: Buffer): Promise<Buffer> {
  const former = compressed.get(content);
  if (former) return former;
  const made = compress(content);
  compressed.set(content, made);
  return made;
}
