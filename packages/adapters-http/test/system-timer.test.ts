import { open } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { afterAll, expect, it } from 'vitest';
import { yieldTurn } from '../src/system-timer.ts';

const server = createServer((socket) => socket.end('something to read')).listen(0, '127.0.0.1');
afterAll(() => void server.close());

it('yields to others after a read too', async () => {
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const hadItsTurn = await new Promise((resolve) => {
    connect(port, '127.0.0.1').once('data', async () => {
      let fired = false;
      setTimeout(() => {
        fired = true;
      }, 1);
      holdFor(5);
      await yieldTurn();
      resolve(fired);
    });
  });
  expect(hadItsTurn).toBe(true);
});

it('yields to others after any other wait', async () => {
  const file = await open(new URL(import.meta.url));
  await file.close();
  let fired = false;
  setTimeout(() => {
    fired = true;
  }, 1);
  holdFor(5);
  await yieldTurn();
  expect(fired).toBe(true);
});

function holdFor(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}
