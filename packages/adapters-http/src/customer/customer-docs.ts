import { Type } from 'typebox';
import type { OperationDocs } from '../openapi/operation-docs.ts';
import { page } from '../openapi/responses.ts';

const shared = { tag: 'Buyers’ pages', origin: 'addition', access: 'open' } as const;

const token = Type.String({
  description: 'What a link ends in. Whoever holds it can download.',
  examples: ['TOKEN'],
});

const ended = {
  404: page('Not a link of ours, or nothing of that name behind it.'),
  410: page('The link has expired or was withdrawn. The page says what to do.'),
  500: page('Something went wrong on our side. The page holds a reference for the log.'),
  503: {
    ...page('The database cannot be reached. Nothing is lost.'),
    headers: Type.Object({
      'Retry-After': Type.String({ description: 'Seconds to wait before the next try.', examples: ['5'] }),
    }),
  },
};

export const downloadPageDocs: OperationDocs = {
  ...shared,
  operationId: 'openDownloadPage',
  summary: 'The page behind a link',
  description:
    'Names the product and offers its files. Opening it sets the link to 48 hours from now; `HEAD` changes nothing, and opening never marks the link as used.',
  params: Type.Object({ token }),
  responses: { 200: page('The page.'), ...ended },
};

export const downloadFileDocs: OperationDocs = {
  ...shared,
  operationId: 'downloadFile',
  summary: 'A file behind a link',
  description: 'The file as it was uploaded. Fetching it sets the link to 48 hours from now.',
  params: Type.Object({
    token,
    fileName: Type.String({
      description: 'The file’s name, percent-encoded.',
      examples: ['felt-piano-2.1.zip'],
    }),
  }),
  responses: {
    200: {
      description: 'The file’s bytes. `ETag` is its SHA-256 in quotes.',
      contentType: 'application/octet-stream',
      schema: Type.String({ format: 'binary', description: 'The file’s bytes.' }),
      headers: Type.Object({
        ETag: Type.String({ description: 'SHA-256 of the content, in quotes.' }),
        'Content-Length': Type.Integer({ description: 'Bytes.' }),
        'Content-Disposition': Type.String({ description: '`attachment`, with the file’s name.' }),
      }),
    },
    ...ended,
  },
};
