import { type Readable, Transform } from 'node:stream';

/** The body as it is, until `check` objects to the length of a chunk: then it fails with that error. */
export function checkChunks(body: Readable, check: (bytes: number) => Error | null): Readable {
  const checked = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      const objection = check(chunk.length);
      if (objection) done(objection);
      else done(null, chunk);
    },
  });
  // Not a pipeline: that would close the connection, and nobody could be told why.
  body.once('error', (error) => checked.destroy(error));
  // Its reader may have given up before.
  checked.on('error', () => undefined);
  return body.pipe(checked);
}
