import type { S3Client } from '@aws-sdk/client-s3';
import { nameS3Failure } from './name-s3-failure.ts';

/** The location of the files, and the credentials. */
export interface S3Place {
  readonly bucket: string;
  /** The prefix of every key: empty, or a path with a trailing slash. */
  readonly prefix: string;
  readonly region: string;
  /**
   * Null: Amazon's own endpoint. Others are addressed as `<endpoint>/<bucket>`, which all of them support.
   */
  readonly endpoint: string | null;
  /** Null: the SDK's default chain (a profile, the role of the machine or container). */
  readonly credentials: {
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
    readonly sessionToken?: string;
  } | null;
}

export type S3Library = typeof import('@aws-sdk/client-s3');

/** A bucket, with the client and the SDK's commands. Both are loaded on first use. */
export interface S3Bucket extends S3Place {
  /** Runs `work` and maps its errors to ours. */
  ask<T>(work: (client: S3Client, library: S3Library) => Promise<T>): Promise<T>;
}

/** A response that takes longer counts as lost. Bodies have no limit. */
const ANSWER_LIMIT_MS = 120_000;
const CONNECT_LIMIT_MS = 5_000;
/** A download holds a connection until its client has read all of it. */
const MAX_CONNECTIONS = 2_000;

export function openS3Bucket(place: S3Place): S3Bucket {
  let opened: Promise<{ readonly client: S3Client; readonly library: S3Library }> | null = null;
  return {
    ...place,
    ask: async (work) => {
      opened ??= open(place);
      try {
        const { client, library } = await opened;
        return await work(client, library);
      } catch (error) {
        throw nameS3Failure(error, place.bucket);
      }
    },
  };
}

/** The SDK is large, and an installation that keeps its files on disk never needs it. */
async function open({ region, endpoint, credentials }: S3Place) {
  const library = await import('@aws-sdk/client-s3');
  const client = new library.S3Client({
    region,
    ...(endpoint === null ? {} : { endpoint, forcePathStyle: true }),
    ...(credentials === null ? {} : { credentials }),
    maxAttempts: 3,
    // The signature covers every part's SHA-256 already, and not every store supports Amazon's newer
    // checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECT_LIMIT_MS,
      requestTimeout: ANSWER_LIMIT_MS,
      throwOnRequestTimeout: true,
      httpAgent: { maxSockets: MAX_CONNECTIONS },
      httpsAgent: { maxSockets: MAX_CONNECTIONS },
    },
  });
  return { client, library };
}
