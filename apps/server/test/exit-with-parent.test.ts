import { spawn } from 'node:child_process';
import { expect, it } from 'vitest';

const WATCH = new URL('../src/serve/exit-with-parent.ts', import.meta.url).href;

/** Started by npm, it looks at its ancestors several times while it has no file handle left. */
const PROGRAM = `
  import { closeSync, openSync } from 'node:fs';
  import { setTimeout as pause } from 'node:timers/promises';
  import { exitWithParent } from ${JSON.stringify(WATCH)};
  let isGone = false;
  exitWithParent(() => { isGone = true; });
  const handles = [];
  let lack = '';
  while (lack === '') {
    try { handles.push(openSync('/dev/null')); } catch (error) { lack = error.code; }
  }
  await pause(1500);
  for (const handle of handles) closeSync(handle);
  console.log(JSON.stringify({ lack, isGone }));
`;

it.skipIf(process.platform !== 'linux')(
  'does not take its parent for gone because it has no file handle to look at it',
  async () => {
    const words = [
      '-c',
      'ulimit -n 64; "$0" --input-type=module --eval "$1"; true',
      process.execPath,
      PROGRAM,
    ];
    const env = { ...process.env, npm_lifecycle_event: 'start' };
    const child = spawn('sh', words, { argv0: 'npm', env, stdio: ['ignore', 'pipe', 'inherit'] });
    const stdout = (await child.stdout.setEncoding('utf8').toArray()).join('');
    expect(JSON.parse(stdout)).toEqual({ lack: 'EMFILE', isGone: false });
  },
);
