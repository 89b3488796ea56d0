import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { DataStore, Upload } from '@tus/server';
import type { FastifyRequest } from 'fastify';
import { type FileLimits, receiveFile, UploadError } from '../requests/receive-file.ts';

/** What the tus library has to say to a request. */
export interface TusAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** A sentence, for what was not done. */
  readonly problem: string;
}

export interface TusProtocol {
  /**
   * Answers a request about the upload, or one that makes an upload of that id. Rejects with the store's own error when
   * the store fails, and with an `UploadError` when its sender is silent; what came in until then stays.
   */
  answer(request: FastifyRequest, uploadId: string): Promise<TusAnswer>;
}

/**
 * The tus protocol (https://tus.io/protocols/resumable-upload) over a store of pieces. Its library is loaded with the first
 * upload: most processes never see one.
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
    // Below the address that was asked, whatever a proxy in front calls it.
    generateUrl: (_request, { id }) => `uploads/${id}`,
    // The API is for programs that hold a key, not for other people's pages.
    allowedOrigins: [],
    onResponseError: (request, error) => {
      // The library's own errors say a status: an overrun is the sender's fault.
      if (error instanceof Error && !('status_code' in error)) failures.set(request as Request, error);
      return undefined;
    },
  });

  /** The library tells every failure of a body as the same one. */
  function watch({ raw }: FastifyRequest, onError: (error: UploadError) => void): Readable {
    return Readable.from(noteError(), { objectMode: false });

    async function* noteError(): AsyncGenerator<Uint8Array> {
      try {
        // The library itself bounds how much may come.
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

/** No others: the library also speaks to browsers of other origins. */
const PASSED_ON = /^(location|tus-[a-z-]+|upload-[a-z-]+)$/;

/** All that the library needs to know. Others mean something to it that they do not mean here. */
const PASSED_IN = /^(tus-[a-z-]+|upload-[a-z-]+|content-(type|length))$/;

function toWebRequest({ raw, method }: FastifyRequest, uploadId: string, body: Readable): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(raw.headers)) {
    if (value !== undefined && PASSED_IN.test(name))
      headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  // Of the address it needs no more than the id; a query would pass for a part of it.
  const url = `http://uploads/uploads/${method === 'POST' ? '' : uploadId}`;
  if (method === 'HEAD' || method === 'DELETE') return new Request(url, { method, headers });
  return new Request(url, { method, headers, body: Readable.toWeb(body) as ReadableStream, duplex: 'half' });
}

export function isWhole({ offset, size }: Upload): boolean {
  return offset === size;
}
