import { makeScript, makeStylesheet, ownFile, PAGE_ASSETS, readText } from '../pages/assets.ts';
import { fontFaces } from '../pages/stylesheet.ts';

// Neither package exports these files by name, so they are located beside a file that is exported.
const basecoat = new URL('js/', import.meta.resolve('basecoat-css'));
const passkeys = new URL('../dist/bundle/index.umd.min.js', import.meta.resolve('@simplewebauthn/browser'));

/** What the pages of the dashboard load besides. Only pages with uploads or passkeys load their script, and it the library. */
export const DASHBOARD_ASSETS = {
  stylesheet: makeStylesheet('dashboard', dashboardStylesheet()),
  theme: makeScript('theme', readOwn('theme.js')),
  htmx: makeScript('htmx', readText(import.meta.resolve('htmx.org/dist/htmx.min.js'))),
  basecoat: makeScript('basecoat', readText(new URL('basecoat.min.js', basecoat))),
  basecoatToast: makeScript('basecoat-toast', readText(new URL('toast.min.js', basecoat))),
  dashboard: makeScript('dashboard', joinOwn('live.js', 'answers.js', 'dashboard.js')),
  uploadLibrary: makeScript('tus', readText(import.meta.resolve('tus-js-client/dist/tus.min.js'))),
  uploadScript: makeScript('upload', joinOwn('load-library.js', 'form-token.js', 'upload.js')),
  passkeyLibrary: makeScript('simplewebauthn', readText(passkeys)),
  passkeyScript: makeScript('passkeys', joinOwn('load-library.js', 'passkeys.js')),
} as const;

function dashboardStylesheet(): string {
  const tokens = readOwn('tokens.css');
  const { latinFont, latinExtFont, monoFont, monoExtFont } = PAGE_ASSETS;
  return [
    // The output of `scripts/trim-basecoat.ts`. It comes first, so that the other rules override it.
    readOwn('basecoat.css'),
    fontFaces('Inter Variable', { latin: latinFont.path, latinExt: latinExtFont.path }),
    fontFaces('Geist Mono Variable', { latin: monoFont.path, latinExt: monoExtFont.path }),
    darkOnScreens(tokens),
    ...['controls.css', 'forms.css', 'filters.css', 'lists.css'].map(readOwn),
    narrowTables(),
    ...[
      'parts.css',
      'notices.css',
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

/** Limits the colours of `html.dark` to screens: paper is white. Repeats them for browsers without scripts that prefer dark. */
function darkOnScreens(tokens: string): string {
  const [rule, declarations] = /^html\.dark (\{[^{}]*\})/m.exec(tokens) ?? [];
  if (!rule || !declarations) throw new Error('The stylesheet has no rule for html.dark.');
  return `${tokens.replace(rule, `@media screen { ${rule} }`)}
@media screen and (prefers-color-scheme: dark) { html:not([data-theme]) ${declarations} }`;
}

function joinOwn(...names: readonly string[]): string {
  return names.map(readOwn).join('\n');
}

function readOwn(name: string): string {
  return readText(ownFile(name));
}
