import { createReadStream } from 'node:fs';
import { DetailedError, FileUrlStorage, Upload } from 'tus-js-client';
import { CommandError } from './run-command.ts';

export interface FileToSend {
  readonly path: string;
  readonly name: string;
  readonly size: number;
  readonly sha256: string;
}

export interface Destination {
  readonly serverUrl: string;
  readonly apiKey: string;
  readonly productId: string;
  readonly versionId: string;
  /** The file that records started uploads, so that a repeated command resumes them. */
  readonly memory: string;
}

/** Proxies limit or reject requests of gigabytes. */
const PIECE_BYTES = 64 * 1024 * 1024;
/** About two minutes in total, restarted after every successful piece: the upload survives a restart of the server. */
const RETRY_AFTER_MS = [500, 1000, 2000, 3000, 5000, 10_000, 15_000, 20_000, 30_000, 30_000];

/** Sends a file in pieces, and resumes an earlier try. */
export async function sendFile(
  file: FileToSend,
  to: Destination,
  onProgress: (done: number, total: number) => void,
): Promise<void> {
  // tus-js-client calls url.parse(): the user cannot fix Node's warning.
  process.noDeprecation = true;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const upload = new Upload(createReadStream(file.path) as never, {
    endpoint: `${to.serverUrl}/api/uploads`,
    headers: { authorization: `Bearer ${to.apiKey}` },
    metadata: {
      productId: to.productId,
      versionId: to.versionId,
      filename: file.name,
      sha256: file.sha256,
    },
    uploadSize: file.size,
    chunkSize: PIECE_BYTES,
    retryDelays: RETRY_AFTER_MS,
    onShouldRetry: isWorthAnotherTry,
    urlStorage: new FileUrlStorage(to.memory),
    fingerprint: async () => [to.serverUrl, to.versionId, file.sha256, file.name].join(' '),
    removeFingerprintOnSuccess: true,
    onProgress,
    onSuccess: () => resolve(),
    onError: reject,
  });
  const [begun] = await upload.findPreviousUploads();
  if (begun) upload.resumeFromPreviousUpload(begun);
  upload.start();
  return promise.catch((error: unknown) => {
    throw new CommandError(explain(error, file, to));
  });
}

/** A retry does not change what a server refuses, and a full disk does not empty itself in a minute. */
function isWorthAnotherTry({ originalResponse }: DetailedError): boolean {
  const status = originalResponse?.getStatus() ?? 0;
  // 408: the connection was silent for too long, for example while a computer slept.
  return (
    status === 0 || status === 408 || status === 409 || status === 423 || (status >= 500 && status !== 507)
  );
}

function explain(error: unknown, { name }: FileToSend, { serverUrl }: Destination): string {
  const again = 'The same command resumes where it stopped.';
  const response = error instanceof DetailedError ? error.originalResponse : null;
  if (!response) return `${name} did not get through to ${serverUrl}. ${again}`;
  const status = response.getStatus();
  const refused = `${name} was not taken (${status}): ${readProblem(response.getBody())}`;
  // It will be too large the next time as well.
  return status === 413 ? refused : `${refused} ${again}`;
}

function readProblem(body: string): string {
  try {
    const { error }: { readonly error?: unknown } = JSON.parse(body);
    return typeof error === 'string' ? error : body;
  } catch {
    return body;
  }
}
