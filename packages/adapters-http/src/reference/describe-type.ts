import { type Html, html, joinHtml } from '@handover/html';
import type { JsonSchema } from '../openapi/document.ts';

/** The type of a field in JSON's terms, as HTML: named objects link to their fields. */
export function describeType(schema: JsonSchema): Html {
  const { $ref, anyOf, items, type, format, minimum, maximum } = schema;
  if ($ref) {
    const name = nameOf($ref);
    return html`<a href="#${objectAnchor(name)}">${name}</a>`;
  }
  if (anyOf) return joinHtml(anyOf.map(describeType), ' or ');
  if (schema.enum)
    return html`one of ${joinHtml(
      schema.enum.map((value) => html`<code>${String(value)}</code>`),
      ', ',
    )}`;
  if (typeof type === 'object') {
    return joinHtml(
      type.map((one) => (one === 'null' ? 'null' : describeType({ ...schema, type: one }))),
      ' or ',
    );
  }
  if (type === 'array') return html`array of ${items ? describeType(items) : 'anything'}`;
  if (schema.const !== undefined) return html`${JSON.stringify(schema.const)}`;
  const range = minimum !== undefined && maximum !== undefined ? `, ${minimum} to ${maximum}` : '';
  return html`${type ?? 'anything'}${format ? ` (${format})` : ''}${range}`;
}

export function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

export function objectAnchor(name: string): string {
  return `object-${anchor(name)}`;
}

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
