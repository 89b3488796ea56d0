import { type Html, type HtmlValue, html } from '@handover/html';
import { longText } from './long-text.ts';

export interface Column<Row> {
  readonly head: string;
  /**
   * Of the first column: what screen readers say of a row beside each of its cells. Without it, all that its cell says, the name
   * of its checkbox too.
   */
  brief?(row: Row): string;
  cell(row: Row): HtmlValue;
  /** Numbers and money are right-aligned. */
  readonly number?: boolean;
  /**
   * Where there is no room for columns, a row is a short list: the cell has a line of its own, is beside the first cell, or
   * is hidden. By default cells follow each other. With a `title`, that cell comes first, with the checkbox of its row, and the
   * first cell begins the line below, which `end` ends.
   */
  readonly narrow?: 'line' | 'corner' | 'hidden' | 'title' | 'end';
}

/** A table of more columns needs more room. */
const MANY_COLUMNS = 6;

/**
 * A table; in a narrow card a list with a few lines per row. The first column holds the row's link, and is what screen
 * readers say of a row.
 */
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
  return html`<div class="table-frame" ${columns.length >= MANY_COLUMNS && 'data-many'}><table class="table" aria-label="${label}"><thead><tr>${columns.map(
    (column) => html`<th scope="col" ${marks(column)}>${column.head}</th>`,
  )}</tr></thead><tbody>
${rows.map((row) => html`<tr>${columns.map((column, index) => cell(column, row, index === 0))}</tr>`)}</tbody></table></div>`;
}

function cell<Row>(column: Column<Row>, row: Row, isFirst: boolean): Html {
  const content = html`${marks(column)}>${column.cell(row)}`;
  const brief = column.brief?.(row);
  return isFirst
    ? html`<th scope="row" ${brief !== undefined && html`abbr="${brief}"`} ${content}</th>`
    : html`<td ${content}</td>`;
}

/** The link of a row, which covers the whole row. `unseen`: what tells it from others of the same words, for screen readers. */
export function rowLink(href: string, words: string, unseen: string | null = null): Html {
  const rest = unseen === null ? '' : html`<span class="visually-hidden">, ${unseen}</span>`;
  return html`<a class="row-link" href="${href}">${longText(words)}${rest}</a>`;
}

/** A checkbox that selects the row, before its link. `words`: what it selects, for screen readers. */
export function pickRow(value: string, words: string, link: Html): Html {
  return html`<span class="pick"><label><input type="checkbox" name="id" value="${value}"><span class="visually-hidden">Select ${words}</span></label>${link}</span>`;
}

/** Follows a list with older entries. */
export function olderLink(href: string): Html {
  return html`<div class="older"><a class="btn" data-variant="outline" data-size="sm" rel="next" href="${href}">Older</a></div>`;
}

function marks({ number = false, narrow }: Pick<Column<never>, 'number' | 'narrow'>): Html {
  return html`${number && 'data-number'} ${narrow && html`data-narrow="${narrow}"`}`;
}
