import type { FilePlace, PutVersionFileResult, SignedIn, StoredContent } from '@handover/domain';
import { putVersionFile } from '@handover/domain';
import type { HttpPorts } from '../../http-ports.ts';
import { doToProduct } from './do-to-product.ts';

/** Makes a stored content a file of a version, as the deed of whoever sent it. */
export function putFileFor(
  ports: HttpPorts,
  user: SignedIn,
  place: FilePlace,
  content: StoredContent,
): Promise<PutVersionFileResult> {
  return doToProduct(
    ports,
    { ...place, user },
    (within) => putVersionFile(within, place, content),
    (put) => (put.kind === 'added' && put.isNew ? `${put.file.name} added` : null),
  );
}
