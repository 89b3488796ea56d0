import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import PostalMime from 'postal-mime';
import { expect, it } from 'vitest';
import { makeTemporaryDirectory } from '../../../test/temporary-directory.ts';
import { runCliHere, startServer } from './support/server-process.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** The commands of each block in the README's section. */
async function readBlocks(): Promise<readonly (readonly string[])[]> {
  const readme = await readFile(join(root, 'README.md'), 'utf8');
  const [, section = ''] = /^## Your own shop\n([\s\S]*?)^## /m.exec(readme) ?? [];
  return [...section.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block = '']) => block.trim().split('\n'));
}

it('the commands of “Your own shop” lead from an empty installation to a delivered order', async () => {
  const dataDir = await makeTemporaryDirectory();
  const server = await startServer({ DATA_DIR: dataDir });
  const [first = [], mapping = []] = await readBlocks();
  expect([first.length, mapping.length]).toEqual([6, 1]);
  let orgId = 'ORG';
  let printed = '';
  const follow = async (line: string) => {
    // Each command prints the next one, with its values filled in.
    const [, verb = ''] = / -- (\w+ [\w-]+)/.exec(line) ?? [];
    if (printed) expect(printed).toContain(`npm run --silent handover -- ${verb}`);
    if (printed && line.includes('--org')) expect(printed).toContain(`--org ${orgId}`);
    printed = await run(line.replace(/\bORG\b/, orgId), dataDir);
    orgId = /^ {2}organisation +(\S+)$/m.exec(printed)?.[1] ?? orgId;
  };
  for (const line of first) await follow(line);
  expect(printed).toContain(`Next: open the receipt with the download link, in ${server.url}/dev/mail`);

  const [mail = ''] = await readdir(join(dataDir, 'mail'));
  const { to, text = '' } = await PostalMime.parse(await readFile(join(dataDir, 'mail', mail)));
  expect([mail, to?.[0]?.address]).toEqual([expect.stringMatching(/\.eml$/), 'ana@example.com']);
  const [link = ''] = /http:\S+\/d\/\S+/.exec(text) ?? [];
  const file = await fetch(`${link}/files/1.0/README.md`);
  expect([file.status, await file.text()]).toEqual([200, await readFile(join(root, 'README.md'), 'utf8')]);

  // Another SKU delivers it as well, by the command that the mapping prints.
  printed = '';
  for (const line of mapping) await follow(line);
  const [, next = ''] = /^ {2}(npm run .*simulate .*)$/m.exec(printed) ?? [];
  expect(await run(next, dataDir)).toContain('The webhook log says: success.');
});

/** Runs the command with npm, except for the one that prompts for a secret, since a test has no terminal. */
async function run(line: string, dataDir: string): Promise<string> {
  const [, words = ''] = /^npm run --silent handover -- (.*)$/.exec(line) ?? [];
  if (words.startsWith('integration set')) {
    const said = await runCliHere({ DATA_DIR: dataDir }, words.split(' '), async () => 'eight or more');
    expect([said.code, said.stderr]).toEqual([0, expect.stringContaining('/webhooks/')]);
    return said.stdout;
  }
  return new Promise((resolve, reject) => {
    const env = { ...process.env, DATA_DIR: dataDir, PORT: '0' };
    execFile('sh', ['-c', line], { cwd: root, env }, (error, stdout, stderr) =>
      error || stderr.includes('Warning')
        ? reject(new Error(`${line}\n${stdout}${stderr}`))
        : resolve(stdout),
    );
  });
}
