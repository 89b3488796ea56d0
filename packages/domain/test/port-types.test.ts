import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const folder = fileURLToPath(new URL('../src', import.meta.url));
const read = (file: string) => readFileSync(join(folder, file), 'utf8');

const exported = [...read('index.ts').matchAll(/^export (?:type )?\{([^}]*)\} from '\.\/([^']+)'/gm)].flatMap(
  ([, names = '', file = '']) => listNames(names).map((name) => ({ name, file })),
);
// Ports, and the values that they take and return.
const ports = exported.filter(({ file }) => /^(ports|model)\//.test(file));

it('exports each type in the signatures of a port, so that an adapter of another team can name it', () => {
  const names = new Set(exported.map(({ name }) => name));
  const missing = ports.flatMap(({ name, file }) =>
    listTypesIn(name, file).flatMap((type) => (names.has(type) ? [] : [`${type}, of ${name}`])),
  );
  expect(ports.length).toBeGreaterThan(50);
  expect(missing).toEqual([]);
});

/** The types of this package that the declaration of a port names. */
function listTypesIn(name: string, file: string): readonly string[] {
  const source = read(file).replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
  const [, declaration = ''] =
    new RegExp(
      `^export (?:interface|type) ${name}\\b([\\s\\S]*?)(?=^export |^interface |^type |(?![\\s\\S]))`,
      'm',
    ).exec(source) ?? [];
  const imported = [...source.matchAll(/^import (?:type )?\{([^}]*)\} from '\.[^']+'/gm)];
  const declared = [...source.matchAll(/^(?:export )?(?:interface|type) (\w+)/gm)];
  const own = new Set([
    ...imported.flatMap(([, names = '']) => listNames(names)),
    ...declared.map(([, type = '']) => type),
  ]);
  return [...new Set(declaration.match(/\b[A-Z]\w+/g))].filter((type) => own.has(type));
}

function listNames(names: string): readonly string[] {
  return names
    .split(',')
    .map((name) => name.trim().replace(/^type /, ''))
    .filter((name) => name !== '');
}
