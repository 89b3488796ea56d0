import { classifyClient, type FileStore, openDownloadFile, type VersionFile } from '@handover/domain';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { HttpPorts } from '../http-ports.ts';
import { documented } from '../openapi/documented.ts';
import { addLogContext } from '../requests/request-log.ts';
import { contentDisposition } from './content-disposition.ts';
import { answerEnded } from './customer-routes.ts';
import { evaluateFileRequest } from './evaluate-file-request.ts';
import { downloadFileDocs } from './file-docs.ts';
import type { PassContent, TransferOf, TransferRecorder } from './record-transfers.ts';
import { type ReadRange, sendFile } from './send-file.ts';

type Ports = Pick<HttpPorts, 'clock' | 'files' | 'ids' | 'links' | 'sessions' | 'tokens'>;

interface FileRoute {
  readonly Params: { readonly token: string; readonly version: string; readonly fileName: string };
  readonly Querystring: Readonly<Record<string, unknown>>;
}

/** The files behind a link, whole or by range. */
export function fileRoutes(ports: Ports, transfers: TransferRecorder): FastifyPluginAsync {
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
        return sendFile(reply, file, answer, readFrom(ports.files, orgId, file, pass));
      },
    });
  };
}

/** The buffer size per response. */
const LENT_BYTES = 64 * 1024;

function readFrom(files: FileStore, orgId: string, file: VersionFile, pass: PassContent): ReadRange {
  const lent = Buffer.allocUnsafeSlow(Math.min(LENT_BYTES, file.size));
  return async function* (range) {
    const content = await files.open(orgId, file.sha256, { ...range, lent });
    if (!content) throw new Error('The file is on record, but its content is not in the file store.');
    yield* pass(content, range.start);
  };
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
  if (!address) throw new Error('The file is on record, but its content is not in the file store.');
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
