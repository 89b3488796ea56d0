// Makes one file of a program and all that it imports, for run-bundled.js: node scripts/bundle.js PROGRAM.ts
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { placeOfBundle } from './bundle-place.js';
import { stampFiles } from './file-stamps.js';

// Is loaded by whoever needs it: pino finds files beside its own, and few installations need the library of S3.
const NOT_BUNDLED = /^(pino$|@aws-sdk\/)/;
const MAX_UNUSED_MS = 3_600_000;

const program = resolve(process.argv[2]);
const place = placeOfBundle(program);
const sources = {};
const code = await bundle();
mkdirSync(place, { recursive: true });
const file = join(place, `${createHash('sha256').update(code).digest('hex').slice(0, 16)}.js`);
write(file, code);
write(join(place, 'bundle.json'), JSON.stringify({ file, stamps: stampInputs() }));
forgetFormer();

async function bundle() {
  const build = await rolldown({
    input: program,
    platform: 'node',
    external: ['pg-native'],
    plugins: [{ name: 'stay-in-place', resolveId, load, transform }],
    logLevel: 'silent',
  });
  // One file, so that a program which runs for months loads nothing of a bundle that has been replaced since.
  const { output } = await build.generate({ format: 'esm', codeSplitting: false, comments: false });
  return output[0].code;
}

/** What is not bundled is found from where it was imported. */
async function resolveId(specifier, importer, options) {
  if (!NOT_BUNDLED.test(specifier)) return null;
  const found = await this.resolve(specifier, importer, { ...options, skipSelf: true });
  if (!found) return null;
  const id = options.kind === 'require-call' ? found.id : pathToFileURL(found.id).href;
  return { id, external: true };
}

/** A module still finds files from where its source is. */
function transform(code, id) {
  if (!isAbsolute(id) || !code.includes('import.meta.')) return null;
  const require = createRequire(id);
  return code
    .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
    .replace(/import\.meta\.resolve\('([^']+)'\)/g, (_call, specifier) =>
      JSON.stringify(pathToFileURL(require.resolve(specifier)).href),
    );
}

/** Before it is read: who writes it from now on, makes the bundle out of date. */
function load(id) {
  if (isAbsolute(id) && !/[\\/]node_modules[\\/]/.test(id)) Object.assign(sources, stampFiles([id]));
  return null;
}

/** Our sources, their packages' manifests, what is installed, how a bundle is made, and the bundle itself. */
function stampInputs() {
  const manifests = Object.keys(sources).map((id) => join(id.replace(/[\\/]src[\\/].*/, ''), 'package.json'));
  const installed = fileURLToPath(new URL('../node_modules/.pnpm/lock.yaml', import.meta.url));
  return {
    ...sources,
    ...stampFiles(new Set([...manifests, installed, fileURLToPath(import.meta.url), file])),
  };
}

/** Whole or not at all, also while other programs start. */
function write(path, text) {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, text);
  renameSync(draft, path);
}

function forgetFormer() {
  // What Node keeps for commands, of this bundle and of others (NODE_COMPILE_CACHE in package.json).
  rmSync(join(place, '..', '..', 'compiled'), { recursive: true, force: true });
  for (const name of readdirSync(place)) {
    const path = join(place, name);
    // Another program may be about to load it.
    const isOld = Date.now() - statSync(path).mtimeMs > MAX_UNUSED_MS;
    if (isOld && path !== file) rmSync(path, { force: true });
  }
}
