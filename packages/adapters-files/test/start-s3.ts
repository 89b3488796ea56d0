import { isDockerThere } from '../../../apps/server/test/start-postgres-container.ts';
import type { S3Place } from '../src/index.ts';
import { serveS3 } from './serve-s3.ts';

export interface S3Server {
  readonly place: S3Place;
  stop(): Promise<void>;
}

const BUCKET = 'handover-files';
const MINIO = 'minio/minio:RELEASE.2025-09-07T16-13-09Z';

/** A real S3 server with one bucket, on a port of its own: MinIO in a container if Docker answers, else one from npm. */
export async function startS3(): Promise<S3Server> {
  return (await tryContainer()) ?? startFromNpm();
}

async function tryContainer(): Promise<S3Server | null> {
  if (!(await isDockerThere())) return null;
  try {
    const { MinioContainer } = await import('@testcontainers/minio');
    const container = await new MinioContainer(MINIO).start();
    const made = await container.exec(['mkdir', '-p', `/data/${BUCKET}`]);
    if (made.exitCode !== 0) throw new Error(made.output);
    const credentials = {
      accessKeyId: container.getUsername(),
      secretAccessKey: container.getPassword(),
    };
    return {
      place: placeAt(container.getConnectionUrl(), credentials),
      stop: async () => {
        await container.stop();
      },
    };
  } catch (error) {
    console.warn(`Docker answers, but its MinIO did not start: ${String(error)}`);
    return null;
  }
}

async function startFromNpm(): Promise<S3Server> {
  const { port, credentials, stop } = await serveS3({ port: 0, bucket: BUCKET });
  return { place: placeAt(`http://127.0.0.1:${port}`, credentials), stop };
}

function placeAt(endpoint: string, credentials: NonNullable<S3Place['credentials']>): S3Place {
  return { bucket: BUCKET, prefix: '', region: 'us-east-1', endpoint, credentials };
}
