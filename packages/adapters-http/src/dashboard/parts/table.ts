import { type Html, type HtmlValue, html } from '@handover/html';

export interface Column<Row> {
  readonly head: string;
  cell(row: Row): HtmlValue;
  /** Numbers and money are right-aligned. */
  readonly number?: boolean;
  /** Hidden on phones, where a row has two lines. */
  readonly wideOnly?: boolean;
}

/** A table; on phones a list with two lines per row. The first column holds the row's link. */
export function table<Row>({
  label,
  columns,
  rows,
}: {
  /** The name of the table for screen readers. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
}): Html {
  return html`<table class="table" aria-label="${label}"><thead><tr>${columns.map(
    (column) => html`<th scope="col" ${marks(column)}>${column.head}</th>`,
  )}</tr></thead><tbody>
${rows.map((row) => html`<tr>${columns.map((column) => html`<td ${marks(column)}>${column.cell(row)}</td>`)}</tr>`)}</tbody></table>`;
}

/** The link of a row, which covers the whole row. */
export function rowLink(href: string, words: string): Html {
  return html`<a class="row-link" href="${href}"><bdi>${words}</bdi></a>`;
}

/** Follows a list with older entries. */
export function olderLink(href: string): Html {
  return html`<div class="older"><a class="btn" data-variant="outline" data-size="sm" rel="next" href="${href}">Older</a></div>`;
}

function marks({ number = false, wideOnly = false }: Pick<Column<never>, 'number' | 'wideOnly'>): Html {
  return html`${number && 'data-number'} ${wideOnly && 'data-wide-only'}`;
}
