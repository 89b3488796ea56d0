import type { Readable } from 'node:stream';
import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** The file that a form brought, as it comes in. Whoever does not want it lets it run out. */
export interface UploadedFile {
  readonly name: string;
  readonly content: Readable;
}

/** A file may be of any size: it is never held in memory. */
const LIMITS = { fileSize: Number.MAX_SAFE_INTEGER, files: 1, fields: 20, fieldSize: 4096, parts: 21 };

/** Forms with a file, for the routes of this plugin. */
export async function acceptUploadForms(app: FastifyInstance): Promise<void> {
  await app.register(multipart, { limits: LIMITS });
}

/** Reads a form up to its file. Its fields stand before that, and become the body, as those of other forms are. */
export async function readUploadForm(request: FastifyRequest): Promise<UploadedFile | null> {
  if (!request.isMultipart()) return null;
  const fields = new URLSearchParams();
  request.body = fields;
  for await (const part of request.parts()) {
    if (part.type === 'file') return { name: part.filename ?? '', content: part.file };
    if (typeof part.value === 'string') fields.append(part.fieldname, part.value);
  }
  return null;
}
