/** The values of `${}`: text is escaped, HTML is inserted unchanged, missing values produce nothing. */
export type HtmlValue = string | number | Html | readonly (Html | Missing)[] | Missing;

type Missing = null | undefined | false;

/** A template tag for HTML. Text is escaped for elements, and for attributes in quotes. */
export function html(literals: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(literals.map((literal, index) => literal + write(values[index])).join(''));
}

/** Joins pieces with a separator. */
export function joinHtml(pieces: readonly HtmlValue[], separator: HtmlValue): Html {
  return html`${pieces.map((piece, index) => (index === 0 ? html`${piece}` : html`${separator}${piece}`))}`;
}

export type { Html };

/** HTML made by `html`. Text is not assignable to it, nor is it to text; a response needs `String(html)`. */
class Html {
  // Private fields make the class nominal for the compiler.
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

function write(value: HtmlValue): string {
  if (typeof value === 'string') return escapeText(value);
  if (value === null || value === undefined || value === false) return '';
  return Array.isArray(value) ? value.map(write).join('') : String(value);
}

function escapeText(text: string): string {
  return text.replace(/["&'<=>]/g, (character) => `&#${character.charCodeAt(0)};`);
}
