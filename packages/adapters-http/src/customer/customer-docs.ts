import { Type } from 'typebox';
import { text } from '../openapi/fields.ts';
import type { OperationDocs } from '../openapi/operation-docs.ts';
import { page } from '../openapi/responses.ts';

export const shared = { tag: 'Buyers’ pages', origin: 'addition', access: 'open' } as const;

export const token = text('What a link ends in. Anyone who has it can download.', 'TOKEN');

/** Responses that every page can send. */
export const failures = {
  500: page('Something went wrong on our side. The page holds a reference for the log.'),
  503: {
    ...page('The database cannot be reached. Nothing is lost.'),
    headers: Type.Object({
      'Retry-After': text('Seconds to wait before the next try.', '5'),
    }),
  },
};

/** Responses that every page and file behind a link can send. */
export const ended = {
  404: page('Not a link of ours, or nothing of that name behind it.'),
  410: page('The link has expired or was withdrawn. The page says what to do.'),
  ...failures,
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
