import type { FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';

/**
 * Checks with TypeBox. In queries, where everything is text, plain digits count as a whole number where one is asked
 * for, and nothing else does: the type provider's own conversion would take "true" for 1 and "5.5" for 5.
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
