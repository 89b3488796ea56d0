// Removes from the dist of the package in the current directory what its sources no longer make: `tsc -b` leaves it there,
// and it would be packed. What they still make stays, because programs may be running it.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const MADE = /(\.d\.ts|\.js)(\.map)?$/;

for (const name of existsSync('dist') ? readdirSync('dist', { recursive: true, encoding: 'utf8' }) : []) {
  if (!MADE.test(name) || isBundle(name)) continue;
  const source = join('src', name.replace(MADE, ''));
  if (!existsSync(`${source}.ts`)) rmSync(join('dist', name), { force: true });
}

/** The program that `scripts/build.js` makes, which is not packed. */
function isBundle(name) {
  return name === 'handover.js';
}
