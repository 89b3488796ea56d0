import { Type } from 'typebox';
import type { OperationDocs } from '../openapi/operation-docs.ts';
import { json, page } from '../openapi/responses.ts';

const shared = { tag: 'Operations', origin: 'addition', access: 'open' } as const;

export const openApiDocs: OperationDocs = {
  ...shared,
  operationId: 'readOpenApi',
  summary: 'This reference, for programs',
  description: 'OpenAPI 3.1, made from the schemas that check requests. Feed it to your client generator.',
  responses: {
    200: json('The document.', Type.Object({}, { description: 'An OpenAPI 3.1 document.' })),
  },
};

export const referencePageDocs: OperationDocs = {
  ...shared,
  operationId: 'readReference',
  summary: 'This reference, for people',
  description: 'The page that you read. It comes from this server alone and needs no script.',
  responses: { 200: page('The page.') },
};
