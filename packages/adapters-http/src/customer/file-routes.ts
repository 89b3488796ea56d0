import { classifyClient, type FileStore, openDownloadFile, type VersionFile } from '@handover/domain';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { HttpPorts } from '../http-ports.ts';
import { documented } from '../openapi/documented.ts';
import { text } from '../openapi/fields.ts';
import type { OperationDocs } from '../openapi/operation-docs.ts';
import { pageErrors, plainText } from '../openapi/responses.ts';
import { addLogContext } from '../requests/request-log.ts';
import { ended, shared, token } from './customer-docs.ts';
import { answerEnded } from './download-page-routes.ts';
import { evaluateFileRequest } from './evaluate-file-request.ts';
import { createBufferLending, type LentBuffer } from './lend-buffers.ts';
import type { PassContent, TransferOf, TransferRecorder } from './record-transfers.ts';
import { contentDisposition, type ReadRange, sendFile, untilItsTurn } from './send-file.ts';

type Ports = Pick<HttpPorts, 'clock' | 'files' | 'ids' | 'links' | 'sessions' | 'tokens'>;

interface FileRoute {
  readonly Params: { readonly token: string; readonly version: string; readonly fileName: string };
  readonly Querystring: Readonly<Record<string, unknown>>;
}

/** The files behind a link, whole or by range. */
export function fileRoutes(ports: Ports, transfers: TransferRecorder): FastifyPluginAsync {
  const lending = createBufferLending();
  return async (app) => {
    app.route<FileRoute>({
      // HEAD is named as well: the HEAD route that Fastify adds would send `content-length: 0`.
      method: ['GET', 'HEAD'],
      url: '/d/:token/files/:version/:fileName',
      schema: documented(downloadFileDocs),
      handler: async (request, reply) => {
        const { token, version, fileName } = request.params;
        addLogContext(request, { orgId: ports.tokens.open(token)?.orgId });
        const fetch = request.method !== 'HEAD';
        // No database probe here: a download that begins late is better than one that fails because the
        // machine is busy with others. The query itself fails when the database is unavailable.
        const result = await openDownloadFile(ports, token, { version, name: fileName }, { fetch });
        if (result.kind !== 'open') return answerEnded(request, reply, result, token);
        const { orgId, linkId, file } = result;
        const answer = evaluateFileRequest(request, file);
        const sends = fetch && (answer.kind === 'whole' || answer.kind === 'ranges');
        if (!sends) return sendFile(reply, file, answer, null);
        await untilItsTurn(reply.raw);
        // The client left meanwhile. What begins now would never be told that the connection closed.
        if (reply.raw.destroyed) return reply.hijack();
        const { session } = request.query;
        const transfer = {
          orgId,
          linkId,
          file: { version: file.version, name: file.name, size: file.size },
          client: classifyClient(request.headers['user-agent']),
          joining: typeof session === 'string' ? session : null,
        };
        const { presign } = ports.files;
        if (presign) return sendElsewhere(ports, presign, { request, reply }, { file, of: transfer });
        const pass = transfers.begin(transfer, reply.raw, request.log);
        return sendFile(
          reply,
          file,
          answer,
          readFrom(ports.files, { orgId, file }, pass, lending(file.size)),
        );
      },
    });
  };
}

function readFrom(
  files: FileStore,
  { orgId, file }: { readonly orgId: string; readonly file: VersionFile },
  pass: PassContent,
  { lend, end }: LentBuffer,
): ReadRange {
  return async function* (range) {
    const content = await files.open(orgId, file.sha256, { ...range, lend });
    if (!content) throw makeMissingError(file);
    try {
      yield* pass(content, range.start);
    } finally {
      end();
    }
  };
}

/** Names the content, so that the log tells the operator what to restore. */
function makeMissingError({ name, sha256 }: VersionFile): Error {
  return new Error(`The file “${name}” is on record, but its content ${sha256} is not in the file store.`);
}

/** Long enough for a browser to resume after a lost connection; later, buyers open the link again. */
const ADDRESS_SECONDS = 6 * 60 * 60;

type Presign = NonNullable<FileStore['presign']>;

/**
 * Redirects the buyer to the object store. Its transfers are invisible to us: the download session begins
 * now, and only download-complete can end it.
 */
async function sendElsewhere(
  ports: Pick<HttpPorts, 'clock' | 'ids' | 'sessions'>,
  presign: Presign,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  { file, of }: { readonly file: VersionFile; readonly of: TransferOf },
): Promise<FastifyReply> {
  const disposition = contentDisposition(file.name);
  const address = await presign(of.orgId, file.sha256, { seconds: ADDRESS_SECONDS, disposition });
  if (!address) throw makeMissingError(file);
  await beginSession(ports, of).catch((error: unknown) => addLogContext(request, { error }));
  return reply
    .code(302)
    .headers({ location: address, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    .send();
}

/** A download never fails because it could not be recorded. */
async function beginSession(
  { clock, ids, sessions }: Pick<HttpPorts, 'clock' | 'ids' | 'sessions'>,
  { orgId, linkId, client, joining }: TransferOf,
): Promise<void> {
  await sessions.begin(orgId, linkId, { sessionId: ids.next(), joining, client, at: clock.now() });
}

const ETag = Type.String({ description: 'SHA-256 of the whole file, in quotes. A strong validator.' });
const ContentRange = Type.String({ description: 'Which bytes of how many.' });

const bytes = {
  contentType: 'application/octet-stream',
  schema: Type.String({ format: 'binary', description: 'The file’s bytes.' }),
};

const described = {
  ETag,
  'Content-Length': Type.Integer({ description: 'Bytes.' }),
  'Content-Disposition': Type.String({ description: '`attachment`, with the file’s name.' }),
  'Repr-Digest': Type.String({ description: 'SHA-256 of the whole file (RFC 9530).' }),
  'Accept-Ranges': Type.String({ description: '`bytes`.' }),
};

const downloadFileDocs: OperationDocs = {
  ...shared,
  operationId: 'downloadFile',
  summary: 'A file behind a link',
  description:
    'The file as it was uploaded, whole or in ranges (RFC 9110, section 14). Fetching it extends the link to 48 hours from now; a transfer in progress finishes, even when the link expires or is revoked. `HEAD` changes nothing. With the first byte a download session begins, which further requests of the link join.',
  params: Type.Object({
    token,
    version: text('The version’s label.', '2.1.0'),
    fileName: text('The file’s name, percent-encoded.', 'felt-piano-2.1.zip'),
  }),
  query: Type.Object({
    session: Type.Optional(
      Type.String({
        description:
          'The download session to join. Without it, or if it is not a running session of this link: the latest.',
      }),
    ),
  }),
  headers: Type.Object({
    Range: Type.Optional(
      Type.String({
        description:
          'One range of bytes or several. Ranges that overlap or touch are sent as one; more than one that are left, up to sixteen, as `multipart/byteranges`.',
      }),
    ),
    'If-Range': Type.Optional(
      Type.String({
        description:
          'The `ETag` of the part that you have. If the file has another one now, the whole file is sent.',
      }),
    ),
  }),
  responses: {
    200: {
      description: 'The whole file.',
      ...bytes,
      headers: Type.Object(described),
    },
    206: {
      description: 'The range that was asked for; several are parts of a `multipart/byteranges` body.',
      ...bytes,
      headers: Type.Object({ ...described, 'Content-Range': ContentRange }),
    },
    302: {
      description:
        'The file is at an address of the file store’s own, for six hours, where the operator chose that (`downloads=presigned`). Ranges can be asked for there.',
      headers: Type.Object({
        Location: text('The address.', 'https://s3.example.com/…'),
      }),
    },
    304: {
      description: 'The file is the one that `If-None-Match` names.',
      headers: Type.Object({ ETag }),
    },
    412: plainText('The file is not the one that `If-Match` names.'),
    416: {
      ...plainText('The file has none of the ranges, or they are too many.'),
      headers: Type.Object({
        'Content-Range': Type.String({ description: '`bytes */` and how many bytes the file has.' }),
      }),
    },
    ...pageErrors(ended),
  },
};
