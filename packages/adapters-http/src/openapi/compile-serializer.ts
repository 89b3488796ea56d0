import buildSerializer from 'fast-json-stringify';
import type { FastifySerializerCompiler } from 'fastify';

/** Writes answers by the schema of their route, which is compiled for the first of them. */
export const compileSerializer: FastifySerializerCompiler<object> = ({ schema }) => {
  let serialize: ((answer: unknown) => string) | null = null;
  return (answer) => {
    serialize ??= buildSerializer(withoutNames(schema));
    return serialize(answer);
  };
};

/** Names are for the document: a schema that is there twice would be one name for two. */
function withoutNames(schema: object): object {
  return JSON.parse(JSON.stringify(schema, (key, value) => (key === '$id' ? undefined : value)));
}
