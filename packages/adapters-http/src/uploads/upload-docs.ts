import { Type } from 'typebox';
import { text } from '../openapi/fields.ts';
import type { BodyDocs, OperationDocs, ResponseDocs } from '../openapi/operation-docs.ts';
import { refusals } from '../openapi/responses.ts';

const upload = { tag: 'Versions and files', origin: 'addition', access: 'any role' } as const;

const NO_PROTOCOL = '`Tus-Resumable` is missing or of another version.';
const UNKNOWN_UPLOAD = 'No upload of your organisation has this id. It may have been given up.';
const FROZEN = 'The version was active, so its files stay as they are.';
const STALLED = 'Nothing came for a minute. What had come in before is still there.';
const FULL = 'There is no room left for files. What had come in before is still there.';

const tusResumable = text('The version of the protocol.', '1.0.0');
const protocol = { 'Tus-Resumable': tusResumable };

const uploadOffset = (description: string) => Type.String({ description, examples: ['0'] });

const reprDigest = {
  'Repr-Digest': Type.Optional(
    text(
      'SHA-256 of the whole file (RFC 9530), once it is a file of its version.',
      'sha-256=:LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=:',
    ),
  ),
};

const piece: BodyDocs = {
  description: 'The bytes from the offset on, as many as there are or as you like.',
  contentTypes: ['application/offset+octet-stream'],
  schema: Type.String({ format: 'binary', description: 'The bytes.' }),
};

function empty(description: string, headers: Parameters<typeof Type.Object>[0]): ResponseDocs {
  return { description, headers: Type.Object({ ...protocol, ...headers }) };
}

export const describeUploadsDocs: OperationDocs = {
  ...upload,
  operationId: 'describeUploads',
  scope: 'products:read',
  summary: 'Ask what uploads may be',
  description:
    'The version and extensions of the tus protocol that are spoken here, and the largest file that is taken.',
  responses: {
    204: empty('In the headers.', {
      'Tus-Version': tusResumable,
      'Tus-Extension': text('What is supported beyond the core.', 'creation'),
      'Tus-Max-Size': text('Bytes that a file may have.', '20000000000'),
    }),
    ...refusals(),
  },
};

export const createUploadDocs: OperationDocs = {
  ...upload,
  operationId: 'createUpload',
  scope: 'products:write',
  summary: 'Begin an upload in pieces',
  description:
    'For files that are too large to send again from the start: speak the tus protocol 1.0.0 (https://tus.io), with its extensions creation, creation-with-upload, creation-defer-length and termination, or give a tus client this address. `Upload-Metadata` says which file of which version it becomes, and may hold its `sha256` in hex, which is then checked. An upload that no byte has come in of for 72 hours is given up.',
  headers: Type.Object({
    ...protocol,
    'Upload-Length': text('Bytes of the whole file.', '5'),
    'Upload-Metadata': Type.String({
      description:
        '`productId`, `versionId`, `filename` and optionally `sha256`, each with its value in Base64.',
      examples: [
        [
          'productId MDE5YzNmMWUtN2E1Mi03YzA0LTlkMWItM2Y2YTJlOGI1YzEx',
          'versionId MDE5YzNmMjAtMTFkOC03YjZlLThhNDAtNTJjOWQ3ZTAxZjM3',
          'filename ZmVsdC1waWFuby0yLjEuemlw',
        ].join(','),
      ],
    }),
  }),
  responses: {
    201: empty('The upload is begun.', {
      Location: text(
        'The address of the upload, relative to this one.',
        'uploads/019c3f1c-02be-7d10-b5a3-8e4f6c7d9a20.6b1d4d1e-6f0a-4a53-9f0d-0c8a4a1f6f11',
      ),
    }),
    ...refusals({
      400: 'A header is missing or cannot be used, or the name cannot be a file’s. The sentence names it.',
      404: 'No version of a product of your organisation has these ids.',
      410: FROZEN,
      408: STALLED,
      412: NO_PROTOCOL,
      413: 'The file is larger than `Tus-Max-Size`, or more bytes came than the upload was to have.',
      429: 'Your organisation has 100 unfinished uploads. Finish one, or give one up.',
      507: FULL,
    }),
  },
};

export const sendPieceDocs: OperationDocs = {
  ...upload,
  operationId: 'sendPiece',
  scope: 'products:write',
  summary: 'Send a piece of an upload',
  description:
    'Adds bytes to an upload at its offset, which HEAD tells at the same address. With its last byte the upload becomes a file of its version, by the rules of a file that is sent whole, and the answer says so. If that answer is lost, HEAD brings it again.',
  headers: Type.Object({
    ...protocol,
    'Upload-Offset': uploadOffset('Where the piece begins.'),
  }),
  params: Type.Object({
    uploadId: text(
      'The last part of the upload’s address.',
      '019c3f1c-02be-7d10-b5a3-8e4f6c7d9a20.6b1d4d1e-6f0a-4a53-9f0d-0c8a4a1f6f11',
    ),
  }),
  body: piece,
  responses: {
    204: empty('The piece is in.', {
      'Upload-Offset': uploadOffset('How many bytes have come in so far.'),
      ...reprDigest,
    }),
    ...refusals({
      400: 'A header is missing or cannot be used, or what came in is not what `sha256` said; then it is forgotten.',
      404: `${UNKNOWN_UPLOAD} Or its version is gone.`,
      408: STALLED,
      409: 'The upload is at another offset.',
      410: FROZEN,
      412: NO_PROTOCOL,
      413: 'These are more bytes than the upload was to have, or than `Tus-Max-Size`.',
      507: FULL,
    }),
  },
};

export const deleteUploadDocs: OperationDocs = {
  ...upload,
  operationId: 'deleteUpload',
  scope: 'products:write',
  summary: 'Give an upload up',
  description: 'Forgets an upload and what has come in of it. A file that it has become already stays.',
  headers: Type.Object(protocol),
  ...(sendPieceDocs.params ? { params: sendPieceDocs.params } : {}),
  responses: {
    204: empty('The upload is forgotten.', {}),
    ...refusals({ 404: UNKNOWN_UPLOAD, 412: NO_PROTOCOL }),
  },
};
