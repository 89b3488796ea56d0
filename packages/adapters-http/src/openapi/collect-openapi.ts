import swagger from '@fastify/swagger';
import type { FastifyInstance, FastifySchema } from 'fastify';
import type { HttpOptions } from '../http-ports.ts';
import { ADDITION_TAG, TAGS } from './tags.ts';

/** Adds every documented route that is registered from here on to the OpenAPI document (`app.swagger()`). */
export function collectOpenApi(
  app: FastifyInstance,
  { siteUrl, version }: Pick<HttpOptions, 'siteUrl' | 'version'>,
): void {
  const named = new Map<string, object>();
  app.register(swagger, {
    openapi: {
      openapi: '3.1.1',
      info: {
        title: 'Handover',
        version,
        license: { name: 'MIT License', identifier: 'MIT' },
        description: describeApi(siteUrl),
      },
      servers: [{ url: siteUrl }],
      tags: [
        ...Object.entries(TAGS).map(([name, description]) => ({ name, description })),
        { name: ADDITION_TAG, description: 'Not in the interface specification: added by Handover.' },
      ],
      components: { securitySchemes: SECURITY_SCHEMES },
    },
    stripBasePath: false,
    convertConstToEnum: false,
    transform: ({ schema, url }) => {
      if (!schema?.operationId) return { schema: { hide: true }, url };
      return { schema: shareNamed({ ...schema, ...schema.unchecked }, named), url };
    },
    transformObject: (document) => {
      if (!('openapiObject' in document)) return document.swaggerObject;
      // HEAD adds nothing to GET, and an operation id must be unique.
      for (const path of Object.values(document.openapiObject.paths ?? {})) delete path?.head;
      Object.assign(document.openapiObject.components ?? {}, { schemas: Object.fromEntries(named) });
      return document.openapiObject;
    },
  });
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
} as const;

/** Replaces each schema that has a name (`$id`) with a reference, and collects the schema. */
function shareNamed(schema: FastifySchema, named: Map<string, object>): FastifySchema {
  return JSON.parse(JSON.stringify(schema), (_key, value) => {
    if (typeof value?.$id !== 'string') return value;
    const { $id, ...members } = value;
    named.set($id, members);
    return { $ref: `#/components/schemas/${$id}` };
  });
}

/** What applies to every endpoint, in Markdown. */
function describeApi(siteUrl: string): string {
  return `Handover delivers digital products on behalf of an organisation. Every address below is relative to \`${siteUrl}\`.

Send the API key of a user as \`Authorization: Bearer <key>\`, or bare as \`X-API-Key: <key>\`. A key has the role of its user: members work with products, versions, files and downloads; purchases, reports, the webhook log and mappings need an owner or admin. A user may have several keys, each with a name, an end and scopes: \`products:read\` lets a key read products, \`products:write\` lets it change them as well. The key named \`default\` may do everything.

JSON endpoints answer errors with \`{"error": "…"}\`, the purchase form with an HTML fragment, reports with plain text. Times are ISO 8601 in UTC; amounts are exact decimal text. Lists are bare arrays and hold every row, unless they say otherwise. Ids that are unknown, malformed or of another organisation are answered with 404.

Operations marked \`x-handover-addition\` are not in the interface specification: they were added by Handover.`;
}
