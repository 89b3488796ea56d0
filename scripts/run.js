// Runs a script of package.json (`serve` or `cli`) with our own Node, on whatever Node is there (20 or newer):
//   node scripts/run.js NAME [WORDS…]
// npx and pnpm bring that Node and install what is missing. They take two seconds to see that nothing is, so what they
// found is kept, and they are asked again only when a file of theirs has changed.
//
// npm, npx and pnpm each end on a signal without waiting for the program below them, and the prompt would be back while the
// server still drains. So npx and pnpm only prepare; the program is then this process's own child, which is told of each
// signal and waited for.
//
//   eval "$(node scripts/run.js --as-shell NAME)"
// prints a command by which the shell that npm made becomes the program. Then only npm waits: no shell, which would end on
// a signal and npm with it, and no process of ours, with its 45 MB. `npm start` does so. (Windows has no `eval`: there the
// words after `||` in package.json count.)
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { areUnchanged } from './file-stamps.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const kept = join(root, 'node_modules', '.cache', 'handover', 'prepared.json');
let child = null;
let isStopping = false;

process.chdir(root);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, passOn);
const asShell = process.argv[2] === '--as-shell';
const [name, ...words] = process.argv.slice(asShell ? 3 : 2);
const { env, args } = readScript(name);
// A shell ends on a signal without passing it on, and nothing shall be installed unseen.
const starter = process.ppid;
if (asShell) setInterval(() => process.ppid !== starter && passOn('SIGTERM'), 500).unref();
const node = chooseNode(findPrepared() ?? (await prepare()));
if (isStopping) process.exit(1);
if (asShell) console.log(formatShellCommand(env, [node, ...args, ...words]));
else
  process.exit(await run(node, [...args, ...words], { env: { ...process.env, ...env }, stdio: 'inherit' }));

/** The Node that npx brought; or this one, if it is as new: then npm and the server share its 60 MB of code in memory. */
function chooseNode({ node, version }) {
  const [major, minor] = version.split('.').map(Number);
  const [ownMajor, ownMinor] = process.versions.node.split('.').map(Number);
  return ownMajor === major && ownMinor >= minor ? process.execPath : node;
}

/** What was found before, while all that is installed is as it was then. */
function findPrepared() {
  try {
    const prepared = JSON.parse(readFileSync(kept, 'utf8'));
    return areUnchanged(prepared.stamps) ? prepared : null;
  } catch {
    return null;
  }
}

/** Installs what is missing, and answers which Node npx brought. */
async function prepare() {
  const directory = mkdtempSync(join(tmpdir(), 'handover-start-'));
  const file = join(directory, 'prepared.json');
  try {
    const command = ['-y', '-p', 'node@24', '-p', 'pnpm@12', 'pnpm', 'run', 'prepared'];
    const code = await run('npx', command, {
      env: { ...process.env, HANDOVER_TELL_PREPARED: file },
      // What is piped into a command is for the command, and what a command prints is its own.
      stdio: ['ignore', 2, 2],
      shell: process.platform === 'win32',
    });
    if (code !== 0) process.exit(code);
    const prepared = readFileSync(file, 'utf8');
    keep(prepared);
    return JSON.parse(prepared);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function keep(prepared) {
  const draft = `${kept}.${process.pid}`;
  try {
    mkdirSync(dirname(kept), { recursive: true });
    writeFileSync(draft, prepared);
    renameSync(draft, kept);
  } catch {
    // Nothing can be written here: the next start prepares again.
  }
}

/** The script without pnpm: settings of the environment, and the arguments of `node`. */
function readScript(name) {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  const words = scripts[name].split(' ');
  const at = words.indexOf('node');
  return {
    env: Object.fromEntries(words.slice(0, at).map((word) => word.split('='))),
    args: words.slice(at + 1),
  };
}

function formatShellCommand(env, words) {
  const settings = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  return ['exec', 'env', ...[...settings, ...words].map((word) => `'${word.replaceAll("'", "'\\''")}'`)].join(
    ' ',
  );
}

function passOn(signal) {
  isStopping = true;
  child?.kill(signal);
}

function run(command, args, options) {
  return new Promise((resolve, reject) => {
    child = spawn(command, args, options);
    child.once('error', reject).once('exit', (code) => resolve(code ?? 1));
  });
}
