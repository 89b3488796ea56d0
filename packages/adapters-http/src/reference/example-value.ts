import type { JsonSchema, OpenApiDocument } from '../openapi/document.ts';
import { nameOf } from './describe-type.ts';

type Schemas = OpenApiDocument['components']['schemas'];

/** What a value of this shape looks like, from the examples of its fields. */
export function exampleValue(schema: JsonSchema, schemas: Schemas): unknown {
  if (schema.examples) return schema.examples[0];
  if (schema.$ref) return exampleValue(schemas[nameOf(schema.$ref)] ?? {}, schemas);
  if (schema.const !== undefined) return schema.const;
  if (schema.anyOf?.[0]) return exampleValue(schema.anyOf[0], schemas);
  if (schema.enum) return schema.enum[0];
  if (schema.items) return [exampleValue(schema.items, schemas)];
  if (schema.properties) {
    const members = Object.entries(schema.properties);
    return Object.fromEntries(members.map(([name, member]) => [name, exampleValue(member, schemas)]));
  }
  return schema.type === 'object' ? {} : '…';
}
