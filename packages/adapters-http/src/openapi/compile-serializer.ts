import buildSerializer from 'fast-json-stringify';
import type { FastifySerializerCompiler } from 'fastify';

/** Writes answers by the schema of their route, which is compiled for the first of them. */
export const compileSerializer: FastifySerializerCompiler<object> = ({ schema }) => {
  let serialize: ((answer: unknown) => string) | null = null;
  return (answer) => {
    serialize ??= buildSerializer(forWriting(schema));
    return serialize(answer);
  };
};

/**
 * Without names, because a schema that is there twice would be one name for two; and with no member required: what was
 * done must not be answered with 500 because its answer lacks something.
 */
function forWriting(schema: object): object {
  return JSON.parse(
    JSON.stringify(schema, (key, value) =>
      key === '$id' || (key === 'required' && Array.isArray(value)) ? undefined : value,
    ),
  );
}
