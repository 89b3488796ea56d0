// Loaded before the program (see `serve` and `cli` in package.json): what Node makes of our TypeScript is kept, so that
// a later start needs neither the time nor the memory of its compiler. Where nothing can be kept, nothing is lost.
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/handover', import.meta.url)));
