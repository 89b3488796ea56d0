// What `npm start` runs, on whatever Node is there (20 or newer). npm, npx and pnpm each end on a signal without waiting
// for the program below them, and the prompt would be back while the server still drains. So npx and pnpm only prepare;
// the server is then this program's own child, which is told of each signal and waited for. package.json says `exec`, so
// that no shell stands between npm and this program: it would end on the signal, and npm with it. (Windows has no `exec`:
// there the words after `||` count.)
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
let child = null;
let isStopping = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    isStopping = true;
    child?.kill(signal);
  });
}

const node = await prepare();
if (isStopping) process.exit(1);
const { env, args } = readServe();
process.exit(await run(node, args, { env: { ...process.env, ...env } }));

/** Installs what is missing, and answers where Node 24 is. */
async function prepare() {
  const directory = mkdtempSync(join(tmpdir(), 'handover-start-'));
  const file = join(directory, 'node');
  try {
    const words = ['-y', '-p', 'node@24', '-p', 'pnpm@12', 'pnpm', 'run', 'prepared'];
    const env = { ...process.env, HANDOVER_TELL_NODE: file };
    const code = await run('npx', words, { env, shell: process.platform === 'win32' });
    if (code !== 0) process.exit(code);
    return readFileSync(file, 'utf8');
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** The script `serve`, without pnpm: settings of the environment, `node`, and its arguments. */
function readServe() {
  const { serve } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts;
  const words = serve.split(' ');
  const at = words.indexOf('node');
  return {
    env: Object.fromEntries(words.slice(0, at).map((word) => word.split('='))),
    args: words.slice(at + 1),
  };
}

function run(command, args, options) {
  return new Promise((resolve, reject) => {
    child = spawn(command, args, { cwd: root, stdio: 'inherit', ...options });
    child.once('error', reject).once('exit', (code) => resolve(code ?? 1));
  });
}
