import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { type ActivateVersionResult, type AddVersionFileResult, storeVersionFile } from '@handover/domain';
import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { activateVersionWithEntry, putFileWithEntry } from '../actions/product-actions.ts';
import { ACCESS_ENDED, type CallerPorts, callerOf, requireCaller } from '../auth/caller.ts';
import type { HttpPorts } from '../http-ports.ts';
import { documented } from '../openapi/documented.ts';
import type { OperationDocs } from '../openapi/operation-docs.ts';
import { json, refusals } from '../openapi/responses.ts';
import { refuseAsJson } from '../requests/answer-error.ts';
import { checkDigest, readContentDigest } from '../requests/content-digest.ts';
import { type FileLimits, receiveFile, refuseEncodedFile } from '../requests/receive-file.ts';
import { leaveBodiesUnread } from '../requests/request-bodies.ts';
import { presentProduct, presentVersionWithFiles } from './present-product.ts';
import { ActivatedBody, FileBody, FileParams, VersionParams } from './product-schemas.ts';
import { FROZEN_VERSION, UNKNOWN_VERSION } from './refusal-sentences.ts';

type Ports = CallerPorts & Pick<HttpPorts, 'files' | 'ids' | 'inTransaction' | 'products'>;

/** Routes whose body is not JSON: a file of any type and size, or nothing. */
export function versionFileRoutes(ports: Ports, limits: FileLimits): FastifyPluginAsync {
  const onRequest = requireCaller(ports);
  return async (instance) => {
    const app = instance.withTypeProvider<TypeBoxTypeProvider>();
    // The body stays unread, so that the file store can stream it at its own speed.
    leaveBodiesUnread(app);

    const path = '/products/:productId/versions/:versionId';
    const config = { fileUpload: 'any type' } as const;
    const uploadOptions = { onRequest, schema: documented(uploadFileDocs, { params: FileParams }), config };
    app.put(`${path}/files/:name`, uploadOptions, async (request, reply) => {
      const { orgId, by, isStillAllowed } = callerOf(request);
      const at = { orgId, ...request.params };
      const announced = readContentDigest(request.raw.headers);
      if ('problem' in announced) return refuseAsJson(reply, 400, announced.problem);
      refuseEncodedFile(request.raw.headers);
      const length = Number(request.raw.headers['content-length'] ?? 0);
      const body = receiveFile(request.raw, limits, length);
      const content = announced.sha256 === null ? body : checkDigest(body, announced.sha256);
      try {
        const stored = await storeVersionFile(ports, at, content);
        if (!(await isStillAllowed())) return refuseAsJson(reply, 401, ACCESS_ENDED);
        const result =
          stored.kind === 'stored' ? await putFileWithEntry(ports, by, at, stored.content) : stored;
        return answerAdded(reply, result);
      } catch (error) {
        if (!request.raw.errored) throw error;
        return refuseAsJson(
          reply,
          400,
          'The upload broke off, and nothing of it was kept. Send the file again.',
        );
      }
    });

    const schema = documented(activateVersionDocs, { params: VersionParams });
    const activateOptions = { onRequest, schema };
    app.post(`${path}/activate`, activateOptions, async (request, reply) => {
      const { productId, versionId } = request.params;
      return answerActivated(
        reply,
        await activateVersionWithEntry(ports, callerOf(request), productId, versionId),
      );
    });
  };
}

function answerAdded(reply: FastifyReply, result: AddVersionFileResult): FastifyReply {
  switch (result.kind) {
    case 'added': {
      const { name, size, sha256 } = result.file;
      return reply.code(201).send({ name, size, sha256 });
    }
    case 'invalid':
      return refuseAsJson(reply, 400, `“${result.field}” ${result.problem}.`);
    case 'unknown-version':
      return refuseAsJson(reply, 404, UNKNOWN_VERSION.sentence);
    case 'frozen':
      return refuseAsJson(reply, 409, FROZEN_VERSION.sentence);
  }
}

function answerActivated(reply: FastifyReply, result: ActivateVersionResult): FastifyReply {
  switch (result.kind) {
    case 'activated': {
      const activeVersion = presentVersionWithFiles(result.version);
      return reply.send({ product: presentProduct(result.product), activeVersion });
    }
    case 'unknown-version':
      return refuseAsJson(reply, 404, UNKNOWN_VERSION.sentence);
    case 'no-files':
      return refuseAsJson(reply, 409, 'This version has no files yet. Upload one, then activate it.');
  }
}

const version = { tag: 'Versions and files', origin: 'addition', access: 'any role' } as const;

const uploadFileDocs: OperationDocs = {
  ...version,
  operationId: 'uploadFile',
  scope: 'products:write',
  summary: 'Upload a file',
  description:
    'Adds a file to a version that is being prepared, or replaces the one of that name. The body is the file itself, of any type and size; an interrupted upload stores nothing.',
  headers: Type.Object({
    'Repr-Digest': Type.Optional(
      Type.String({
        description:
          'The SHA-256 that the file must have (RFC 9530; `Content-Digest` works, too). A file with another one is not stored.',
      }),
    ),
  }),
  body: {
    description: 'The file’s bytes.',
    contentTypes: ['application/octet-stream'],
    schema: Type.String({ format: 'binary', description: 'The file’s bytes.' }),
  },
  responses: {
    201: json('The file as it was stored. Compare the SHA-256 with your own.', FileBody),
    ...refusals({
      400: 'The name is not a valid file name, the upload was interrupted, or its SHA-256 is not the announced one.',
      404: UNKNOWN_VERSION.docs,
      408: 'No byte arrived for a minute. Nothing was stored.',
      409: FROZEN_VERSION.docs,
      413: 'The file is larger than `MAX_FILE_SIZE`: the sentence names the limit.',
      415: 'The file has a `Content-Encoding`.',
      507: 'There is no room left for files. Nothing was stored.',
    }),
  },
};

const activateVersionDocs: OperationDocs = {
  ...version,
  operationId: 'activateVersion',
  scope: 'products:write',
  summary: 'Activate a version',
  description:
    'Puts a version live: buyers get it from now on, and its files stay as they are. Buyers of earlier versions keep them.',
  responses: {
    200: json('The product and its active version.', ActivatedBody),
    ...refusals({ 404: UNKNOWN_VERSION.docs, 409: 'The version has no files yet.' }),
  },
};
