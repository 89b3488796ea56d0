import buildSerializer from 'fast-json-stringify';
import type { FastifySerializerCompiler } from 'fastify';

/** Serializes responses by the schema of their route, compiled with its first response. */
export const compileSerializer: FastifySerializerCompiler<object> = ({ schema }) => {
  let serialize: ((answer: unknown) => string) | null = null;
  return (answer) => {
    serialize ??= buildSerializer(forWriting(schema));
    return serialize(answer);
  };
};

/**
 * Removes names, because a schema that appears twice would have a duplicate name. Removes `required`,
 * because an action that was done must not be answered with 500 when its response lacks a member.
 */
function forWriting(schema: object): object {
  return JSON.parse(
    JSON.stringify(schema, (key, value) =>
      key === '$id' || (key === 'required' && Array.isArray(value)) ? undefined : value,
    ),
  );
}
