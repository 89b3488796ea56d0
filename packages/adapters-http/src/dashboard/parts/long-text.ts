import { type Html, type HtmlValue, html, joinHtml } from '@handover/html';

/** A column of a table is never narrower than this many characters. */
const MAX_PART = 20;

/**
 * A text of others within a cell of a table. Its words stay whole, so a cell is at least as wide as its longest word; a
 * very long one, such as an address, may break after its marks.
 */
export function longText(text: string): Html {
  return html`<bdi>${text.split(/(?<=\s)/).map((word) => html`${showWord(word)}`)}</bdi>`;
}

function showWord(word: string): HtmlValue {
  return word.trim().length <= MAX_PART ? word : joinHtml(splitWord(word), html`<wbr>`);
}

/** After marks if that suffices, and anywhere if not. */
function splitWord(word: string): readonly string[] {
  return word.split(/(?<=[-._@/+:,])/).flatMap((part) => part.match(PART) ?? []);
}

const PART = new RegExp(`.{1,${MAX_PART}}`, 'gsu');
