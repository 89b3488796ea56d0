/** What `${}` takes: text is escaped, HTML goes in as it is, and of what is missing nothing is written. */
export type HtmlValue = string | number | Html | readonly (Html | Missing)[] | Missing;

type Missing = null | undefined | false;

/** Makes HTML of a template. Text in it is escaped for elements, and for attributes in quotes. */
export function html(literals: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(literals.map((literal, index) => literal + write(values[index])).join(''));
}

/** Puts pieces together, with something between each two. */
export function joinHtml(pieces: readonly HtmlValue[], separator: HtmlValue): Html {
  return html`${pieces.map((piece, index) => (index === 0 ? html`${piece}` : html`${separator}${piece}`))}`;
}

export type { Html };

/** HTML that `html` made. No text is assignable to it, nor is it to text; a response takes `String(html)`. */
class Html {
  // The compiler keeps classes with private fields apart, whatever they hold.
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
