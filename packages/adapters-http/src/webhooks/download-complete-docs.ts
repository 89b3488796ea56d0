import { Type } from 'typebox';
import { nullableUuid, text } from '../openapi/fields.ts';
import type { OperationDocs } from '../openapi/operation-docs.ts';
import { json, jsonErrors, LATE } from '../openapi/responses.ts';
import { OrgParams } from './webhook-docs.ts';

const Completion = Type.Object({
  token: text('What the download link ends in.', 'TOKEN'),
  sessionId: Type.Optional(
    Type.String({ description: 'The download session that is complete. Without it: the link’s latest.' }),
  ),
});

export const downloadCompleteDocs: OperationDocs = {
  operationId: 'completeDownload',
  summary: 'Say that a download has arrived',
  description:
    'Called by the download page or a companion downloader once it has the last byte. Marks the link as used (the first time stays), completes the download session and writes one entry to the activity log; saying it again changes nothing. It is also taken for a link that expired meanwhile. The token is the capability: there is no signature.',
  tag: 'Inbound webhooks',
  origin: 'specification',
  access: 'open',
  params: OrgParams,
  body: {
    description: 'JSON or a form, at most 8 KiB.',
    contentTypes: ['application/json', 'application/x-www-form-urlencoded'],
    schema: Completion,
    example: { token: 'TOKEN' },
  },
  responses: {
    200: json(
      'It is noted.',
      Type.Object(
        {
          received: Type.Literal(true, { description: 'It is noted, now or before.' }),
          sessionId: nullableUuid(
            'The session that is complete; `null` when no byte went out through the server.',
            '019c3f2b-1c2d-7e3f-8a4b-5c6d7e8f9a0b',
          ),
          usedAt: Type.String({
            format: 'date-time',
            description: 'When a download of this link was complete for the first time.',
            examples: ['2026-03-02T10:14:08.000Z'],
          }),
        },
        { $id: 'DownloadCompleted', description: 'The download is complete.' },
      ),
    ),
    ...jsonErrors({
      400: 'The token is missing, or the body cannot be read.',
      404: 'Not a token of this organisation’s, or not a session of this link’s.',
      408: LATE,
      410: 'The link was withdrawn.',
      413: 'The body is larger than 8 KiB.',
      415: 'The body is neither JSON nor a form.',
      500: 'Something went wrong on our side. The sentence holds a reference for the log.',
      503: 'The database cannot be reached, or too much is coming in at once. Send it again in a moment.',
    }),
  },
};
