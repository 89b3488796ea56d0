import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { type ActivateVersionResult, type AddVersionFileResult, storeVersionFile } from '@handover/domain';
import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import { activateVersionWithEntry, putFileWithEntry } from '../actions/product-actions.ts';
import { type CallerPorts, callerOf, requireCaller } from '../auth/caller.ts';
import type { HttpPorts } from '../http-ports.ts';
import { documented } from '../openapi/documented.ts';
import { refuseAsJson } from '../requests/answer-error.ts';
import { checkDigest, readContentDigest } from '../requests/content-digest.ts';
import { type FileLimits, receiveFile, refuseEncodedFile } from '../requests/receive-file.ts';
import { leaveBodiesUnread } from '../requests/request-bodies.ts';
import { presentProduct, presentVersionWithFiles } from './present-product.ts';
import { activateVersionDocs, uploadFileDocs } from './product-docs.ts';
import { FileParams, VersionParams } from './product-schemas.ts';

type Ports = CallerPorts & Pick<HttpPorts, 'files' | 'ids' | 'inTransaction' | 'products'>;

/** Routes whose body is not JSON: a file of any type and size, or nothing. */
export function versionFileRoutes(ports: Ports, limits: FileLimits): FastifyPluginAsync {
  const onRequest = requireCaller(ports, 'member');
  return async (instance) => {
    const app = instance.withTypeProvider<TypeBoxTypeProvider>();
    // The body stays unread, so that the file store can stream it at its own speed.
    leaveBodiesUnread(app);

    const path = '/products/:productId/versions/:versionId';
    const config = { fileUpload: 'any type' } as const;
    const uploadOptions = { onRequest, schema: documented(uploadFileDocs, { params: FileParams }), config };
    app.put(`${path}/files/:name`, uploadOptions, async (request, reply) => {
      const { orgId, by } = callerOf(request);
      const at = { orgId, ...request.params };
      const announced = readContentDigest(request.raw.headers);
      if ('problem' in announced) return refuseAsJson(reply, 400, announced.problem);
      refuseEncodedFile(request.raw.headers);
      const length = Number(request.raw.headers['content-length'] ?? 0);
      const body = receiveFile(request.raw, limits, length);
      const content = announced.sha256 === null ? body : checkDigest(body, announced.sha256);
      try {
        const stored = await storeVersionFile(ports, at, content);
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
      return refuseAsJson(reply, 404, 'There is no such version of this product.');
    case 'frozen':
      return refuseAsJson(
        reply,
        409,
        'This version was active, so its files stay as they are. Make a new version.',
      );
  }
}

function answerActivated(reply: FastifyReply, result: ActivateVersionResult): FastifyReply {
  switch (result.kind) {
    case 'activated': {
      const activeVersion = presentVersionWithFiles(result.version);
      return reply.send({ product: presentProduct(result.product), activeVersion });
    }
    case 'unknown-version':
      return refuseAsJson(reply, 404, 'There is no such version of this product.');
    case 'no-files':
      return refuseAsJson(reply, 409, 'This version has no files yet. Upload one, then activate it.');
  }
}
