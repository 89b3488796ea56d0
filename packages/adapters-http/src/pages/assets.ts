import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { REFERENCE_STYLESHEET } from './reference-stylesheet.ts';
import { scaleWithText } from './scale-with-text.ts';
import { stylesheet } from './stylesheet.ts';

/** An immutable file: its name contains a hash of its content. */
export interface Asset {
  readonly path: string;
  readonly type: string;
  readonly content: Buffer;
}

const MARK =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 26 26"><style>rect{fill:#1e212a}path{stroke:#fcfcfc}' +
  '@media(prefers-color-scheme:dark){rect{fill:#eff0f2}path{stroke:#14161c}}</style><rect width="26" height="26" rx="7"/>' +
  '<path d="M8 7.5v11M18 7.5v11M8 13h6.5m-2.75-2.75L14.5 13l-2.75 2.75" fill="none" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/></svg>';

// The output of `scripts/narrow-fonts.ts`: every page waits for this font.
const latinFont = readFont('inter-latin', ownFile('inter-latin.woff2'));
const latinExtFont = readFont(
  'inter-latin-ext',
  import.meta.resolve('@fontsource-variable/inter/files/inter-latin-ext-wght-normal.woff2'),
);
// Only texts that are shown in it load it: on a buyer's page none is, until somebody unfolds a hash.
const monoFont = readFont('geist-mono-latin', ownFile('geist-mono-latin.woff2'));
const monoExtFont = readFont(
  'geist-mono-latin-ext',
  import.meta.resolve('@fontsource-variable/geist-mono/files/geist-mono-latin-ext-wght-normal.woff2'),
);
const times = readText(ownFile('times.js'));
const pressOnce = readText(ownFile('press-once.js'));
const downloadAll = readText(ownFile('download-all.js'));

/** What the pages that are not of the dashboard load. */
export const PAGE_ASSETS = {
  stylesheet: makeStylesheet(
    'handover',
    stylesheet({
      text: { latin: latinFont.path, latinExt: latinExtFont.path },
      mono: { latin: monoFont.path, latinExt: monoExtFont.path },
    }),
  ),
  referenceStylesheet: makeStylesheet('reference', REFERENCE_STYLESHEET),
  latinFont,
  latinExtFont,
  monoFont,
  monoExtFont,
  mark: makeAsset('mark', 'svg', 'image/svg+xml', Buffer.from(MARK)),
  // One file each, so that a page needs one request.
  pageScript: makeScript('page', `${times}\n${pressOnce}`),
  downloadScript: makeScript('download', `${times}\n${readText(ownFile('download.js'))}\n${downloadAll}`),
  libraryScript: makeScript('library', `${times}\n${pressOnce}\n${downloadAll}`),
} as const satisfies Readonly<Record<string, Asset>>;

/** A file of ours. They are at the package's root, so that source and build find them at the same place. */
export function ownFile(name: string): URL {
  return new URL(`../../assets/${name}`, import.meta.url);
}

export function readText(url: URL | string): string {
  return readFileSync(fileURLToPath(url), 'utf8');
}

export function makeScript(name: string, text: string): Asset {
  return makeAsset(name, 'js', 'text/javascript; charset=utf-8', Buffer.from(text));
}

export function makeStylesheet(name: string, text: string): Asset {
  return makeAsset(name, 'css', 'text/css; charset=utf-8', Buffer.from(scaleWithText(text)));
}

export function readFont(name: string, url: URL | string): Asset {
  return makeAsset(name, 'woff2', 'font/woff2', readFileSync(fileURLToPath(url)));
}

function makeAsset(name: string, extension: string, type: string, content: Buffer): Asset {
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 12);
  return { path: `/assets/${name}.${hash}.${extension}`, type, content };
}

/** Text assets are compressed once, at the highest level, instead of for each browser. */
export function assetRoutes(assets: readonly Asset[]): FastifyPluginAsync {
  return async (app) => {
    for (const asset of assets) {
      const { path } = asset;
      app.get(path, { logLevel: 'warn' }, (request, reply) => sendAsset(request, reply, asset, FOR_EVER));
      // Pages of another version ask, too, while one replaces the other. What we have of that name is better than nothing.
      app.get(path.replace(HASH, '.:hash(^[0-9a-f]{12})'), { logLevel: 'warn' }, (request, reply) =>
        sendAsset(request, reply, asset, 'no-store'),
      );
    }
  };
}

const FOR_EVER = 'public, max-age=31536000, immutable';
const HASH = /\.[0-9a-f]{12}(?=\.\w+$)/;

async function sendAsset(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, content }: Asset,
  caching: string,
): Promise<FastifyReply> {
  reply.headers({
    'content-type': type,
    'cache-control': caching,
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
  });
  if (type.startsWith('font/')) return reply.send(content);
  // Also uncompressed: a shared cache may answer all browsers with what one of them asked for.
  reply.header('vary', 'accept-encoding');
  if (new Negotiator(request).encodings(['br']).length === 0) return reply.send(content);
  return reply.header('content-encoding', 'br').send(await compressOnce(content));
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
