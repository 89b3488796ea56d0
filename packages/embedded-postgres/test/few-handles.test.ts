import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { makeTemporaryDirectory } from '../../../test/temporary-directory.ts';

const FIND = new URL('../src/find-embedded-postgres.ts', import.meta.url).href;
const STOP = new URL('../src/stop-postmaster.ts', import.meta.url).href;

/** Runs statements in a process that can `take` all file handles but some, and prints what they return. */
async function runWithFewHandles(statements: string) {
  const program = `
    import { closeSync, openSync } from 'node:fs';
    import { isPostmasterThere } from ${JSON.stringify(FIND)};
    import { identifyPostmaster, stopPostmaster } from ${JSON.stringify(STOP)};
    const handles = [];
    const take = (free) => {
      try { for (;;) handles.push(openSync('/dev/null')); } catch {}
      for (let count = 0; count < free; count += 1) closeSync(handles.pop());
    };
    const result = await (async () => { ${statements} })().catch((error) => error.code);
    for (const handle of handles) closeSync(handle);
    console.log(JSON.stringify(result ?? null));
  `;
  const words = ['-c', 'ulimit -n 64; exec "$0" --input-type=module --eval "$1"', process.execPath, program];
  return JSON.parse((await promisify(execFile)('sh', words)).stdout);
}

/** Any process in the directory counts as its postmaster. */
async function startInDirectory() {
  const directory = await makeTemporaryDirectory();
  const data = join(directory, 'data');
  await mkdir(data);
  const child = spawn('sleep', ['60'], { cwd: data });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child, 'spawn');
  await writeFile(join(data, 'postmaster.pid'), `${child.pid}\n${data}\n0\n5432\n`);
  return { directory, data, child };
}

it.runIf(process.platform === 'linux')(
  'a look without enough file handles does not say that the postmaster is gone',
  async () => {
    const { directory } = await startInDirectory();
    const look = (free: number) =>
      runWithFewHandles(`take(${free}); return isPostmasterThere(${JSON.stringify(directory)});`);
    expect([await look(10), await look(1)]).toEqual([true, 'EMFILE']);
  },
);

it.runIf(process.platform === 'linux')('a postmaster is stopped without a free file handle', async () => {
  const { data, child } = await startInDirectory();
  const ended = once(child, 'exit');
  await runWithFewHandles(`
    const found = await identifyPostmaster(${JSON.stringify(data)});
    take(0);
    return stopPostmaster(found);
  `);
  expect(await ended).toEqual([null, 'SIGINT']);
});
