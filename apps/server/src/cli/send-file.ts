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
  /** The file in which begun uploads are remembered, so that the same command goes on with them. */
  readonly memory: string;
}

/** Proxies look at requests of gigabytes with suspicion. */
const PIECE_BYTES = 64 * 1024 * 1024;
/** Some two minutes in all, and anew after every piece that came through: a server that restarts is waited for. */
const RETRY_AFTER_MS = [500, 1000, 2000, 3000, 5000, 10_000, 15_000, 20_000, 30_000, 30_000];

/** Sends a file in pieces, and goes on where an earlier try broke off. */
export async function sendFile(
  file: FileToSend,
  to: Destination,
  onProgress: (done: number, total: number) => void,
): Promise<void> {
  // tus-js-client calls url.parse(): whoever uploads can do nothing about Node's warning.
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

/** What a server refuses it refuses again, and a full disk does not empty itself in a minute. */
function isWorthAnotherTry({ originalResponse }: DetailedError): boolean {
  const status = originalResponse?.getStatus() ?? 0;
  // 408: the connection was silent for too long, as when a computer sleeps.
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
  // It will be as large the next time.
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
