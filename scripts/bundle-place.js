import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const cache = fileURLToPath(new URL('../node_modules/.cache/handover/bundles', import.meta.url));

/** Where all that is made of one program is kept. */
export function placeOfBundle(program) {
  return join(cache, createHash('sha256').update(resolve(program)).digest('hex').slice(0, 16));
}
