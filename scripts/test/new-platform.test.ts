import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { fromSource } from '../../test/from-source.ts';
import { makeTemporaryDirectory } from '../../test/temporary-directory.ts';
import { createPlatform } from '../new-platform/create-platform.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const FOLDER = 'packages/platform-webhooks/cart-b';

/** A workspace with the parts of the real one that a platform's package needs. */
async function makeWorkspace(): Promise<string> {
  const workspace = await makeTemporaryDirectory();
  for (const name of ['tsconfig.json', 'tsconfig.test.json', 'tsconfig.base.json', 'biome.json']) {
    await cp(join(root, name), join(workspace, name));
  }
  await mkdir(join(workspace, 'packages/platform-webhooks'), { recursive: true });
  for (const shared of ['node_modules', 'packages/platform-webhooks/contract']) {
    await symlink(join(root, shared), join(workspace, shared));
  }
  return workspace;
}

it('a new platform type-checks, lints, and fails its contract with messages that say what to write', async () => {
  const workspace = await makeWorkspace();
  expect(await createPlatform(workspace, 'cart-b')).toEqual({ kind: 'created', folder: FOLDER });
  const modules = join(root, 'packages/platform-webhooks/storefront-a/node_modules');
  await symlink(modules, join(workspace, FOLDER, 'node_modules'));

  const options = {
    ...{ noEmit: true, composite: false, allowImportingTsExtensions: true, types: ['node'] },
    customConditions: ['handover-source'],
  };
  const config = { extends: './tsconfig.base.json', compilerOptions: options, include: [FOLDER] };
  await writeFile(join(workspace, 'tsconfig.check.json'), JSON.stringify(config));
  await writeFile(join(workspace, 'vitest.config.ts'), `export default ${JSON.stringify(fromSource)};`);
  // Vitest reads these, and fails on references to packages that are only in the real workspace.
  for (const name of ['tsconfig.json', `${FOLDER}/tsconfig.json`])
    await writeFile(join(workspace, name), '{}\n');
  const [types, lint, tests] = await Promise.all([
    run(workspace, 'tsc', ['-p', 'tsconfig.check.json']),
    run(workspace, 'biome', ['check', '--vcs-enabled=false', FOLDER]),
    run(workspace, 'vitest', ['run', '--root', workspace, '--reporter', 'default', FOLDER]),
  ]);
  expect(types).toEqual({ code: 0, printed: '' });
  expect([lint.code, lint.printed]).toEqual([0, expect.stringContaining('Checked 9 files')]);
  expect(tests.code).toBe(1);
  expect(tests.printed).toContain('In src/verify.ts, return verifyHmac');
  expect(tests.printed).toContain('Put a paid order here as the vendor sends it');
  // To be read by people: a test that tries hundreds of bodies prints the first that fails.
  expect(tests.printed.split('\n').length).toBeLessThan(600);
});

it('a new platform is added to the references of the type checker, after the others', async () => {
  const workspace = await makeWorkspace();
  await createPlatform(workspace, 'cart-b');
  for (const name of ['tsconfig.json', 'tsconfig.test.json']) {
    const { references } = JSON.parse(await readFile(join(workspace, name), 'utf8'));
    const paths = references.map(({ path }: { readonly path: string }) => path);
    expect(paths.filter((path: string) => path === FOLDER)).toEqual([FOLDER]);
    expect(paths.indexOf(FOLDER)).toBe(paths.indexOf('packages/platform-webhooks/cart-a') + 1);
  }
});

it.each([
  [undefined, 'Say how the platform is called'],
  ['Cart', '“Cart” is not a label'],
  ['cart_b', '“cart_b” is not a label'],
  ['-cart', '“-cart” is not a label'],
  ['cart--b', '“cart--b” is not a label'],
  ['../cart', '“../cart” is not a label'],
  ['c'.repeat(41), 'is not a label'],
  ['download-complete', 'means something else already'],
  ['contract', `packages/platform-webhooks/contract exists already.`],
])('the label %s is refused', async (label, reason) => {
  const workspace = await makeWorkspace();
  const before = await readFile(join(workspace, 'tsconfig.json'), 'utf8');
  expect(await createPlatform(workspace, label)).toEqual({
    kind: 'refused',
    reason: expect.stringContaining(reason),
  });
  expect(await readFile(join(workspace, 'tsconfig.json'), 'utf8')).toBe(before);
});

function run(cwd: string, program: string, words: readonly string[]) {
  return new Promise<{ readonly code: number; readonly printed: string }>((resolve) => {
    const { PATH = '', HOME = '' } = process.env;
    const file = join(root, 'node_modules/.bin', program);
    execFile(
      file,
      words,
      { cwd, env: { PATH, HOME, NO_COLOR: '1' }, maxBuffer: 2 ** 26 },
      (error, stdout, stderr) => {
        resolve({ code: typeof error?.code === 'number' ? error.code : 0, printed: stdout + stderr });
      },
    );
  });
}
