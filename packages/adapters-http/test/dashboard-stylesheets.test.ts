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

// WebKit 2.50 ends the process of a page with `pretty` text in which a long word follows such a line break.
test('text that keeps its line breaks is not laid out as pretty', () => {
  const files = [
    ...readdirSync(join(PACKAGE, 'assets')).map((name) => join('assets', name)),
    ...readdirSync(join(PACKAGE, 'src/pages')).map((name) => join('src/pages', name)),
  ].filter((name) => /(\.css|stylesheet\.ts)$/.test(name) && !name.endsWith('basecoat.css'));
  const rules = files.flatMap((name) => [
    ...readFileSync(join(PACKAGE, name), 'utf8').matchAll(/([^{}]+)\{([^{}]*)\}/g),
  ]);
  const breaking = rules.filter(([, , declarations = '']) =>
    /white-space: (pre-wrap|pre-line|break-spaces)/.test(declarations),
  );
  expect(breaking.length).toBeGreaterThan(3);
  expect(breaking.filter(([rule]) => !rule.includes('text-wrap-style: auto'))).toEqual([]);
  for (const file of ['assets/tokens.css', 'src/pages/stylesheet.ts']) {
    expect(readFileSync(join(PACKAGE, file), 'utf8')).toMatch(
      /textarea,\s:has\(> br\) \{\s+text-wrap-style: auto;/,
    );
  }
});
