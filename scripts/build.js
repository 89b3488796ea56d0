// Builds the program that bin/handover starts: `tsc -b`, and then one bundle of all modules, because Node takes a
// second to find and compile 2,000 of them, and 12 MB to keep them. See docs/decisions/0044-one-launcher.md.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'apps/server/dist');
const cache = join(root, 'node_modules/.cache/handover');
// pino finds files beside its own, and few installations load the S3 library.
const NOT_BUNDLED = /^(pino$|@aws-sdk\/)/;

mkdirSync(cache, { recursive: true });
// A process that had to wait checks again whether a build is needed.
if (await takeLock()) await build();

async function build() {
  const began = new Date();
  try {
    // A type error is reported and does not prevent the program from running.
    spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '-b', 'apps/server'], {
      cwd: root,
      stdio: 'inherit',
    });
    replace(join(dist, 'handover.js'), await bundle());
    replace(join(cache, 'built'), process.execPath, began);
  } finally {
    rmSync(lock(), { force: true });
  }
}

async function bundle() {
  const build = await rolldown({
    input: join(dist, 'main.js'),
    platform: 'node',
    external: ['pg-native'],
    plugins: [{ name: 'stay-in-place', resolveId, transform }],
    logLevel: 'silent',
  });
  // One file, so that a program that runs for months does not load a file that was replaced since. Names are kept for
  // stack traces; comments are not, because V8 keeps the source in memory.
  const { output } = await build.generate({ format: 'esm', codeSplitting: false, comments: false });
  return output[0].code;
}

/** Modules outside the bundle are resolved from their original importer. */
async function resolveId(specifier, importer, options) {
  if (!NOT_BUNDLED.test(specifier)) return null;
  const found = await this.resolve(specifier, importer, { ...options, skipSelf: true });
  return found && { id: fromDist(found.id), external: true };
}

/** A module still finds files relative to its source, and the whole tree can be moved. */
function transform(code, id) {
  if (!isAbsolute(id) || !code.includes('import.meta.')) return null;
  const require = createRequire(id);
  const urlOf = (path) => `new URL(${JSON.stringify(fromDist(path))}, import.meta.url).href`;
  return code
    .replaceAll('import.meta.url', urlOf(id))
    .replace(/import\.meta\.resolve\('([^']+)'\)/g, (_call, specifier) => urlOf(require.resolve(specifier)));
}

function fromDist(path) {
  return relative(dist, path).split(sep).join('/');
}

/** Written atomically, also while a program starts. */
function replace(path, text, time = new Date()) {
  const draft = `${path}.${process.pid}`;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(draft, text);
  utimesSync(draft, time, time);
  renameSync(draft, path);
}

/** One build at a time. False once another has ended. */
async function takeLock() {
  for (let waited = false; ; waited = true) {
    try {
      writeFileSync(lock(), String(process.pid), { flag: 'wx' });
      if (!waited) return true;
      rmSync(lock());
      return false;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (!isHeld()) rmSync(lock(), { force: true });
    await sleep(50);
  }
}

function isHeld() {
  try {
    process.kill(Number(readFileSync(lock(), 'utf8')), 0);
    return true;
  } catch {
    return false;
  }
}

function lock() {
  return join(cache, 'building');
}
