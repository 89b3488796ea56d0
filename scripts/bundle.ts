import { createRequire } from 'node:module';
import { isAbsolute, join, relative, sep } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';

export interface Bundle {
  /** The program. Of a release, the parts that it loads later as well. */
  readonly files: readonly { readonly name: string; readonly code: string }[];
  /** Files and folders outside the bundle that modules find by `import.meta.resolve`. */
  readonly resources: readonly string[];
  /** Every module in it, by its path. */
  readonly modules: readonly string[];
}

// pino finds files beside its own, and few installations load the libraries of S3 and of OpenTelemetry.
const NOT_BUNDLED = /^(pino$|@aws-sdk\/|@opentelemetry\/sdk-node$|@fastify\/otel$)/;

/**
 * Bundles what `tsc -b` has built. Without a commit, for the tree that it was built in. With one, for a release, which
 * has no node_modules: then it contains every package.
 */
export async function bundleProgram(root: string, commit: string | null = null): Promise<Bundle> {
  const dist = join(root, 'apps/server/dist');
  const resources = new Set<string>();
  const fromDist = (path: string) => relative(dist, path).split(sep).join('/');
  const isRelease = commit !== null;

  /** Modules outside the bundle are resolved from their original importer. */
  const resolveId: Plugin['resolveId'] = async function (specifier, importer, options) {
    if (isRelease || !NOT_BUNDLED.test(specifier)) return null;
    const found = await this.resolve(specifier, importer, { ...options, skipSelf: true });
    return found && { id: fromDist(found.id), external: true };
  };

  /** A module still finds files relative to its source, and the whole tree can be moved. */
  const transform: Plugin['transform'] = (code, id) => {
    if (!isAbsolute(id) || !code.includes('import.meta.')) return null;
    const require = createRequire(id);
    const urlOf = (path: string) => `new URL(${JSON.stringify(fromDist(path))}, import.meta.url).href`;
    const resolve = (specifier: string) => require.resolve(specifier);
    for (const [, folder, specifier] of code.matchAll(FOLDER))
      resources.add(join(resolve(specifier ?? ''), '..', folder ?? ''));
    for (const [, specifier] of code.replaceAll(FOLDER, '').matchAll(RESOLVE))
      resources.add(resolve(specifier ?? ''));
    return code
      .replaceAll('import.meta.url', urlOf(id))
      .replaceAll(RESOLVE, (_call, specifier: string) => urlOf(resolve(specifier)));
  };

  const build = await rolldown({
    input: { handover: join(dist, 'main.js') },
    platform: 'node',
    external: ['pg-native'],
    plugins: [{ name: 'stay-in-place', resolveId, transform }],
    ...(isRelease ? { transform: { define: { HANDOVER_COMMIT: JSON.stringify(commit) } } } : {}),
    logLevel: 'silent',
  });
  // One file, so that a program that runs for months does not load a file that was replaced since. A release is never
  // replaced in place: its library of S3 is a file of its own. Names are kept for stack traces; comments are not,
  // because V8 keeps the source in memory.
  const { output } = await build.generate({
    format: 'esm',
    codeSplitting: isRelease,
    chunkFileNames: '[name]-[hash].js',
    comments: false,
  });
  const chunks = output.filter((file) => file.type === 'chunk');
  return {
    files: chunks.map(({ fileName, code }) => ({ name: fileName, code: withoutImportsOfNode(code) })),
    resources: [...resources],
    modules: chunks.flatMap(({ moduleIds }) => moduleIds),
  };
}

/**
 * Reads the modules of Node without importing them. For an import, Node reads every member of a module, and so loads all of
 * `fetch` for `node:http`: 40 ms of each start.
 */
function withoutImportsOfNode(code: string): string {
  const lines = code.split('\n');
  const end = lines.findIndex((line) => !line.startsWith('import ') && !line.startsWith('#!'));
  return [...lines.slice(0, end).map(readModuleOfNode), ...lines.slice(end)].join('\n');
}

/** `import zlib, { gzip as pack } from "node:zlib";` becomes two constants. */
function readModuleOfNode(line: string): string {
  const [names = '', name = ''] = line.replace('import ', '').replace(';', '').split(' from ');
  if (!name.startsWith('"node:') || names.startsWith('*')) return line;
  const [whole = '', members] = names.split('{');
  const parts = [whole.replace(',', '').trim(), members ? `{${members.replaceAll(' as ', ': ')}` : ''];
  const declare = (part: string) => `const ${part} = globalThis.process.getBuiltinModule(${name});`;
  return parts.filter(Boolean).map(declare).join(' ');
}

const RESOLVE = /import\.meta\.resolve\('([^']+)'\)/g;
/** A module that finds files in a folder of a package that does not export them. */
const FOLDER = /new URL\('([^']+)', import\.meta\.resolve\('([^']+)'\)\)/g;
