// Builds the program that bin/handover starts: `tsc -b`, and then one bundle of all modules, because Node takes a
// second to find and compile 2,000 of them, and 12 MB to keep them. See docs/decisions/0044-one-launcher.md.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { bundleProgram } from './bundle.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'apps/server/dist');
const cache = join(root, 'node_modules/.cache/handover');

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
    const { files } = await bundleProgram(root);
    for (const { name, code } of files) replace(join(dist, name), code);
    replace(join(cache, 'built'), process.execPath, began);
  } finally {
    rmSync(lock(), { force: true });
  }
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
