import { Readable } from 'node:stream';

/**
 * A stream of the chunks, with the first already read: what fails before anything is sent can still get a status of
 * its own. Whoever goes away ends the reading, even before a byte was sent.
 */
export async function startStream(chunks: AsyncIterable<Chunk>): Promise<Readable> {
  const iterator = chunks[Symbol.asyncIterator]();
  return streamOf(iterator, [await iterator.next()]);
}

type Chunk = string | Uint8Array;

/** A stream of what was already read, and then of what comes. */
export function streamOf(iterator: AsyncIterator<Chunk>, read: IteratorResult<Chunk>[]): Readable {
  async function pushNext(stream: Readable): Promise<void> {
    for (;;) {
      const { done, value } = read.shift() ?? (await iterator.next());
      if (done) stream.push(null);
      // An empty chunk would not ask to be read on.
      else if (value.length === 0) continue;
      else stream.push(value);
      return;
    }
  }

  return new Readable({
    read() {
      pushNext(this).catch((error: Error) => this.destroy(error));
    },
    destroy(error, done) {
      // Not waited for: a source that hangs must not keep the connection.
      iterator.return?.().catch(() => undefined);
      done(error);
    },
  });
}
