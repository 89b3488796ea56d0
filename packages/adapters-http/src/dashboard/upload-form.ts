import type { Readable } from 'node:stream';
import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  type FileLimits,
  receiveFile,
  refuseEncodedFile,
  UploadError,
  withoutSilence,
} from '../requests/receive-file.ts';

/** The file of a form, as a stream. */
export interface UploadedFile {
  readonly name: string;
  /** Fails with an `UploadError` when the form does not have exactly one file, or the file is rejected. */
  readonly content: AsyncIterable<Uint8Array>;
}

const MAX_FIELDS = 20;
const MAX_FIELD_BYTES = 4096;
/** The maximum size of a form without its file. */
const MAX_OVERHEAD = 2 * MAX_FIELDS * MAX_FIELD_BYTES;
/** A file can have any size here: it is never buffered, and `receiveFile` limits it. */
const LIMITS = {
  fileSize: Number.MAX_SAFE_INTEGER,
  files: 1,
  fields: MAX_FIELDS,
  fieldSize: MAX_FIELD_BYTES,
  parts: MAX_FIELDS + 1,
};

/** Parses forms with a file, on the routes of this plugin. */
export async function acceptUploadForms(app: FastifyInstance): Promise<void> {
  await app.register(multipart, { limits: LIMITS });
}

/**
 * Reads a form up to its file. Its fields precede the file and become the body, as with other forms. An
 * error says why it cannot be read; the fields before it are kept.
 */
export async function readUploadForm(
  request: FastifyRequest,
  limits: FileLimits,
): Promise<UploadedFile | UploadError | null> {
  if (!request.isMultipart()) return null;
  const fields = new URLSearchParams();
  request.body = fields;
  try {
    refuseEncodedFile(request.headers);
    const parts = request.parts();
    for (;;) {
      const { done, value: part } = await withoutSilence(parts.next(), limits.silenceMs);
      if (done) return null;
      if (part.type === 'file') {
        const announced = Number(request.headers['content-length'] ?? 0) - MAX_OVERHEAD;
        return { name: part.filename ?? '', content: readOnlyFile(part.file, parts, limits, announced) };
      }
      if (typeof part.value === 'string') fields.append(part.fieldname, part.value);
    }
  } catch (error) {
    return explain(error);
  }
}

/** The file's bytes; fails at their end if the form contains another file or is truncated. */
async function* readOnlyFile(
  file: Readable,
  parts: AsyncIterator<{ readonly type: string }>,
  limits: FileLimits,
  announced: number,
): AsyncGenerator<Uint8Array> {
  try {
    yield* receiveFile(file, limits, announced);
    for (;;) {
      const { done, value: part } = await withoutSilence(parts.next(), limits.silenceMs);
      if (done) return;
      if (part.type === 'file') throw new UploadError('upload-unreadable', ONE_FILE);
    }
  } catch (error) {
    throw explain(error);
  }
}

const ONE_FILE = 'The form holds more than one file. Send them one by one.';

/** The parser's errors are the sender's fault. */
function explain(error: unknown): UploadError {
  if (error instanceof UploadError) return error;
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'FST_FILES_LIMIT') return new UploadError('upload-unreadable', ONE_FILE);
  if (code === 'FST_PARTS_LIMIT' || code === 'FST_FIELDS_LIMIT') {
    return new UploadError('upload-unreadable', `The form has too many fields. Send at most ${MAX_FIELDS}.`);
  }
  return new UploadError(
    'upload-unreadable',
    'The form cannot be read: it is not well-formed multipart, or it broke off on its way. Send it again.',
  );
}
