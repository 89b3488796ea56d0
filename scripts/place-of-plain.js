import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

export const plainDirectory = join(root, 'node_modules', '.cache', 'handover', 'plain');

/** Where the JavaScript made of this TypeScript is kept. The version is of Node, whose compiler made it. */
export function placeOfPlain(typed) {
  const hash = createHash('sha256').update(process.version).update(typed).digest('hex');
  return join(plainDirectory, `${hash}.js`);
}
