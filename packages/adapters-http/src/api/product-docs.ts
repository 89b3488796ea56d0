import { Type } from 'typebox';
import type { OperationDocs } from '../openapi/operation-docs.ts';
import { bodyRefusals, json, refusals } from '../openapi/responses.ts';
import { ActivatedBody, FileBody, ProductBody, ProductRowBody, VersionBody } from './product-schemas.ts';

const product = { tag: 'Products', origin: 'specification', access: 'any role' } as const;
const version = { tag: 'Versions and files', origin: 'addition', access: 'any role' } as const;

const UNKNOWN_PRODUCT = 'No product of your organisation has this id.';
const UNKNOWN_VERSION = 'No version of a product of your organisation has these ids.';

export const listProductsDocs: OperationDocs = {
  ...product,
  operationId: 'listProducts',
  scope: 'products:read',
  summary: 'List products',
  description:
    'Every product of your organisation, newest first. It is also the quick check of a key: an array when the key is accepted, 401 when it is not.',
  responses: {
    200: json(
      'The products. An empty array is a valid result.',
      Type.Array(ProductRowBody, { description: 'Newest first.' }),
    ),
    ...refusals(),
  },
};

export const createProductDocs: OperationDocs = {
  ...product,
  operationId: 'createProduct',
  scope: 'products:write',
  summary: 'Create a product',
  description: 'Makes a product in status `draft`.',
  responses: {
    201: {
      ...json('The whole row of the new product.', ProductBody),
      example: {
        id: '019c3f1e-7a52-7c04-9d1b-3f6a2e8b5c11',
        orgId: '019c3f1c-02be-7d10-b5a3-8e4f6c7d9a20',
        name: 'Felt Piano',
        slug: 'felt-piano',
        description: 'Eleven soft pianos.',
        status: 'draft',
        activeVersionId: null,
        createdAt: '2026-03-02T09:00:00.000Z',
        updatedAt: '2026-03-02T09:00:00.000Z',
      },
    },
    ...bodyRefusals({
      400: '`name` or `slug` is missing, or a member cannot be used. The sentence names it.',
      409: 'Another product of your organisation has this slug.',
    }),
  },
};

export const updateProductDocs: OperationDocs = {
  ...product,
  operationId: 'updateProduct',
  scope: 'products:write',
  summary: 'Update a product',
  description:
    'Merges the body into the product. Publishing a product that has a live version lets the orders for it be delivered.',
  responses: {
    200: json('The whole row as it is now.', ProductBody),
    ...bodyRefusals({
      400: 'A member cannot be used. The sentence names it.',
      404: UNKNOWN_PRODUCT,
      409: 'Another product of your organisation has this slug.',
    }),
  },
};

export const createVersionDocs: OperationDocs = {
  ...version,
  operationId: 'createVersion',
  scope: 'products:write',
  summary: 'Open a version',
  description:
    'Opens a new version of a product for files. Nothing changes for buyers until it is activated.',
  responses: {
    201: {
      ...json('The new version.', VersionBody),
      example: {
        id: '019c3f20-11d8-7b6e-8a40-52c9d7e01f37',
        productId: '019c3f1e-7a52-7c04-9d1b-3f6a2e8b5c11',
        version: '2.1.0',
        status: 'preparing',
        createdAt: '2026-03-02T09:05:00.000Z',
      },
    },
    ...bodyRefusals({
      400: '`version` is missing or no label. The sentence says what a label is.',
      404: UNKNOWN_PRODUCT,
      409: 'This product has a version of that label already.',
    }),
  },
};

export const uploadFileDocs: OperationDocs = {
  ...version,
  operationId: 'uploadFile',
  scope: 'products:write',
  summary: 'Upload a file',
  description:
    'Adds a file to a version that is being prepared, or replaces the one of that name. The body is the file itself, of any type and size; what breaks off on its way leaves nothing.',
  headers: Type.Object({
    'Repr-Digest': Type.Optional(
      Type.String({
        description:
          'The SHA-256 that the file must have (RFC 9530; `Content-Digest` will do as well). A file that has another is not kept.',
      }),
    ),
  }),
  body: {
    description: 'The file’s bytes.',
    contentTypes: ['application/octet-stream'],
    schema: Type.String({ format: 'binary', description: 'The file’s bytes.' }),
  },
  responses: {
    201: json('The file as it was stored. Compare the SHA-256 with your own.', FileBody),
    ...refusals({
      400: 'The name cannot be a file’s, the upload broke off, or its SHA-256 is not the announced one.',
      404: UNKNOWN_VERSION,
      408: 'Nothing came for a minute. Nothing was kept.',
      409: 'The version was active, so its files stay as they are.',
      413: 'The file is larger than this service takes: the sentence says how large it may be.',
      415: 'The file came with a `Content-Encoding`.',
      507: 'There is no room left for files. Nothing was kept.',
    }),
  },
};

export const activateVersionDocs: OperationDocs = {
  ...version,
  operationId: 'activateVersion',
  scope: 'products:write',
  summary: 'Activate a version',
  description:
    'Puts a version live: buyers get it from now on, and its files stay as they are. Earlier versions stay reachable for those who bought them.',
  responses: {
    200: json('The product and its active version.', ActivatedBody),
    ...refusals({ 404: UNKNOWN_VERSION, 409: 'The version has no files yet.' }),
  },
};
