import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const PACKAGE = fileURLToPath(new URL('..', import.meta.url));
const PAGES = join(PACKAGE, 'src/dashboard');

/** The stylesheets of single parts, and the folders whose pages they are for. Every other one is for all pages. */
const OF_PARTS: Readonly<Record<string, readonly string[]>> = {
  'overview.css': ['overview'],
  'reports.css': ['reports', 'settings'],
  'log.css': ['log'],
  'log-entry.css': ['log'],
  'integrations.css': ['integrations'],
  'purchases.css': ['purchases', 'downloads'],
  'downloads.css': ['downloads'],
  'product.css': ['products'],
};

/** Classes and data attributes, by the folder of the pages that have them. */
function readNames(): ReadonlyMap<string, ReadonlySet<string>> {
  const names = new Map<string, Set<string>>();
  const files = readdirSync(PAGES, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  for (const file of files) {
    const text = readFileSync(join(PAGES, file), 'utf8');
    const [folder = ''] = file.split('/');
    const classes = [...text.matchAll(/class="([^"]*)"/g)].flatMap(
      ([, list = '']) => list.match(/[a-z][\w-]*/gi) ?? [],
    );
    for (const name of [...classes, ...(text.match(/data-[\w-]+|id="[\w-]+/g) ?? [])]) {
      const key = name.replace('id="', '#');
      names.set(key, (names.get(key) ?? new Set()).add(folder));
    }
  }
  return names;
}

/** The selectors of a stylesheet, each for itself. */
function readSelectors(name: string): readonly string[] {
  const text = readFileSync(join(PACKAGE, 'assets', name), 'utf8').replaceAll(/\/\*.*?\*\//gs, '');
  return [...text.matchAll(/([^{}]+)\{/g)]
    .map(([, selectors = '']) => selectors.trim())
    .filter((selectors) => !selectors.startsWith('@') && !/^(from|to|[\d.]+%)/.test(selectors))
    .flatMap((selectors) => selectors.split(/,(?![^(]*\))/))
    .map((selector) => selector.trim().replaceAll(/\s+/g, ' '));
}

const names = readNames();

test.each(Object.entries(OF_PARTS))(
  '%s changes nothing on the pages of other parts',
  (stylesheet, folders) => {
    const isOwn = (name: string) => {
      const used = names.get(name);
      return used !== undefined && [...used].every((folder) => folders.includes(folder));
    };
    const straying = readSelectors(stylesheet).filter((selector) => {
      const mentioned = [...selector.matchAll(/\.([a-z][\w-]*)|(#[a-z][\w-]*)|\[(data-[\w-]+)/gi)];
      return !mentioned.some(([, byClass, byId, byData]) => isOwn(byClass ?? byId ?? byData ?? ''));
    });
    expect(straying).toEqual([]);
  },
);

test('every custom property that a stylesheet uses is defined', () => {
  const stylesheets = readdirSync(join(PACKAGE, 'assets')).filter((name) => name.endsWith('.css'));
  const texts = stylesheets.map((name) => readFileSync(join(PACKAGE, 'assets', name), 'utf8'));
  const defined = new Set(texts.flatMap((text) => text.match(/--[\w-]+(?=\s*:)/g) ?? []));
  const unknown = stylesheets.flatMap((name, at) =>
    [...(texts[at] ?? '').matchAll(/var\((--[\w-]+)\)/g)]
      .filter(([, property = '']) => !defined.has(property))
      .map(([, property]) => `${name}: ${property}`),
  );
  expect(unknown.filter((one) => !one.startsWith('basecoat.css'))).toEqual([]);
});
