import { text } from '../openapi/fields.ts';
import type { Sentences } from '../openapi/responses.ts';

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
