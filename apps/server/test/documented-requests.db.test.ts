import { execFile, spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sampleOrder } from '@handover/platform-storefront-b/testing';
import { describe, expect, it } from 'vitest';
import { makeTemporaryDirectory } from '../../../test/temporary-directory.ts';
import { runCliForJson } from './support/server-process.ts';
import { openOwnShop, shareServer } from './support/shared-server.ts';

const shared = shareServer();
const HAS_PROGRAMS = ['curl', 'openssl'].every((name) => spawnSync('which', [name]).status === 0);

/** The commands of the block that begins like that, which are run in a directory with these files. */
async function openCommands(page: string, start: string, files: Readonly<Record<string, Uint8Array>>) {
  const text = await readFile(new URL(`../../../docs/${page}`, import.meta.url), 'utf8');
  const [, commands = ''] =
    text
      .split('```sh\n')
      .find((block) => block.startsWith(start))
      ?.match(/^(.+?)```/s) ?? [];
  const cwd = await makeTemporaryDirectory();
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(cwd, name), bytes);
  const run = async (command: string, variables: Readonly<Record<string, string>>) => {
    const env = { ...process.env, ...variables };
    const { stdout } = await promisify(execFile)('sh', ['-c', command], { cwd, env });
    return JSON.parse(stdout);
  };
  return { commands, run };
}

describe.runIf(HAS_PROGRAMS)('the commands of the documents', () => {
  it('sign an order of WooCommerce that is accepted', async () => {
    const { environment, server, shop } = await openOwnShop(shared());
    const words = ['integration', 'set', '--org', shop.orgId, '--platform', 'storefront-b'];
    const SECRET = 'a secret of the shop';
    const { webhookUrl } = await runCliForJson<{ webhookUrl: string }>(
      { ...environment, SITE_URL: server.url },
      [...words, '--secret', SECRET],
    );
    const files = { 'order.json': sampleOrder() };
    const { commands, run } = await openCommands('connections.md', 'SIGNATURE=', files);
    const answer = await run(commands, { SECRET, WEBHOOK_URL: webhookUrl });
    expect(answer).toMatchObject({ received: true, deliveryId: expect.any(String) });
  });

  it('make a product through the API, one after the other, up to a published one', async () => {
    const { server, shop } = await openOwnShop(shared());
    const files = { 'felt-piano.zip': new TextEncoder().encode('felt') };
    const { commands, run } = await openCommands('api.md', 'curl -H "X-API-Key: $KEY"', files);
    const lines = commands
      .replaceAll('http://localhost:3000', server.url)
      // The shop of the test has a product of that name.
      .replaceAll('"felt-piano"', '"felt-piano-2"')
      .split('\n')
      .filter(Boolean);
    expect(lines).toHaveLength(5);
    const variables: Record<string, string> = { KEY: shop.apiKey, ID: '', VERSION: '' };
    const answers = [];
    for (const line of lines) {
      const answer = await run(line, variables);
      answers.push(answer);
      if (answers.length === 1) variables.ID = answer.id;
      if (answers.length === 2) variables.VERSION = answer.id;
    }
    expect(answers[2]).toMatchObject({ name: 'felt-piano.zip', size: 4 });
    expect(answers[4]).toMatchObject({ status: 'published', activeVersionId: variables.VERSION });
  });
});
