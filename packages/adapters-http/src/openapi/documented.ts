import type { FastifySchema } from 'fastify';
import type { OperationDocs, ResponseDocs } from './operation-docs.ts';
import { ADDITION_TAG } from './tags.ts';

/**
 * The schema of a route: what Fastify checks by it, and what the OpenAPI document says. Answers in JSON are written by
 * the schemas of its responses, so that no member leaves that is not documented.
 */
export function documented<Checked extends FastifySchema>(docs: OperationDocs, checked: Checked): Checked;
export function documented(docs: OperationDocs): object;
export function documented(docs: OperationDocs, checked: FastifySchema = {}): FastifySchema {
  const { tag, origin, access, sample, headers, query, params, body, responses, ...words } = docs;
  const isAddition = origin === 'addition';
  const needsKey = access === 'any role' || access === 'owner or admin';
  return {
    ...checked,
    ...words,
    tags: isAddition ? [tag, ADDITION_TAG] : [tag],
    security: needsKey ? [{ bearer: [] }, { apiKey: [] }] : [],
    response: Object.fromEntries(
      Object.entries(responses).map(([status, response]) => [status, describeResponse(response)]),
    ),
    ...(isAddition && { 'x-handover-addition': true as const }),
    'x-handover-access': access,
    ...(sample && { 'x-codeSamples': [{ lang: 'Shell', source: sample }] }),
    unchecked: {
      ...(headers && { headers }),
      ...(query && { querystring: query }),
      ...(params && { params }),
      ...(body && {
        body: { ...(body.schema ?? Object(checked.body)), description: body.description, ...exampleOf(body) },
        consumes: body.contentTypes,
      }),
    },
  };
}

function describeResponse({ description, contentType, schema, example, headers }: ResponseDocs) {
  const described = { description, ...(headers && { headers: headers.properties }) };
  // As Fastify and its plug-in have it, a body of type `null` is none.
  if (!contentType || !schema) return { ...described, type: 'null' };
  return { ...described, content: { [contentType]: { schema, ...(example !== undefined && { example }) } } };
}

function exampleOf({ example }: { readonly example?: unknown }) {
  return example === undefined ? {} : { examples: [example] };
}

declare module 'fastify' {
  interface FastifySchema {
    /** What the document says of a request beyond what is checked before its handler. */
    readonly unchecked?: FastifySchema;
    readonly 'x-handover-access'?: OperationDocs['access'];
    readonly 'x-handover-addition'?: true;
    readonly 'x-codeSamples'?: readonly { readonly lang: string; readonly source: string }[];
  }
}
