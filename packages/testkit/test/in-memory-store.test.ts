import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createInMemoryFulfilmentStore } from '@handover/domain/memory';
import { fulfilmentContract, jobsContract, receiptsContract } from '@handover/testkit';
import { describe, expect, it } from 'vitest';

function createStore() {
  const store = createInMemoryFulfilmentStore();
  return { store, putShop: store.putShop, linkExpiresAt: store.linkExpiresAt };
}

fulfilmentContract({ describe, it, expect }, createStore);
receiptsContract({ describe, it, expect }, createStore);
jobsContract({ describe, it, expect }, createStore);

it('passes with Node’s own runner, as the README says', () => {
  const folder = fileURLToPath(new URL('..', import.meta.url));
  const [, example = ''] = /```ts\n([\s\S]*?)```/.exec(readFileSync(`${folder}/README.md`, 'utf8')) ?? [];
  const node = ['--input-type=module-typescript', '--eval', example];
  const printed = execFileSync(process.execPath, node, { cwd: folder, encoding: 'utf8' });
  expect(printed).toMatch(/pass [3-9]\d\n[\s\S]*fail 0\n/);
});
