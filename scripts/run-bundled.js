// Loaded before a program (see `serve` and `cli` in package.json). Node takes a second to find, read and compile 2,000
// modules, and 20 MB to keep them. So another process makes one file of them (bundle.js), anew when a source file or a
// dependency has changed, and that file runs instead. Where it cannot be made or kept, Node runs the source as ever.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { placeOfBundle } from './bundle-place.js';
import { areUnchanged } from './file-stamps.js';

const program = process.argv[1];
const bundle = program.endsWith('.ts') ? (findBundle() ?? makeBundle()) : null;
if (bundle) registerHooks({ resolve: resolveProgram });

function resolveProgram(specifier, context, nextResolve) {
  const resolved = nextResolve(specifier, context);
  if (resolved.url !== pathToFileURL(program).href) return resolved;
  return { url: pathToFileURL(bundle).href, format: 'module', shortCircuit: true };
}

function findBundle() {
  try {
    const { file, stamps } = JSON.parse(readFileSync(join(placeOfBundle(program), 'bundle.json'), 'utf8'));
    return areUnchanged(stamps) ? file : null;
  } catch {
    return null;
  }
}

function makeBundle() {
  const bundler = fileURLToPath(new URL('bundle.js', import.meta.url));
  const { status } = spawnSync(process.execPath, [bundler, program], { stdio: 'ignore' });
  return status === 0 ? findBundle() : null;
}
