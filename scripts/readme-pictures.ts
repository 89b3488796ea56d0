// `npm run readme-pictures`: takes the pictures of README.md anew, by the tests that look at the same pages.
import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const pictures = join(root, 'docs/pictures');
const taken = await mkdtemp(join(tmpdir(), 'handover-pictures-'));
try {
  const tests = 'packages/adapters-http/test/dashboard-purchases.browser.test.ts';
  execFileSync(
    process.execPath,
    [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--project', 'browser', tests],
    {
      cwd: root,
      env: { ...process.env, PICTURES: taken },
      stdio: 'inherit',
    },
  );
  await mkdir(pictures, { recursive: true });
  for (const look of ['light', 'dark'])
    await copyFile(join(taken, `purchase-whole-desktop-${look}.png`), join(pictures, `purchase-${look}.png`));
  console.log('The pictures are in docs/pictures. Look at them before you commit them.');
} finally {
  await rm(taken, { recursive: true });
}
