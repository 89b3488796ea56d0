import { html } from 'ghtml';

/** The little Markdown that our descriptions use: paragraphs, and `code`. */
export function paragraphs(markdown: string): string {
  return markdown
    .split('\n\n')
    .map((text) => html`<p>!${inline(text)}</p>`)
    .join('');
}

export function inline(markdown: string): string {
  const parts = markdown.split('`');
  return parts.map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : html`${part}`)).join('');
}

/** A part of an address within the page. */
export function anchor(name: string): string {
  return name
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .toLowerCase();
}
