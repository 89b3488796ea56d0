import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const indexes = globSync(
  ['packages/*/src/index.ts', 'packages/platform-webhooks/*/src/index.ts', 'apps/server/src/index.ts'],
  {
    cwd: root,
  },
);

test('knows the packages that others install', () => {
  expect(indexes).toContain(join('packages', 'domain', 'src', 'index.ts'));
  expect(indexes.length).toBeGreaterThan(14);
});

test.each(indexes)('each export of %s has a doc comment, which an editor shows where it is used', (index) => {
  const undocumented = listExports(index).filter(
    ({ name, file }) => !isDocumented(name, readFileSync(file, 'utf8')),
  );
  expect(undocumented.map(({ name, file }) => `${name}, of ${file.slice(root.length)}`)).toEqual([]);
});

/** What the index passes on from its own package, by the name that it has there. */
function listExports(index: string): readonly { readonly name: string; readonly file: string }[] {
  const source = readFileSync(join(root, index), 'utf8').replace(/^\s*\/\/.*$/gm, '');
  return [...source.matchAll(/^export (?:type )?\{([^}]*)\} from '(\.[^']+)'/gm)].flatMap(
    ([, names = '', from = '']) =>
      names
        .split(',')
        .map((name) =>
          name
            .trim()
            .replace(/^type /, '')
            .replace(/ as .*/, ''),
        )
        .filter((name) => name !== '')
        .map((name) => ({ name, file: join(root, dirname(index), from) })),
  );
}

function isDocumented(name: string, source: string): boolean {
  const declared = new RegExp(
    `^export (?:declare )?(?:async )?(?:function\\*?|const|class|interface|type) ${name}\\b`,
    'm',
  );
  const at = declared.exec(source)?.index ?? 0;
  return source.slice(0, at).trimEnd().endsWith('*/');
}
