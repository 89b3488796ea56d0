import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { DataStore, Upload } from '@tus/server';
import type { FastifyRequest } from 'fastify';

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
   * the store fails.
   */
  answer(request: FastifyRequest, uploadId: string): Promise<TusAnswer>;
}

/**
 * The tus protocol (https://tus.io/protocols/resumable-upload) over a store of pieces. Its library is loaded with the first
 * upload: most processes never see one.
 */
export async function createTusProtocol(store: DataStore): Promise<TusProtocol> {
  const { Server } = await import('@tus/server');
  const newIds = new WeakMap<Request, string>();
  const failures = new WeakMap<Request, Error>();
  const server = new Server({
    path: '/uploads',
    datastore: store,
    namingFunction: (request) => newIds.get(request as Request) ?? randomUUID(),
    // Below the address that was asked, whatever a proxy in front calls it.
    generateUrl: (_request, { id }) => `uploads/${id}`,
    // The API is for programs that hold a key, not for other people's pages.
    allowedOrigins: [],
    onResponseError: (request, error) => {
      if (error instanceof Error) failures.set(request as Request, error);
      return undefined;
    },
  });
  return {
    answer: async (request, uploadId) => {
      const asked = toWebRequest(request, uploadId);
      newIds.set(asked, uploadId);
      const response = await server.handleWeb(asked);
      const failure = failures.get(asked);
      if (failure) throw failure;
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

function toWebRequest({ raw, method }: FastifyRequest, uploadId: string): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(raw.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  // Of the address it needs no more than the id; a query would pass for a part of it.
  const url = `http://uploads/uploads/${method === 'POST' ? '' : uploadId}`;
  if (method === 'HEAD' || method === 'DELETE') return new Request(url, { method, headers });
  return new Request(url, { method, headers, body: Readable.toWeb(raw) as ReadableStream, duplex: 'half' });
}

export function isWhole({ offset, size }: Upload): boolean {
  return offset === size;
}
