import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fulfilOrder, type SendEmailPorts, sendEmail } from '@handover/domain';
import {
  createCountingIds,
  createFakeApiKeys,
  createFakeComposing,
  makeOrder,
  openShop,
  recordOrder,
} from '@handover/testkit';
import { expect, inject, it, vi } from 'vitest';
import { WAIT_TIMEOUT_MS } from '../../../test/wait-timeout.ts';
import { IDLE_HANDLERS, openTestStores } from '../src/testing/index.ts';

it('mails the receipt that a killed process was mailing', async () => {
  const opened = await openTestStores(inject('postgres'));
  const { stores, queue } = opened;
  const ids = createCountingIds();
  const clock = { now: () => new Date() };
  const shop = await openShop({ stores, clock, ids, apiKeys: createFakeApiKeys() });
  const order = makeOrder(shop);
  const delivery = await recordOrder({ stores, clock, ids }, order);
  await fulfilOrder({ clock, ids, fulfilment: stores.fulfilment }, order, { id: delivery.id, attempts: 0 });

  const killed = spawnMailer(opened.url);
  await once(killed.stdout ?? killed, 'data');
  const readClaim = async () => {
    const { rows } = await opened.database.pool.query('select claimed_until from outgoing_emails');
    return rows[0].claimed_until.getTime();
  };
  const claimedUntil = await readClaim();
  await vi.waitFor(async () => expect(await readClaim()).toBeGreaterThan(claimedUntil), WAIT_TIMEOUT_MS);
  killed.kill('SIGKILL');
  const killedAt = Date.now();

  const mailed: string[] = [];
  const ports: SendEmailPorts = {
    ...createFakeComposing(),
    clock,
    ids,
    outgoingEmails: stores.outgoingEmails,
    mailer: {
      send: async ({ mailId }) => {
        mailed.push(mailId);
        return { kind: 'accepted', answer: '250 OK' };
      },
    },
  };
  await queue.start({
    ...IDLE_HANDLERS,
    'send-email': async (job) => {
      const result = await sendEmail(ports, job);
      return result.kind === 'not-now' ? { again: result.at } : 'done';
    },
  });
  await vi.waitFor(
    async () => {
      expect(await stores.deliveries.find(shop.orgId, delivery.id)).toMatchObject({ status: 'success' });
    },
    { timeout: 60_000, interval: 50 },
  );
  console.log(`The receipt was mailed ${Date.now() - killedAt} ms after the kill`);
  expect(Date.now() - killedAt).toBeLessThan(30_000);
  expect(mailed).toHaveLength(1);
  await opened.close();
});

/** A process whose mail server never answers. */
function spawnMailer(url: string) {
  const program = `
    import { sendEmail } from ${JSON.stringify(import.meta.resolve('@handover/domain'))};
    import * as postgres from ${JSON.stringify(new URL('../src/index.ts', import.meta.url).href)};
    import { IDLE_HANDLERS } from ${JSON.stringify(new URL('../src/testing/open-test-stores.ts', import.meta.url).href)};
    const url = process.argv[1];
    const database = postgres.openDatabase({ url, log: console });
    const queue = postgres.createJobQueue({ url, log: console });
    const secretBox = { seal: (plain) => plain, unseal: (sealed) => sealed, holds: () => false };
    const { outgoingEmails } = postgres.createPostgresStores({ database, jobs: queue, secretBox });
    const clock = { now: () => new Date() };
    const tokens = { url: () => '', myUrl: () => '' };
    const mailer = { send: async () => { console.log('mailing'); return new Promise(() => {}); } };
    await queue.start({
      ...IDLE_HANDLERS,
      'send-email': async (job) => { await sendEmail({ clock, outgoingEmails, mailer, tokens }, job); return 'done'; },
    });
  `;
  return spawn(process.execPath, ['--input-type=module', '--eval', program, url], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}
