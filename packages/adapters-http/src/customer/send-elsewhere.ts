import type { FileStore, VersionFile } from '@handover/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HttpPorts } from '../http-ports.ts';
import { addLogContext } from '../requests/request-log.ts';
import { contentDisposition } from './content-disposition.ts';
import type { TransferOf } from './record-transfers.ts';

/** Long enough for a browser to resume after a lost connection; later, buyers open the link again. */
const ADDRESS_SECONDS = 6 * 60 * 60;

export type Presign = NonNullable<FileStore['presign']>;

/**
 * Redirects the buyer to the object store. Its transfers are invisible to us: the download session begins
 * now, and only download-complete can end it.
 */
export async function sendElsewhere(
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
