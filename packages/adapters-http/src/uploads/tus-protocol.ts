import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { DataStore, Upload } from '@tus/server';
import type { FastifyRequest } from 'fastify';
import { type FileLimits, receiveFile, UploadError } from '../requests/receive-file.ts';

/** The tus library's answer to a request. */
export interface TusAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The reason, in a sentence, when the request failed. */
  readonly problem: string;
}

export interface TusProtocol {
  /**
   * Answers a request about an upload, or one that creates an upload with that id. Rejects with the store's
   * own error when the store fails, and with an `UploadError` when the sender pauses too long; the bytes
   * received so far are kept.
   */
  answer(request: FastifyRequest, uploadId: string): Promise<TusAnswer>;
}

/**
 * The tus protocol (https://tus.io/protocols/resumable-upload) over a store of pieces. The library is
 * loaded with the first upload: most processes never receive one.
 */
export async function createTusProtocol(store: DataStore, limits: FileLimits): Promise<TusProtocol> {
  const { Server } = await import('@tus/server');
  const newIds = new WeakMap<Request, string>();
  const failures = new WeakMap<Request, Error>();
  const server = new Server({
    path: '/uploads',
    datastore: store,
    maxSize: limits.maxFileSize,
    namingFunction: (request) => newIds.get(request as Request) ?? randomUUID(),
    // A relative address, so that it is correct behind any proxy.
    generateUrl: (_request, { id }) => `uploads/${id}`,
    // The API is for programs with a key, not for pages of other sites.
    allowedOrigins: [],
    onResponseError: (request, error) => {
      // The library's own errors have a status: an overrun is the sender's fault.
      if (error instanceof Error && !('status_code' in error)) failures.set(request as Request, error);
      return undefined;
    },
  });

  /** The library reports every failure of a body as the same error, so the original one is captured. */
  function watch({ raw }: FastifyRequest, onError: (error: UploadError) => void): Readable {
    return Readable.from(rememberError(), { objectMode: false });

    async function* rememberError(): AsyncGenerator<Uint8Array> {
      try {
        // The library itself limits the number of bytes.
        yield* receiveFile(raw, { ...limits, maxFileSize: Number.POSITIVE_INFINITY });
      } catch (error) {
        if (error instanceof UploadError) onError(error);
        throw error;
      }
    }
  }

  return {
    answer: async (request, uploadId) => {
      let broken: UploadError | null = null;
      const body = watch(request, (error) => {
        broken = error;
      });
      const asked = toWebRequest(request, uploadId, body);
      newIds.set(asked, uploadId);
      const response = await server.handleWeb(asked);
      const failure = failures.get(asked);
      if (broken ?? failure) throw broken ?? failure;
      return {
        status: response.status,
        headers: Object.fromEntries([...response.headers].filter(([name]) => PASSED_ON.test(name))),
        problem: (await response.text()).trim(),
      };
    },
  };
}

/** Only these response headers: the library also adds CORS headers. */
const PASSED_ON = /^(location|tus-[a-z-]+|upload-[a-z-]+)$/;

/** Only these request headers: others have a meaning for the library that they do not have here. */
const PASSED_IN = /^(tus-[a-z-]+|upload-[a-z-]+|content-(type|length))$/;

function toWebRequest({ raw, method }: FastifyRequest, uploadId: string, body: Readable): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(raw.headers)) {
    if (value !== undefined && PASSED_IN.test(name))
      headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  // The library needs only the id from the address; it would take a query for a part of it.
  const url = `http://uploads/uploads/${method === 'POST' ? '' : uploadId}`;
  if (method === 'HEAD' || method === 'DELETE') return new Request(url, { method, headers });
  return new Request(url, { method, headers, body: Readable.toWeb(body) as ReadableStream, duplex: 'half' });
}

export function isWhole({ offset, size }: Upload): boolean {
  return offset === size;
}
