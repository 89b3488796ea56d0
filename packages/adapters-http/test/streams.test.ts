import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startStream } from '../src/streaming/start-stream.ts';

const CHUNKS = 20;

async function* chunksAtOnce() {
  for (let at = 0; at < CHUNKS; at += 1) yield 'a'.repeat(100_000);
}

test('gives other requests a turn between the chunks that a fast reader takes', async () => {
  let turns = 0;
  let isDone = false;
  const others = (async () => {
    for (; !isDone; turns += 1) await turn();
  })();
  const fastReader = new Writable({ write: (_chunk, _encoding, done) => done() });
  await pipeline(await startStream(chunksAtOnce()), fastReader);
  isDone = true;
  await others;
  expect(turns).toBeGreaterThanOrEqual(CHUNKS - 2);
});
