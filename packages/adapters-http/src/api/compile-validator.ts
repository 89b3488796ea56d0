import type { FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';

/**
 * Validates with TypeBox. In queries, where every value is text, plain digits count as an integer where the
 * schema has one. Nothing else is converted: the type provider's own conversion reads "true" as 1 and "5.5"
 * as 5.
 */
export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const validator = Compile(schema);
  const wholeNumbers = httpPart === 'querystring' ? listWholeNumbers(schema) : new Set<string>();
  return (given: unknown) => {
    const value = wholeNumbers.size > 0 ? readWholeNumbers(given, wholeNumbers) : given;
    return validator.Check(value) ? { value } : { error: validator.Errors(value) };
  };
};

function listWholeNumbers(schema: TSchema): ReadonlySet<string> {
  const { properties = {} } = schema as { readonly properties?: Record<string, { readonly type?: string }> };
  const found = Object.entries(properties).filter(([, { type }]) => type === 'integer');
  return new Set(found.map(([name]) => name));
}

function readWholeNumbers(query: unknown, names: ReadonlySet<string>): unknown {
  const entries = Object.entries(query as Record<string, unknown>);
  return Object.fromEntries(
    entries.map(([name, text]) => [name, names.has(name) ? readDigits(text) : text] as const),
  );
}

function readDigits(text: unknown): unknown {
  return typeof text === 'string' && /^\d{1,9}$/.test(text) ? Number(text) : text;
}
