import { type Html, type HtmlValue, html } from '@handover/html';

export interface Column<Row> {
  readonly head: string;
  cell(row: Row): HtmlValue;
  /** Numbers and money stand at the right. */
  readonly number?: boolean;
  /** Left out on phones, where a row is two lines. */
  readonly wideOnly?: boolean;
}

/** Rows with hairlines between them; a list of two lines per row on phones. The first column holds the row's link. */
export function table<Row>({
  label,
  columns,
  rows,
}: {
  /** What the rows are, for those who hear the page. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
}): Html {
  return html`<table class="table" aria-label="${label}"><thead><tr>${columns.map(
    (column) => html`<th scope="col" ${marks(column)}>${column.head}</th>`,
  )}</tr></thead><tbody>
${rows.map((row) => html`<tr>${columns.map((column) => html`<td ${marks(column)}>${column.cell(row)}</td>`)}</tr>`)}</tbody></table>`;
}

/** The link of a row: the whole row opens it. */
export function rowLink(href: string, words: string): Html {
  return html`<a class="row-link" href="${href}"><bdi>${words}</bdi></a>`;
}

/** Under a list that goes on. */
export function olderLink(href: string): Html {
  return html`<div class="older"><a class="btn" data-variant="outline" data-size="sm" rel="next" href="${href}">Older</a></div>`;
}

function marks({ number = false, wideOnly = false }: Pick<Column<never>, 'number' | 'wideOnly'>): Html {
  return html`${number && 'data-number'} ${wideOnly && 'data-wide-only'}`;
}
