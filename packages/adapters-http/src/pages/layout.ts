import { type Html, html } from '@handover/html';
import { PAGE_ASSETS } from './assets.ts';

/** A whole page. */
export function layout({
  locale = 'en',
  title,
  header = productHeader(),
  main,
  wide = false,
  stylesheet = null,
  script = null,
}: {
  readonly locale?: string;
  readonly title: string;
  readonly header?: Html;
  readonly main: Html;
  readonly wide?: boolean;
  /** The address of an additional stylesheet. */
  readonly stylesheet?: string | null;
  /** The address of one of our scripts; the page must work without it. */
  readonly script?: string | null;
}): Html {
  const head = html`<link rel="stylesheet" href="${PAGE_ASSETS.stylesheet.path}">
${stylesheet === null ? '' : html`<link rel="stylesheet" href="${stylesheet}">`}
${script === null ? '' : html`<script type="module" src="${script}"></script>`}`;
  const body = html`<div class="${wide ? 'page page-wide' : 'page'}">
${header}
<main>
${main}
</main>
</div>`;
  return htmlDocument({ locale, title, head, body });
}

/** `head`: what the document loads beside the font and the icon of all. */
export function htmlDocument({
  locale,
  title,
  head,
  body,
}: {
  readonly locale: string;
  readonly title: string;
  readonly head: Html;
  readonly body: Html;
}): Html {
  return html`<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="preload" href="${PAGE_ASSETS.latinFont.path}" as="font" type="font/woff2" crossorigin>
${head}
<link rel="icon" href="${PAGE_ASSETS.mark.path}" type="image/svg+xml">
</head>
<body>
${body}
</body>
</html>
`;
}

/** The header with the shop's name, for its buyers. */
export function shopHeader(name: string): Html {
  return html`<header class="brand"><span class="mark" aria-hidden="true">${firstLetter(name)}</span><span class="brand-name"><bdi>${name}</bdi></span></header>`;
}

export function productHeader(name = 'Handover'): Html {
  return html`<header class="brand"><img class="mark" src="${PAGE_ASSETS.mark.path}" alt="" width="26" height="26"><span class="brand-name">${name}</span></header>`;
}

/** The first grapheme, so that neither emoji nor accents are cut in half. */
export function firstLetter(text: string): string {
  const [first] = new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text);
  return first?.segment.toUpperCase() ?? '';
}
