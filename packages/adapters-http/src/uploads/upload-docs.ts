import { Type } from 'typebox';
import { FROZEN_VERSION, UNKNOWN_VERSION } from '../api/refusal-sentences.ts';
import { EXAMPLE_IDS, text } from '../openapi/fields.ts';
import type { BodyDocs, OperationDocs, ResponseDocs } from '../openapi/operation-docs.ts';
import { refusals } from '../openapi/responses.ts';

const upload = { tag: 'Versions and files', origin: 'addition', access: 'any role' } as const;

const NO_PROTOCOL = '`Tus-Resumable` is missing or of another version.';
const UNKNOWN_UPLOAD = 'No upload of your organisation has this id. It may have been deleted.';
const STALLED = 'No byte arrived for a minute. The bytes before are still there.';
const FULL = 'There is no room left for files. The bytes before are still there.';

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

const EXAMPLE_UPLOAD_ID = `${EXAMPLE_IDS.organisation}.6b1d4d1e-6f0a-4a53-9f0d-0c8a4a1f6f11`;

const uploadParams = Type.Object({
  uploadId: text('The last part of the upload’s address.', EXAMPLE_UPLOAD_ID),
});

function empty(description: string, headers: Parameters<typeof Type.Object>[0]): ResponseDocs {
  return { description, headers: Type.Object({ ...protocol, ...headers }) };
}

export const describeUploadsDocs: OperationDocs = {
  ...upload,
  operationId: 'describeUploads',
  scope: 'products:read',
  summary: 'Read the limits of uploads',
  description: 'The supported version and extensions of the tus protocol, and the maximum file size.',
  responses: {
    204: empty('The headers have the answer.', {
      'Tus-Version': tusResumable,
      'Tus-Extension': text('The supported extensions.', 'creation'),
      'Tus-Max-Size': text('The maximum size of a file, in bytes.', '20000000000'),
    }),
    ...refusals(),
  },
};

export const createUploadDocs: OperationDocs = {
  ...upload,
  operationId: 'createUpload',
  scope: 'products:write',
  summary: 'Create a resumable upload',
  description:
    'For files that are too large to send again from the start. Use the tus protocol 1.0.0 (https://tus.io) with its extensions creation, creation-with-upload, creation-defer-length and termination, or give a tus client this address. `Upload-Metadata` says which file of which version it becomes, and may hold its `sha256` in hex, which is then checked. An upload without a new byte for 72 hours is deleted.',
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
    201: empty('The upload is created.', {
      Location: text('The address of the upload, relative to this one.', `uploads/${EXAMPLE_UPLOAD_ID}`),
    }),
    ...refusals({
      400: 'A header is missing or cannot be used, or the name is not a valid file name. The sentence names it.',
      404: UNKNOWN_VERSION.docs,
      410: FROZEN_VERSION.docs,
      408: STALLED,
      412: NO_PROTOCOL,
      413: 'The file is larger than `Tus-Max-Size`, or has more bytes than announced.',
      429: 'Your organisation has 100 unfinished uploads. Finish or delete one.',
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
    'Adds bytes to an upload at its offset, which `HEAD` returns at the same address. With its last byte the upload becomes a file of its version, under the rules of a file that is sent in one request, and the response says so. If that response is lost, `HEAD` returns it again.',
  headers: Type.Object({
    ...protocol,
    'Upload-Offset': uploadOffset('The offset of the piece.'),
  }),
  params: uploadParams,
  body: piece,
  responses: {
    204: empty('The piece is stored.', {
      'Upload-Offset': uploadOffset('How many bytes are stored so far.'),
      ...reprDigest,
    }),
    ...refusals({
      400: 'A header is missing or cannot be used, or the file does not have the announced `sha256`; then the upload is deleted.',
      404: `${UNKNOWN_UPLOAD} Or its version is gone.`,
      408: STALLED,
      409: 'The upload is at another offset.',
      410: FROZEN_VERSION.docs,
      412: NO_PROTOCOL,
      413: 'The upload has more bytes than announced, or than `Tus-Max-Size`.',
      507: FULL,
    }),
  },
};

export const deleteUploadDocs: OperationDocs = {
  ...upload,
  operationId: 'deleteUpload',
  scope: 'products:write',
  summary: 'Delete an upload',
  description: 'Deletes an upload and its bytes. If it has become a file already, the file stays.',
  headers: Type.Object(protocol),
  params: uploadParams,
  responses: {
    204: empty('The upload is deleted.', {}),
    ...refusals({ 404: UNKNOWN_UPLOAD, 412: NO_PROTOCOL }),
  },
};
