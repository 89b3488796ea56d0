import formbody from '@fastify/formbody';
import multipart from '@fastify/multipart';
import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify';

/** One field, by name and value. A list of pairs preserves repeated fields, which an object would lose. */
export type FormField = readonly [name: string, value: string];

export type ReadFields =
  | { readonly kind: 'fields'; readonly fields: readonly FormField[] }
  /** Parts that are files or otherwise not text. */
  | { readonly kind: 'not-text'; readonly names: readonly string[] }
  | { readonly kind: 'broken' };

/** The limit for a whole form: no field of it is long. */
export const FORM_LIMIT = 64 * 1024;
export const FIELDS_LIMIT = 100;

/** Makes the routes of this plugin, and only these, accept forms of both kinds. */
export async function acceptForms(app: FastifyInstance): Promise<void> {
  await app.register(formbody, {
    bodyLimit: FORM_LIMIT,
    parser: (text) => ({ fields: [...new URLSearchParams(text)] }),
  });
  await app.register(multipart, { limits: { parts: FIELDS_LIMIT } });
}

/**
 * The fields of a form of either kind.
 * @throws the framework's own errors (413) for a body too large and for too many fields.
 */
export async function readFields(request: FastifyRequest): Promise<ReadFields> {
  if (request.isMultipart()) return readMultipart(request);
  const { fields = [] } = (request.body ?? {}) as { readonly fields?: readonly FormField[] };
  if (fields.length > FIELDS_LIMIT) throw new request.server.multipartErrors.PartsLimitError();
  return { kind: 'fields', fields };
}

async function readMultipart(request: FastifyRequest): Promise<ReadFields> {
  if (Number(request.headers['content-length']) > FORM_LIMIT)
    throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE();
  try {
    return await Promise.race([collectParts(request), overflow(request)]);
  } catch (error) {
    if (isTooMuch(error)) throw error;
    return { kind: 'broken' };
  }
}

async function collectParts(request: FastifyRequest): Promise<ReadFields> {
  const fields: FormField[] = [];
  const names: string[] = [];
  for await (const part of request.parts()) {
    // An unread file would block the parts after it.
    if (part.type === 'file') part.file.resume();
    if (part.type === 'field' && typeof part.value === 'string') fields.push([part.fieldname, part.value]);
    else names.push(part.fieldname);
  }
  return names.length > 0 ? { kind: 'not-text', names } : { kind: 'fields', fields };
}

/** The parser limits every part, but not their sum, nor the bytes before the first and after the last. */
function overflow({ raw }: FastifyRequest): Promise<never> {
  return new Promise((_resolve, reject) => {
    let received = 0;
    raw.on('data', (chunk: Uint8Array) => {
      received += chunk.length;
      if (received > FORM_LIMIT) reject(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
    });
  });
}

function isTooMuch(error: unknown): boolean {
  return error instanceof Error && 'statusCode' in error && error.statusCode === 413;
}
