import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const folder = fileURLToPath(new URL('..', import.meta.url));
const sources = readdirSync(join(folder, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => ({ name, text: withoutComments(readFileSync(join(folder, 'src', name), 'utf8')) }));

const IMPORT = /^(?:import|export|\}) ?[^'\n]*from '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gm;

/** What each folder may import besides itself. The order is from the inside to the outside, so there are no circles. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  model: [],
  ports: ['model'],
  audit: ['model', 'ports'],
  email: ['model', 'ports'],
  purchases: ['model', 'ports'],
  fulfilment: ['model', 'ports', 'email'],
  catalogue: ['model', 'ports', 'fulfilment'],
  access: ['model', 'ports', 'audit', 'fulfilment'],
  downloads: ['model', 'ports', 'access', 'purchases'],
  overview: ['model', 'ports', 'access', 'purchases'],
  defaults: ['model', 'ports'],
  embed: ['model', 'ports', 'defaults', 'email', 'fulfilment'],
  memory: ['model', 'ports', 'access', 'email', 'fulfilment', 'overview', 'purchases'],
};

describe('the domain', () => {
  it('depends on nothing', () => {
    const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    expect([dependencies, peerDependencies]).toEqual([undefined, undefined]);
  });

  it('imports only its own files', () => {
    for (const { name, text } of sources) {
      expect([name, listImports(text).filter((path) => !path.startsWith('.'))]).toEqual([name, []]);
    }
  });

  it('has time, ids and randomness given to it', () => {
    for (const { name, text } of sources.filter(({ name }) => folderOf(name) !== 'defaults')) {
      expect([
        name,
        text.match(/Date\.now|new Date\(\)|Math\.random|\bprocess\.|\b(?:webC|c)rypto\b/),
      ]).toEqual([name, null]);
    }
  });

  it('points every import inwards: model, ports, use cases, memory', () => {
    const wrong = listArrows().filter(
      ({ from, to }) =>
        folderOf(from) !== folderOf(to) && !MAY_IMPORT[folderOf(from)]?.includes(folderOf(to)),
    );
    expect(wrong.filter(({ from }) => from !== 'index.ts')).toEqual([]);
  });

  it('names every folder in the order of its imports', () => {
    const folders = [...new Set(sources.map(({ name }) => folderOf(name)))].filter((name) => name !== '.');
    expect(folders.sort()).toEqual(Object.keys(MAY_IMPORT).sort());
    const inwards = Object.keys(MAY_IMPORT);
    for (const [outer, inner] of Object.entries(MAY_IMPORT)) {
      for (const name of inner) expect(inwards.indexOf(name)).toBeLessThan(inwards.indexOf(outer));
    }
  });

  it('has no circle of imports, of types either', () => {
    const imports = new Map(sources.map(({ name }) => [name, new Set<string>()]));
    for (const { from, to } of listArrows()) imports.get(from)?.add(to);
    expect(listCircular(imports)).toEqual([]);
  });

  it('finds a circle', () => {
    const imports = new Map([
      ['a', new Set(['b'])],
      ['b', new Set(['c'])],
      ['c', new Set(['b'])],
    ]);
    expect(listCircular(imports)).toEqual(['a', 'b', 'c']);
  });
});

function listArrows(): readonly { readonly from: string; readonly to: string }[] {
  return sources.flatMap(({ name, text }) =>
    listImports(text).map((path) => ({ from: name, to: posix.join(posix.dirname(name), path) })),
  );
}

function listImports(text: string): readonly string[] {
  return [...text.matchAll(IMPORT)].map(([, from, bare, dynamic]) => from ?? bare ?? dynamic ?? '');
}

function folderOf(name: string): string {
  return posix.dirname(name);
}

/** Takes away what imports nothing that is left, until only circles and what leads to them remain. */
function listCircular(imports: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] {
  const left = new Set(imports.keys());
  const isFree = (name: string) => [...(imports.get(name) ?? [])].every((to) => !left.has(to));
  for (let free = [...left].filter(isFree); free.length > 0; free = [...left].filter(isFree)) {
    for (const name of free) left.delete(name);
  }
  return [...left];
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
}
