import type { ApiScope } from '@handover/domain';
import type { FastifySchema } from 'fastify';
import type { OperationDocs, ResponseDocs } from './operation-docs.ts';
import { ADDITION_TAG } from './tags.ts';

/**
 * The schema of a route: Fastify's validation, and the operation in the OpenAPI document. JSON responses
 * are serialized by their schemas, so that no undocumented member is sent.
 */
export function documented<Checked extends FastifySchema>(docs: OperationDocs, checked: Checked): Checked;
export function documented(docs: OperationDocs): object;
export function documented(docs: OperationDocs, checked: FastifySchema = {}): FastifySchema {
  const { tag, origin, access, scope, sample, headers, query, params, body, responses, ...words } = docs;
  const isAddition = origin === 'addition';
  return {
    ...checked,
    ...words,
    tags: isAddition ? [tag, ADDITION_TAG] : [tag],
    security: scope ? [{ bearer: [scope] }, { apiKey: [scope] }] : [],
    response: Object.fromEntries(
      Object.entries(responses).map(([status, response]) => [status, describeResponse(response)]),
    ),
    ...(isAddition && { 'x-handover-addition': true as const }),
    'x-handover-access': access,
    ...(scope && { 'x-handover-scope': scope }),
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
  // Fastify and its plug-in document a body of type `null` as no body.
  if (!contentType || !schema) return { ...described, type: 'null' };
  return { ...described, content: { [contentType]: { schema, ...(example !== undefined && { example }) } } };
}

function exampleOf({ example }: { readonly example?: unknown }) {
  return example === undefined ? {} : { examples: [example] };
}

declare module 'fastify' {
  interface FastifySchema {
    /** The parts of a request that the document describes but Fastify does not validate. */
    readonly unchecked?: FastifySchema;
    /** `requireCaller` checks the role and the scope. */
    readonly 'x-handover-access'?: OperationDocs['access'];
    readonly 'x-handover-scope'?: ApiScope;
    readonly 'x-handover-addition'?: true;
    readonly 'x-codeSamples'?: readonly { readonly lang: string; readonly source: string }[];
  }
}
