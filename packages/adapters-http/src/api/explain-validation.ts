import type { FastifySchemaValidationError } from 'fastify';
import { joinWithOr } from '../pages/words.ts';

/** Formats validation errors as sentences for the client's developer: which field, and what it must be. */
export function explainValidation(errors: readonly FastifySchemaValidationError[]): string {
  const missing = errors.flatMap(({ params }) => listTexts(params.requiredProperties)).map(explainMissing);
  const byField = Map.groupBy(errors, ({ instancePath }) => instancePath.slice(1).replaceAll('/', '.'));
  const wrong = [...byField].flatMap(([field, findings]) => explainWrong(field, findings));
  return [...missing, ...wrong].join(' ') || 'The body does not have the right shape.';
}

function explainMissing(field: string): string {
  return `“${field}” is missing. Add it to the body.`;
}

function explainWrong(field: string, findings: readonly FastifySchemaValidationError[]): readonly string[] {
  const allowed = findings.flatMap(listAllowed);
  if (allowed.length === 0) return [];
  if (field === '') return ['The body must be a JSON object.'];
  return [`“${field}” must be ${joinWithOr(allowed)}.`];
}

function listAllowed({ keyword, params }: FastifySchemaValidationError): readonly string[] {
  if (keyword === 'enum') return listTexts(params.allowedValues);
  if (keyword === 'type') return listTexts(params.type).map((type) => TYPE_NAMES[type] ?? type);
  if (keyword === 'minimum') return [`at least ${String(params.limit)}`];
  if (keyword === 'maximum') return [`at most ${String(params.limit)}`];
  if (keyword === 'format') return listTexts(params.format).map((format) => FORMAT_NAMES[format] ?? format);
  return [];
}

const FORMAT_NAMES: Readonly<Record<string, string>> = { uuid: 'an id from the list' };

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'text',
  object: 'a JSON object',
  array: 'a list',
  boolean: 'true or false',
  number: 'a number',
  integer: 'a whole number',
};

function listTexts(value: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.filter((item) => typeof item === 'string');
}
