import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, test, vi } from 'vitest';
import { WAIT_TIMEOUT_MS } from '../../../test/wait-timeout.ts';
import { createTransferRecorder } from '../src/customer/record-transfers.ts';
import { sellPads } from './sell-pads.ts';

test('does not count bytes that were still queued when the client disconnected', async () => {
  const sale = await sellPads();
  const linkId = sale.ports.tokens.open(sale.token)?.linkId ?? '';
  const recorder = createTransferRecorder(sale.ports);
  // It has no connection yet, so whatever is written waits.
  const answer = new ServerResponse(new IncomingMessage(new Socket()));
  const file = { version: '1.0', name: 'pads.zip', size: 5 };
  const of = { orgId: sale.shop.orgId, linkId, file, client: 'browser', joining: null } as const;
  const pass = recorder.begin(of, answer, sale.app.log);
  for await (const chunk of pass(hello(), 0)) answer.write(chunk);
  answer.emit('close');
  await recorder.idle();
  expect(await sale.stores.sessions.latest(sale.shop.orgId, linkId)).toBe(null);
});

test('saves the bytes that a client took before it stalled, while it stalls', async () => {
  const sale = await sellPads();
  const linkId = sale.ports.tokens.open(sale.token)?.linkId ?? '';
  const recorder = createTransferRecorder(sale.ports);
  const answer = new ServerResponse(new IncomingMessage(new Socket()));
  const file = { version: '1.0', name: 'pads.zip', size: 5 };
  const of = { orgId: sale.shop.orgId, linkId, file, client: 'browser', joining: null } as const;
  const taken = recorder.begin(of, answer, sale.app.log)(letters(), 0)[Symbol.asyncIterator]();
  // Of five letters the fifth is never taken, and the clock of the shop stands still.
  for (let letter = 1; letter <= 5; letter += 1) await taken.next();
  const latest = () => sale.stores.sessions.latest(sale.shop.orgId, linkId);
  await vi.waitUntil(async () => (await latest())?.files[0]?.sent === 4, WAIT_TIMEOUT_MS);
  answer.emit('close');
  await recorder.idle();
});

test('lets download-complete wait for a session that is being started', async () => {
  const sale = await sellPads(undefined, ({ sessions }) => ({
    sessions: {
      ...sessions,
      begin: async (...given) => {
        await new Promise((resolve) => setTimeout(resolve, 100));
        return sessions.begin(...given);
      },
    },
  }));
  await sale.app.inject(`/d/${sale.token}/files/1.0/pads.zip`);
  const answer = await sale.app.inject({
    method: 'POST',
    url: `/webhooks/${sale.shop.orgId}/download-complete`,
    payload: { token: sale.token },
  });
  expect(answer.json()).toMatchObject({ received: true, sessionId: expect.any(String) });
});

async function* hello(): AsyncIterable<Uint8Array> {
  yield Buffer.from('hello');
}

async function* letters(): AsyncIterable<Uint8Array> {
  for (const letter of 'hello') yield Buffer.from(letter);
}
