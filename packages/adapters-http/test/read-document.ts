import type { FastifyInstance } from 'fastify';
import type { JsonSchema, OpenApiDocument, Operation } from '../src/openapi/document.ts';

export interface DocumentedOperation extends Operation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
}

export async function readDocument(app: FastifyInstance): Promise<OpenApiDocument> {
  return (await app.inject('/openapi.json')).json();
}

export function listOperations({ paths }: OpenApiDocument): readonly DocumentedOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      path,
      method: method.toUpperCase() as DocumentedOperation['method'],
    })),
  );
}

/** The same schema without references, and closed: what it does not name may not be there. */
export function closeSchema(schema: JsonSchema, { components }: OpenApiDocument): object {
  return close(schema) as object;

  function close(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(close);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref } = value as JsonSchema;
    if ($ref) return close(components.schemas[$ref.replace('#/components/schemas/', '')]);
    const members = Object.entries(value).map(([key, member]) => [key, close(member)] as const);
    const closed = 'properties' in value ? { additionalProperties: false } : {};
    return { ...Object.fromEntries(members), ...closed };
  }
}

/** A request with the document's own examples. `ids` stand in for those of its parameters and of its body. */
export function exampleRequest(
  { method, path, parameters = [], requestBody }: DocumentedOperation,
  ids: Readonly<Record<string, string>> = {},
) {
  const filled = path.replace(/\{(\w+)\}/g, (_whole, name: string) => {
    const example = parameters.find((parameter) => parameter.name === name)?.example;
    return encodeURIComponent(ids[name] ?? String(example));
  });
  const query = parameters.flatMap((parameter): [string, string][] =>
    parameter.in === 'query' && parameter.example !== undefined
      ? [[parameter.name, String(parameter.example)]]
      : [],
  );
  const url = query.length > 0 ? `${filled}?${new URLSearchParams(query)}` : filled;
  const headers = Object.fromEntries(
    parameters
      .filter((parameter) => parameter.in === 'header' && parameter.required)
      .map((parameter): [string, string] => [parameter.name.toLowerCase(), String(parameter.example)]),
  );
  const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  if (!type) return { method, url, headers };
  const payload = writeBody(type, media?.example, ids);
  return { method, url, headers: { ...headers, 'content-type': type }, payload };
}

function writeBody(type: string, example: unknown, ids: Readonly<Record<string, string>>): string {
  const members = Object.entries((example ?? {}) as Record<string, unknown>);
  const body = members.map(([name, value]): [string, unknown] => [name, ids[name] ?? value]);
  if (type === 'application/json') return JSON.stringify(Object.fromEntries(body));
  if (type === 'application/x-www-form-urlencoded') {
    return new URLSearchParams(
      body.map(([name, value]): [string, string] => [name, String(value)]),
    ).toString();
  }
  return 'hello';
}
