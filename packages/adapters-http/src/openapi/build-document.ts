import type { FastifySchema } from 'fastify';
import { describeApi } from './describe-api.ts';
import type { Content, JsonSchema, OpenApiDocument, Operation, Parameter, Response } from './document.ts';
import type { OperationDocs, ResponseDocs } from './operation-docs.ts';
import { ADDITION_TAG, TAGS } from './tags.ts';

/** A route as Fastify was given it: the schemas are the very ones that validate. */
export interface DocumentedRoute {
  readonly method: string;
  readonly url: string;
  readonly schemas: FastifySchema;
  readonly docs: OperationDocs;
}

export function buildDocument(
  routes: readonly DocumentedRoute[],
  { siteUrl, version }: { readonly siteUrl: string; readonly version: string },
): OpenApiDocument {
  const components = new Map<string, JsonSchema>();
  const paths: Record<string, Record<string, Operation>> = {};
  for (const route of routes) {
    const path = route.url.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: describeRoute(route, siteUrl, components) };
  }
  return {
    openapi: '3.1.1',
    info: { title: 'Handover', version, description: describeApi(siteUrl) },
    servers: [{ url: siteUrl }],
    tags: [
      ...Object.entries(TAGS).map(([name, description]) => ({ name, description })),
      { name: ADDITION_TAG, description: 'Not in the interface specification: added by Handover.' },
    ],
    paths,
    components: { schemas: Object.fromEntries(components), securitySchemes: SECURITY_SCHEMES },
  };
}

const SECURITY_SCHEMES = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'The API key of a user, in the header `Authorization: Bearer <key>`.',
  },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'The same key, bare.',
  },
};

function describeRoute(
  { schemas, docs }: DocumentedRoute,
  siteUrl: string,
  components: Map<string, JsonSchema>,
): Operation {
  const needsKey = docs.access === 'any role' || docs.access === 'owner or admin';
  const parameters = [
    ...listParameters('path', schemas.params ?? docs.params),
    ...listParameters('query', schemas.querystring ?? docs.query),
    ...listParameters('header', schemas.headers ?? docs.headers),
  ];
  const requestBody = describeBody(schemas.body, docs, components);
  return {
    operationId: docs.operationId,
    summary: docs.summary,
    description: docs.description,
    tags: docs.origin === 'addition' ? [docs.tag, ADDITION_TAG] : [docs.tag],
    ...(docs.origin === 'addition' ? { 'x-handover-addition': true } : {}),
    'x-handover-access': docs.access,
    security: needsKey ? [{ bearer: [] }, { apiKey: [] }] : [],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(requestBody ? { requestBody } : {}),
    responses: Object.fromEntries(
      Object.entries(docs.responses).map(([status, response]) => [
        status,
        describeResponse(response, components),
      ]),
    ),
    ...(docs.sample
      ? { 'x-codeSamples': [{ lang: 'Shell', source: docs.sample.replaceAll('{site}', siteUrl) }] }
      : {}),
  };
}

function listParameters(place: Parameter['in'], schema: unknown): readonly Parameter[] {
  const { properties = {}, required = [] } = toPlain(schema);
  return Object.entries(properties).map(([name, { description = '', examples, ...rest }]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    description,
    schema: rest,
    ...(examples ? { example: examples[0] } : {}),
  }));
}

function describeBody(
  schema: unknown,
  { body }: OperationDocs,
  components: Map<string, JsonSchema>,
): Operation['requestBody'] | null {
  if (body) {
    const example = body.example === undefined ? {} : { example: body.example };
    const media = { ...describeMedia(body.schema ?? schema, components), ...example };
    const content = Object.fromEntries(body.contentTypes.map((type) => [type, media]));
    return { description: body.description, required: true, content };
  }
  if (schema === undefined) return null;
  const media = describeMedia(schema, components);
  const { description = '' } = toPlain(schema);
  return { description, required: true, content: { 'application/json': media } };
}

function describeResponse(
  { description, contentType, schema, example, headers }: ResponseDocs,
  components: Map<string, JsonSchema>,
): Response {
  const listed = listParameters('header', headers).map(({ name, in: _, required: _required, ...header }) => [
    name,
    header,
  ]);
  return {
    description,
    ...(listed.length > 0 ? { headers: Object.fromEntries(listed) } : {}),
    ...(contentType && schema
      ? {
          content: {
            [contentType]: {
              ...describeMedia(schema, components),
              ...(example === undefined ? {} : { example }),
            },
          },
        }
      : {}),
  };
}

function describeMedia(schema: unknown, components: Map<string, JsonSchema>): Content[string] {
  const { examples, ...rest } = toPlain(schema);
  return { schema: shareNamed(rest, components), ...(examples ? { example: examples[0] } : {}) };
}

/** Puts each schema that has a name (`$id`) among the components, and a reference to it in its place. */
function shareNamed(schema: JsonSchema, components: Map<string, JsonSchema>): JsonSchema {
  return mapSchema(schema) as JsonSchema;

  function mapSchema(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(mapSchema);
    if (typeof value !== 'object' || value === null) return value;
    const { $id, ...members } = value as { readonly $id?: string };
    const mapped = Object.fromEntries(
      Object.entries(members).map(([key, member]) => [key, mapSchema(member)]),
    );
    if ($id === undefined) return mapped;
    components.set($id, mapped);
    return { $ref: `#/components/schemas/${$id}` };
  }
}

/** A TypeBox schema is a JSON Schema already, with hidden members that are no concern of a document. */
function toPlain(schema: unknown): JsonSchema {
  return schema === undefined ? {} : (JSON.parse(JSON.stringify(schema)) as JsonSchema);
}
