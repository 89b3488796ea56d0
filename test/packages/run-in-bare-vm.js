// Loads a module and all its imports into a context with the language's globals only, and prints its exports:
// node --experimental-vm-modules run-in-bare-vm.js FILE
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createContext, SourceTextModule } from 'node:vm';

const context = createContext({});
const modules = new Map();

const entry = load(process.argv[2]);
await entry.link((specifier, { identifier }) => {
  if (!specifier.startsWith('.')) throw new Error(`${identifier} imports ${specifier}`);
  return load(join(dirname(identifier), specifier));
});
await entry.evaluate();
console.log(JSON.stringify(Object.keys(entry.namespace)));

function load(identifier) {
  const known = modules.get(identifier);
  if (known) return known;
  const loaded = new SourceTextModule(readFileSync(identifier, 'utf8'), { identifier, context });
  modules.set(identifier, loaded);
  return loaded;
}
