import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

test.each(['serve', 'cli'])(
  '“%s” keeps what was compiled, so that later starts are lighter',
  async (name) => {
    const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    const words: readonly string[] = scripts[name].split(' ').slice(1, -1);
    const program = 'import { getCompileCacheDir } from "node:module"; console.log(getCompileCacheDir());';
    const running = promisify(execFile)(
      process.execPath,
      [...words, '--input-type=module', '--eval', program],
      // Where another place is asked for, as by whoever runs these tests, that one counts.
      { cwd: root, env: { ...process.env, NODE_COMPILE_CACHE: undefined } },
    );
    expect((await running).stdout).toContain(join(root, 'node_modules', '.cache', 'handover'));
  },
);
