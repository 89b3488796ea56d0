declare module 'ghtml' {
  /** Escapes every value, except those written `!${…}`: these must be HTML already. */
  export function html(literals: TemplateStringsArray, ...values: readonly TemplateValue[]): string;

  type TemplateValue = string | number | null | undefined | readonly string[];
}
