// Loaded before the program (see `serve` and `cli` in package.json). Node takes the types off our TypeScript as it
// loads it, and the compiler it does that with stays in memory for as long as the program runs: 15 to 25 MB. So another
// process does it once (strip-types.js), and keeps the plain JavaScript under the hash of what it was made from; here
// it is only read. Where nothing can be kept, Node does as ever, and nothing but memory is lost.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { placeOfPlain } from './place-of-plain.js';

registerHooks({ load: loadPlain });

function loadPlain(url, context, nextLoad) {
  if (!isSource(url)) return nextLoad(url, context);
  const source = readPlain(readFileSync(fileURLToPath(url)));
  return source ? { format: 'module', source, shortCircuit: true } : nextLoad(url, context);
}

/** What strip-types.js looks at. */
function isSource(url) {
  return url.startsWith('file:') && url.includes('/src/') && url.endsWith('.ts');
}

let mayStrip = true;

function readPlain(typed) {
  const place = placeOfPlain(typed);
  try {
    return readFileSync(place, 'utf8');
  } catch {
    if (!mayStrip) return null;
    mayStrip = false;
    spawnSync(process.execPath, [fileURLToPath(new URL('strip-types.js', import.meta.url))]);
    return readPlain(typed);
  }
}
