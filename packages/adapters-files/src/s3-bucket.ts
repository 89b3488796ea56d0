import type { S3Client } from '@aws-sdk/client-s3';
import { FileStoreError } from './file-store-error.ts';
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
  /** The same for a request that is answered at once by a store that works: somebody waits for it. */
  askBriefly<T>(
    work: (
      client: S3Client,
      library: S3Library,
      options: { readonly abortSignal: AbortSignal },
    ) => Promise<T>,
  ): Promise<T>;
  /** The same, tried once: a removal that was lost and arrives after its own repeat would remove what was stored since. */
  askOnce: S3Bucket['askBriefly'];
  readonly limits: S3Limits;
}

/** How long a store that accepted a connection may be silent. */
export interface S3Limits {
  /** Before it answers a brief request, in all tries together. */
  readonly answerMs: number;
  /** Between two chunks of a body. */
  readonly chunkMs: number;
}

const LIMITS: S3Limits = { answerMs: 15_000, chunkMs: 20_000 };

/** A response that takes longer counts as lost: of the parts of an upload, and of copies within the store. */
const ANSWER_LIMIT_MS = 120_000;
const CONNECT_LIMIT_MS = 5_000;
/** A download holds a connection until its client has read all of it. */
const MAX_CONNECTIONS = 2_000;

export function openS3Bucket(place: S3Place, limits: S3Limits = LIMITS): S3Bucket {
  const ask = askWith(place, 3);
  return {
    ...place,
    limits,
    ask,
    askBriefly: briefly(ask, limits),
    askOnce: briefly(askWith(place, 1), limits),
  };
}

function askWith(place: S3Place, maxAttempts: number): S3Bucket['ask'] {
  let opened: ReturnType<typeof open> | null = null;
  return async (work) => {
    // What could not be loaded, such as for want of file handles, is loaded by the next call.
    opened ??= open(place, maxAttempts).catch((error) => {
      opened = null;
      throw error;
    });
    try {
      const { client, library } = await opened;
      return await work(client, library);
    } catch (error) {
      throw nameS3Failure(error, place.bucket);
    }
  };
}

function briefly(ask: S3Bucket['ask'], limits: S3Limits): S3Bucket['askBriefly'] {
  return async (work) => {
    const controller = new AbortController();
    const { signal: abortSignal } = controller;
    const timer = setTimeout(() => controller.abort(), limits.answerMs);
    try {
      return await ask((client, library) => work(client, library, { abortSignal }));
    } catch (error) {
      throw abortSignal.aborted ? new FileStoreError('file-store-away', SILENT, { cause: error }) : error;
    } finally {
      // A body may follow for as long as its reader takes.
      clearTimeout(timer);
    }
  };
}

export const SILENT = 'The file store does not answer right now.';

/** The SDK is large, and an installation that keeps its files on disk never needs it. */
async function open({ region, endpoint, credentials }: S3Place, maxAttempts: number) {
  const library = await import('@aws-sdk/client-s3');
  const client = new library.S3Client({
    region,
    ...(endpoint === null ? {} : { endpoint, forcePathStyle: true }),
    ...(credentials === null ? {} : { credentials }),
    maxAttempts,
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
