import { type Html, html } from '@handover/html';

/** The subset of Markdown that our descriptions use: paragraphs and `code`. */
export function paragraphs(markdown: string): readonly Html[] {
  return markdown.split('\n\n').map((text) => html`<p>${inline(text)}</p>`);
}

export function inline(markdown: string): readonly Html[] {
  const parts = markdown.split('`');
  return parts.map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
}

/** A fragment identifier within the page. */
export function anchor(name: string): string {
  return name
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .toLowerCase();
}
