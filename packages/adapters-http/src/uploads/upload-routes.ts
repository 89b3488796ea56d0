import { randomUUID } from 'node:crypto';
import cookies from '@fastify/cookie';
import {
  type ActivityOrigin,
  checkFilePlace,
  type FinishUploadResult,
  finishUpload,
  type ProductFile,
  type WholeUpload,
} from '@handover/domain';
import type { Upload } from '@tus/server';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { putFileWithEntry } from '../actions/product-actions.ts';
import { ACCESS_ENDED, type CallerPorts, callerOf, requireCallerOrSignedInUser } from '../auth/caller.ts';
import type { HttpOptions, HttpPorts } from '../http-ports.ts';
import { documented } from '../openapi/documented.ts';
import { writeContentDigest } from '../requests/content-digest.ts';
import { describeMaxFileSize, type FileLimits } from '../requests/receive-file.ts';
import { leaveBodiesUnread } from '../requests/request-bodies.ts';
import { answerTus, PROTOCOL, refuseFinish, refusePiece, refuseUnknown } from './answer-piece.ts';
import { findHeaderProblem } from './check-headers.ts';
import { createTusProtocol, isWhole, type TusAnswer, type TusProtocol } from './tus-protocol.ts';
import { createUploadDocs, deleteUploadDocs, describeUploadsDocs, sendPieceDocs } from './upload-docs.ts';
import { checkUploadMetadata, readUploadMetadata } from './upload-metadata.ts';

type Ports = CallerPorts &
  Pick<HttpPorts, 'ids' | 'inTransaction' | 'products' | 'sessionTokens' | 'uploads' | 'userSessions'>;

/**
 * Resumable uploads, for files that are too large to send again from the start. The tus protocol moves the
 * bytes; these routes decide who owns an upload and what it becomes. An upload's id begins with its
 * organisation's id, so that foreign uploads are rejected without a query.
 */
export function uploadRoutes(
  ports: Ports,
  options: Pick<HttpOptions, 'siteUrl'>,
  limits: FileLimits,
): FastifyPluginAsync {
  const admit = requireCallerOrSignedInUser(ports, options);
  const onRequest = [admit, checkRequest(limits)];
  const config = { fileUpload: 'any type' } as const;
  const uploading: Uploading = { ports, openProtocol: openOnce(ports, limits), finish: finishOnce(ports) };

  return async (app) => {
    await app.register(cookies);
    leaveBodiesUnread(app);

    const abilities = { ...PROTOCOL, ...ABILITIES, 'tus-max-size': limits.maxFileSize };
    app.options(
      '/uploads',
      { onRequest: admit, schema: documented(describeUploadsDocs) },
      async (_request, reply) => reply.code(204).headers(abilities).send(),
    );
    app.post('/uploads', { onRequest, config, schema: documented(createUploadDocs) }, (request, reply) =>
      createUpload(uploading, request, reply),
    );

    const handlePiece = (request: UploadRequest, reply: FastifyReply) =>
      answerPiece(uploading, request, reply);
    const path = '/uploads/:uploadId';
    app.head<UploadRoute>(path, { onRequest, exposeHeadRoute: false, schema: READ }, handlePiece);
    app.patch<UploadRoute>(path, { onRequest, config, schema: documented(sendPieceDocs) }, handlePiece);
    app.delete<UploadRoute>(path, { onRequest, schema: documented(deleteUploadDocs) }, (request, reply) =>
      deleteUpload(uploading, request, reply),
    );
    const overridden = { onRequest: [overrideMethod, ...onRequest], config, schema: OVERRIDDEN };
    app.post<UploadRoute>(path, overridden, (request, reply) =>
      request.method === 'DELETE' ? deleteUpload(uploading, request, reply) : handlePiece(request, reply),
    );
  };
}

/** What the routes share. */
interface Uploading {
  readonly ports: Ports;
  readonly openProtocol: () => Promise<TusProtocol>;
  readonly finish: (upload: WholeUpload, by: ActivityOrigin) => Promise<FinishUploadResult>;
}

async function createUpload(
  uploading: Uploading,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { orgId } = callerOf(request);
  const metadata = await readUploadMetadata(header(request, 'upload-metadata'));
  if (typeof metadata === 'string') return refusePiece(request, reply, 400, metadata);
  const place = await checkFilePlace(uploading.ports, { orgId, ...metadata });
  if (place.kind !== 'open') return refuseFinish(request, reply, place);
  const uploadId = `${orgId}.${randomUUID()}`;
  const answer = await askProtocol(uploading, request, uploadId);
  return answerProtocol(uploading, request, reply, answer, uploadId);
}

async function answerPiece(
  uploading: Uploading,
  request: UploadRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { uploads } = uploading.ports;
  const { uploadId } = request.params;
  if (!isOwn(request)) return refuseUnknown(request, reply);
  const completed = await uploads.findCompleted(uploadId);
  if (completed) return answerCompleted(request, reply, completed);
  const answer = await askProtocol(uploading, request, uploadId);
  // Another request may have finished it in the meantime.
  const finished = answer.status < 300 ? null : await uploads.findCompleted(uploadId);
  if (finished) return answerCompleted(request, reply, finished);
  return answerProtocol(uploading, request, reply, answer, uploadId);
}

async function deleteUpload(
  uploading: Uploading,
  request: UploadRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { uploads } = uploading.ports;
  const { uploadId } = request.params;
  if (!isOwn(request)) return refuseUnknown(request, reply);
  if (await uploads.findCompleted(uploadId)) {
    await uploads.discard(uploadId);
    return reply.code(204).headers(PROTOCOL).send();
  }
  return answerTus(request, reply, await askProtocol(uploading, request, uploadId));
}

async function askProtocol(
  { openProtocol }: Uploading,
  request: FastifyRequest,
  uploadId: string,
): Promise<TusAnswer> {
  return (await openProtocol()).answer(request, uploadId);
}

/**
 * Any request may find the upload complete: also one that only asks for the offset after a lost response.
 */
async function answerProtocol(
  { ports, finish }: Uploading,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: TusAnswer,
  uploadId: string,
): Promise<FastifyReply> {
  if (answer.status >= 300) return answerTus(request, reply, answer);
  const upload = await findOpen(ports, uploadId);
  if ('sha256' in upload) return answerTus(request, withDigest(reply, upload), answer);
  if (!isWhole(upload)) return answerTus(request, reply, answer);
  const metadata = checkUploadMetadata(upload.metadata);
  if (typeof metadata === 'string') return refusePiece(request, reply, 400, metadata);
  const { orgId, by, isStillAllowed } = callerOf(request);
  if (!(await isStillAllowed())) return refusePiece(request, reply, 401, ACCESS_ENDED);
  const result = await finish({ id: uploadId, orgId, ...metadata }, by);
  if (result.kind !== 'added') return refuseFinish(request, reply, result);
  return answerTus(request, withDigest(reply, result.file), answer);
}

/** The upload; or its file, if another request has completed it since the answer, and removed its bytes. */
async function findOpen({ uploads }: Ports, uploadId: string): Promise<Upload | ProductFile> {
  try {
    return await (await uploads.pieces()).getUpload(uploadId);
  } catch (error) {
    const completed = await uploads.findCompleted(uploadId);
    if (completed) return completed;
    throw error;
  }
}

interface UploadRoute {
  Params: { readonly uploadId: string };
}
type UploadRequest = FastifyRequest<UploadRoute>;

const ABILITIES = {
  'tus-version': '1.0.0',
  'tus-extension': 'creation,creation-with-upload,creation-defer-length,termination',
};

const READ = { 'x-handover-access': 'any role', 'x-handover-scope': 'products:read' } as const;
const OVERRIDDEN = { 'x-handover-access': 'any role', 'x-handover-scope': 'products:write' } as const;

/**
 * A client whose PATCH or DELETE something on the way does not let through sends a POST that names it:
 * https://tus.io/protocols/resumable-upload#x-http-method-override
 */
const overrideMethod: onRequestAsyncHookHandler = async (request, reply) => {
  const method = header(request, 'x-http-method-override')?.toUpperCase();
  if (method !== 'PATCH' && method !== 'DELETE') {
    reply.header('allow', 'HEAD, PATCH, DELETE');
    return refusePiece(request, reply, 405, 'This address takes HEAD, PATCH or DELETE, not POST.');
  }
  request.raw.method = method;
  return undefined;
};

/** Checks that need only the headers, before any query or body is read. */
function checkRequest({ maxFileSize }: FileLimits): onRequestAsyncHookHandler {
  return async (request, reply) => {
    const { headers } = request.raw;
    if (headers['tus-resumable'] !== PROTOCOL['tus-resumable']) {
      reply.headers(ABILITIES);
      return refusePiece(request, reply, 412, '“Tus-Resumable” must be 1.0.0. Send “Tus-Resumable: 1.0.0”.');
    }
    const problem = findHeaderProblem(request.method, headers);
    if (problem !== null) return refusePiece(request, reply, 400, problem);
    if (Number(headers['upload-length'] ?? 0) <= maxFileSize) return undefined;
    return refusePiece(
      request,
      reply.header('tus-max-size', maxFileSize),
      413,
      describeMaxFileSize(maxFileSize),
    );
  };
}

function isOwn(request: UploadRequest): boolean {
  return (
    request.params.uploadId.startsWith(`${callerOf(request).orgId}.`) && ID.test(request.params.uploadId)
  );
}

const ID = /^[0-9a-z_-]+\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Opens the store of pieces with the first upload. */
function openOnce({ uploads }: Pick<HttpPorts, 'uploads'>, limits: FileLimits): () => Promise<TusProtocol> {
  let opened: { readonly store: unknown; readonly protocol: Promise<TusProtocol> } | null = null;
  return async () => {
    const store = await uploads.pieces();
    if (opened?.store !== store) opened = { store, protocol: createTusProtocol(store, limits) };
    return opened.protocol;
  };
}

/** Concurrent requests wait for the same completion of an upload. */
function finishOnce(ports: Ports): (upload: WholeUpload, by: ActivityOrigin) => Promise<FinishUploadResult> {
  const running = new Map<string, Promise<FinishUploadResult>>();
  return (upload, by) => {
    const finishing =
      running.get(upload.id) ??
      finishUpload(ports, upload, (kept) => putFileWithEntry(ports, by, upload, kept)).finally(() =>
        running.delete(upload.id),
      );
    running.set(upload.id, finishing);
    return finishing;
  };
}

function header(request: FastifyRequest, name: string): string | undefined {
  const value = request.raw.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** The bytes are stored already; answers a sender that asks for the offset or sends an empty piece. */
function answerCompleted(request: FastifyRequest, reply: FastifyReply, file: ProductFile): FastifyReply {
  if (request.method !== 'HEAD' && header(request, 'upload-offset') !== String(file.size)) {
    return refusePiece(request, reply, 409, 'The upload is whole. There is nothing more to send.');
  }
  return withDigest(reply, file)
    .code(request.method === 'HEAD' ? 200 : 204)
    .headers({ ...PROTOCOL, 'upload-offset': file.size, 'upload-length': file.size })
    .send();
}

function withDigest(reply: FastifyReply, { sha256 }: ProductFile): FastifyReply {
  return reply.header('repr-digest', writeContentDigest(sha256));
}
