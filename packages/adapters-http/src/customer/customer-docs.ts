import { Type } from 'typebox';
import { text } from '../openapi/fields.ts';
import type { OperationDocs } from '../openapi/operation-docs.ts';
import { page, pageErrors, type Sentences } from '../openapi/responses.ts';

export const shared = { tag: 'Buyers’ pages', origin: 'addition', access: 'open' } as const;

export const token = text('The last part of a link. Anyone who has it can download.', 'TOKEN');

/** Errors of every page. */
export const failures: Sentences = {
  500: 'An unexpected error. The page holds a reference for the log.',
  503: 'The database cannot be reached. Nothing is lost.',
};

/** Errors of every page and file behind a link. */
export const ended: Sentences = {
  404: 'There is no such link, or no file of that name behind it.',
  410: 'The link has expired or was revoked. The page says what to do.',
  ...failures,
};

export const downloadPageDocs: OperationDocs = {
  ...shared,
  operationId: 'openDownloadPage',
  summary: 'The page behind a link',
  description:
    'Names the product and offers its files. Opening it extends the link to 48 hours from now; `HEAD` changes nothing, and opening never marks the link as used.',
  params: Type.Object({ token }),
  responses: { 200: page('The page.'), ...pageErrors(ended) },
};
