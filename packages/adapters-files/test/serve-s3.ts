import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from '@20minutes/s3rver';

/** The S3 server from npm, with one bucket. It knows one account. */
export async function serveS3(wanted: { readonly port: number; readonly bucket: string }) {
  const directory = await mkdtemp(join(tmpdir(), 'handover-s3-'));
  const make = (port: number) =>
    new S3rver({
      address: '127.0.0.1',
      port,
      silent: true,
      // Under a name, as in a container, it is not a bucket of that name.
      vhostBuckets: false,
      directory,
      configureBuckets: [{ name: wanted.bucket }],
    });
  let server = make(wanted.port);
  const { port } = await server.run();
  return {
    port,
    credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
    /** Refuses connections. What it has stays. */
    pause: () => server.close(),
    resume: async () => {
      server = make(port);
      await server.run();
    },
    stop: async () => {
      await server.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
