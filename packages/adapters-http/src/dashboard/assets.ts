import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ASSET_PATHS, makeAsset, makeStylesheet, readFont } from '../pages/assets.ts';
import { fontFaces } from '../pages/stylesheet.ts';

const monoFont = readFont(
  'geist-mono-latin',
  new URL('../../assets/geist-mono-latin.woff2', import.meta.url),
);
const monoExtFont = readFont(
  'geist-mono-latin-ext',
  import.meta.resolve('@fontsource-variable/geist-mono/files/geist-mono-latin-ext-wght-normal.woff2'),
);
// Neither package exports these files by name, so they are located beside a file that is exported.
const basecoat = new URL('js/', import.meta.resolve('basecoat-css'));
const htmx = import.meta.resolve('htmx.org/dist/htmx.min.js');
const tus = import.meta.resolve('tus-js-client/dist/tus.min.js');

const styles = makeStylesheet('dashboard', dashboardStylesheet());
const theme = makeScript('theme', readOwn('theme.js'));
const scripts = [
  makeScript('htmx', readText(htmx)),
  makeScript('basecoat', readText(new URL('basecoat.min.js', basecoat))),
  makeScript('basecoat-toast', readText(new URL('toast.min.js', basecoat))),
  makeScript('dashboard', readOwn('dashboard.js')),
];

/** Only pages with uploads load the script, and the script loads the library. */
const uploadLibrary = makeScript('tus', readText(tus));
/** Likewise for passkeys. */
const passkeyLibrary = makeScript(
  'simplewebauthn',
  // Not exported by name, so it is located beside what is.
  readText(new URL('../dist/bundle/index.umd.min.js', import.meta.resolve('@simplewebauthn/browser'))),
);
const passkeyScript = makeScript('passkeys', readOwn('passkeys.js'));
const uploadScript = makeScript('upload', readOwn('upload.js'));

/** Served like all assets: the name contains a hash of the content, so browsers may cache it for ever. */
export const DASHBOARD_ASSETS = [
  styles,
  monoFont,
  monoExtFont,
  theme,
  ...scripts,
  uploadLibrary,
  uploadScript,
  passkeyLibrary,
  passkeyScript,
];

export const DASHBOARD_ASSET_PATHS = {
  stylesheet: styles.path,
  theme: theme.path,
  scripts: scripts.map(({ path }) => path),
  uploadLibrary: uploadLibrary.path,
  uploadScript: uploadScript.path,
  passkeyLibrary: passkeyLibrary.path,
  passkeyScript: passkeyScript.path,
  latinFont: ASSET_PATHS.latinFont,
  mark: ASSET_PATHS.mark,
};

function dashboardStylesheet(): string {
  const tokens = readOwn('tokens.css');
  return [
    // The output of `scripts/trim-basecoat.ts`. It comes first, so that the other rules override it.
    readOwn('basecoat.css'),
    fontFaces('Inter Variable', { latin: ASSET_PATHS.latinFont, latinExt: ASSET_PATHS.latinExtFont }),
    fontFaces('Geist Mono Variable', { latin: monoFont.path, latinExt: monoExtFont.path }),
    tokens,
    darkWithoutScript(tokens),
    ...['controls.css', 'forms.css', 'lists.css'].map(readOwn),
    narrowTables(),
    ...[
      'parts.css',
      'chart.css',
      'overview.css',
      'reports.css',
      'shell.css',
      'search.css',
      'page.css',
      'log-entry.css',
      'log.css',
      'integrations.css',
      'purchases.css',
      'downloads.css',
      'product.css',
      'team.css',
      'print.css',
    ].map(readOwn),
  ].join('\n');
}

/** A table becomes a list where its card, and not only the screen, is too narrow for its columns. */
function narrowTables(): string {
  const rules = readOwn('narrow-table.css');
  return `@container few-columns (max-width: 599px) { ${rules} } @container many-columns (max-width: 919px) { ${rules} }`;
}

/** Repeats the colours of `html.dark` for browsers without scripts that prefer dark. */
function darkWithoutScript(tokens: string): string {
  const [, declarations] = /^html\.dark (\{[^{}]*\})/m.exec(tokens) ?? [];
  if (!declarations) throw new Error('The stylesheet has no rule for html.dark.');
  return `@media (prefers-color-scheme: dark) { html:not([data-theme]) ${declarations} }`;
}

function makeScript(name: string, text: string) {
  return makeAsset(name, 'js', 'text/javascript; charset=utf-8', Buffer.from(text));
}

/** At the package's root, so that source and build find them at the same place. */
function readOwn(name: string): string {
  return readText(new URL(`../../assets/${name}`, import.meta.url));
}

function readText(url: URL | string): string {
  return readFileSync(fileURLToPath(url), 'utf8');
}
