import { execFile, spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sampleOrder } from '@handover/platform-storefront-b/testing';
import { expect, it } from 'vitest';
import { makeTemporaryDirectory } from '../../../test/temporary-directory.ts';
import { runCliForJson } from './support/server-process.ts';
import { openOwnShop, shareServer } from './support/shared-server.ts';

const shared = shareServer();
const HAS_PROGRAMS = ['curl', 'openssl'].every((name) => spawnSync('which', [name]).status === 0);

it.runIf(HAS_PROGRAMS)(
  'an order that is signed by the commands of docs/connections.md is accepted',
  async () => {
    const { environment, server, shop } = await openOwnShop(shared());
    const words = ['integration', 'set', '--org', shop.orgId, '--platform', 'storefront-b'];
    const secret = 'a secret of the shop';
    const { webhookUrl } = await runCliForJson<{ webhookUrl: string }>(
      { ...environment, SITE_URL: server.url },
      [...words, '--secret', secret],
    );
    const page = await readFile(new URL('../../../docs/connections.md', import.meta.url), 'utf8');
    const [, commands = ''] = /```sh\n(SIGNATURE=.+?)```/s.exec(page) ?? [];
    const cwd = await makeTemporaryDirectory();
    await writeFile(join(cwd, 'order.json'), sampleOrder());
    const env = { ...process.env, SECRET: secret, WEBHOOK_URL: webhookUrl };
    const { stdout } = await promisify(execFile)('sh', ['-c', commands], { cwd, env });
    expect(JSON.parse(stdout)).toMatchObject({ received: true, deliveryId: expect.any(String) });
  },
);
