import { Readable } from 'node:stream';
import { yieldTurn } from '../system-timer.ts';

/**
 * A stream of the chunks, with the first one already read, so that a failure until then can still set the
 * status. A client that disconnects ends the reading, even before the first byte was sent.
 */
export async function startStream(chunks: AsyncIterable<Chunk>): Promise<Readable> {
  const iterator = chunks[Symbol.asyncIterator]();
  return streamOf(iterator, [await iterator.next()]);
}

type Chunk = string | Uint8Array;

/** A stream of the results already read, followed by the rest. */
export function streamOf(iterator: AsyncIterator<Chunk>, read: IteratorResult<Chunk>[]): Readable {
  async function pushNext(stream: Readable): Promise<void> {
    for (;;) {
      const { done, value } = read.shift() ?? (await readNext());
      if (done) stream.push(null);
      // An empty chunk would not trigger another read.
      else if (value.length === 0) continue;
      else stream.push(value);
      return;
    }
  }

  /** A fast reader takes each chunk at once: without a pause, other requests would wait until it has all of a page. */
  async function readNext(): Promise<IteratorResult<Chunk>> {
    await yieldTurn();
    return iterator.next();
  }

  return new Readable({
    read() {
      pushNext(this).catch((error: Error) => this.destroy(error));
    },
    destroy(error, done) {
      // Not awaited: a source that hangs must not keep the connection open.
      iterator.return?.().catch(() => undefined);
      done(error);
    },
  });
}
