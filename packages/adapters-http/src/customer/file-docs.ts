import { Type } from 'typebox';
import { text } from '../openapi/fields.ts';
import type { OperationDocs, ResponseDocs } from '../openapi/operation-docs.ts';
import { ended, shared, token } from './customer-docs.ts';

const ETag = Type.String({ description: 'SHA-256 of the whole file, in quotes. A strong validator.' });
const ContentRange = Type.String({ description: 'Which bytes of how many.' });

function sentence(description: string): ResponseDocs {
  return {
    description,
    contentType: 'text/plain',
    schema: Type.String({ description: 'A sentence.' }),
  };
}

const bytes = {
  contentType: 'application/octet-stream',
  schema: Type.String({ format: 'binary', description: 'The file’s bytes.' }),
};

const described = {
  ETag,
  'Content-Length': Type.Integer({ description: 'Bytes.' }),
  'Content-Disposition': Type.String({ description: '`attachment`, with the file’s name.' }),
  'Repr-Digest': Type.String({ description: 'SHA-256 of the whole file (RFC 9530).' }),
  'Accept-Ranges': Type.String({ description: '`bytes`.' }),
};

export const downloadFileDocs: OperationDocs = {
  ...shared,
  operationId: 'downloadFile',
  summary: 'A file behind a link',
  description:
    'The file as it was uploaded, whole or in ranges (RFC 9110, section 14). Fetching it sets the link to 48 hours from now; a transfer in progress finishes, even when the link expires or is revoked. `HEAD` changes nothing. With the first byte a download session begins, which further requests of the link join.',
  params: Type.Object({
    token,
    version: text('The version’s label.', '2.1.0'),
    fileName: text('The file’s name, percent-encoded.', 'felt-piano-2.1.zip'),
  }),
  query: Type.Object({
    session: Type.Optional(
      Type.String({
        description:
          'The download session to join. Without it, or where it is not one of the link’s that goes on: the latest.',
      }),
    ),
  }),
  headers: Type.Object({
    Range: Type.Optional(
      Type.String({
        description:
          'One range of bytes or several. Ranges that overlap or touch are sent as one; more than one that are left, up to sixteen, as `multipart/byteranges`.',
      }),
    ),
    'If-Range': Type.Optional(
      Type.String({ description: 'The `ETag` that the part came with: if it is another now, all is sent.' }),
    ),
  }),
  responses: {
    200: {
      description: 'The whole file.',
      ...bytes,
      headers: Type.Object(described),
    },
    206: {
      description: 'The range that was asked for; several are parts of a `multipart/byteranges` body.',
      ...bytes,
      headers: Type.Object({ ...described, 'Content-Range': ContentRange }),
    },
    302: {
      description:
        'The file is at an address of the file store’s own, for six hours, where the operator chose that (`downloads=presigned`). Ranges can be asked for there.',
      headers: Type.Object({
        Location: text('The address.', 'https://s3.example.com/…'),
      }),
    },
    304: {
      description: 'The file is the one that `If-None-Match` names.',
      headers: Type.Object({ ETag }),
    },
    412: sentence('The file is not the one that `If-Match` names.'),
    416: {
      ...sentence('The file has none of the ranges, or they are too many.'),
      headers: Type.Object({
        'Content-Range': Type.String({ description: '`bytes */` and how many bytes the file has.' }),
      }),
    },
    ...ended,
  },
};
