import { createHash } from 'node:crypto';
import { splitRows } from '@handover/adapters-postgres';
import { TransferError } from './transfer-error.ts';

/** A stored file, by its content. */
export interface ListedFile {
  readonly orgId: string;
  readonly sha256: string;
  readonly size: number;
}

/** The rows of the list of files, one by one. */
export async function* readFileList(list: AsyncIterable<Uint8Array>): AsyncGenerator<ListedFile> {
  for await (const row of splitRows(list)) {
    const [orgId = '', sha256 = '', size = ''] = row.split('\t');
    // Their names are paths.
    if (!LISTED.test(row) || !Number.isSafeInteger(Number(size))) {
      throw new TransferError(
        'damaged',
        'The list of files of the export is damaged. Nothing was changed. Take another copy of the export, or make it again.',
      );
    }
    yield { orgId, sha256, size: Number(size) };
  }
}

const LISTED = /^[0-9a-f-]{36}\t[0-9a-f]{64}\t\d{1,16}$/;

/** Passes the content on, and throws at its end if it is not what its hash says. */
export async function* verifyContent(
  content: AsyncIterable<Uint8Array>,
  { orgId, sha256, size }: ListedFile,
  onBytes: (count: number) => void = () => undefined,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of content) {
    hash.update(chunk);
    bytes += chunk.length;
    yield chunk;
    onBytes(chunk.length);
  }
  if (bytes === size && hash.digest('hex') === sha256) return;
  throw new TransferError(
    'damaged',
    `The file ${sha256} of organisation ${orgId} is damaged: it has ${bytes} bytes of ${size}, or others than its hash says. Upload it again.`,
  );
}
