import { type TSchema, Type } from 'typebox';
import { text } from './fields.ts';
import type { ResponseDocs } from './operation-docs.ts';

export const ErrorBody = Type.Object(
  {
    error: text(
      'A sentence for people: what is wrong, and how to fix it.',
      '“name” is missing. Add it to the body.',
    ),
  },
  { $id: 'Error', description: 'The body of every JSON error.' },
);

export function json(description: string, schema: TSchema): ResponseDocs {
  return { description, contentType: 'application/json', schema };
}

export function page(description: string): ResponseDocs {
  return {
    description,
    contentType: 'text/html',
    schema: Type.String({ description: 'A page for people.' }),
  };
}

export function plainText(description: string): ResponseDocs {
  return {
    description,
    contentType: 'text/plain',
    schema: Type.String({ description: 'One sentence or two.' }),
  };
}

type Responses = Readonly<Record<number, ResponseDocs>>;
export type Sentences = Readonly<Record<number, string>>;

/** The error responses of a JSON endpoint with an API key: the common ones and its own. */
export function refusals(own: Sentences = {}): Responses {
  return forKeyHolders({ ...COMMON, ...own }, jsonError);
}

/** Adds the errors that any JSON body can cause. */
export function bodyRefusals(own: Sentences): Responses {
  return refusals({
    408: LATE,
    413: 'The body is larger than 1 MiB.',
    415: 'The body is not JSON, or has a `Content-Encoding`.',
    ...own,
  });
}

/** The error responses of an endpoint with an API key that answers errors in another format. */
export function refusalsAs(format: (description: string) => ResponseDocs, own: Sentences): Responses {
  return forKeyHolders({ ...COMMON, ...own }, format);
}

export function jsonErrors(own: Sentences): Responses {
  return listErrors(own, jsonError);
}

export function pageErrors(own: Sentences): Responses {
  return listErrors(own, page);
}

/** For every buffered body. */
export const LATE = 'The whole body did not arrive within 30 seconds.';

/** For every endpoint. */
export const UNEXPECTED = 'An unexpected error. The sentence holds a reference for the log.';

/** What every endpoint with an API key can answer. */
export const COMMON: Sentences = {
  401: 'The API key is missing, not valid or expired.',
  403: 'The key lacks the scope: the sentence names it. Or the key’s user lacks the role, belongs to no organisation, or the organisation’s subscription has expired.',
  500: UNEXPECTED,
  503: 'The database cannot be reached, or the server is overloaded. Try again in a moment.',
};

function jsonError(description: string): ResponseDocs {
  return json(description, ErrorBody);
}

function forKeyHolders(own: Sentences, format: (description: string) => ResponseDocs): Responses {
  const errors = listErrors(own, format);
  return errors[401] ? { ...errors, 401: { ...errors[401], headers: WWW_AUTHENTICATE } } : errors;
}

function listErrors(own: Sentences, format: (description: string) => ResponseDocs): Responses {
  const entries = Object.entries(own).map(([status, description]) => {
    const response = format(description);
    return [status, RETRIED.has(status) ? { ...response, headers: RETRY_AFTER } : response] as const;
  });
  return Object.fromEntries(entries);
}

const RETRIED: ReadonlySet<string> = new Set(['429', '503']);

const WWW_AUTHENTICATE = Type.Object({
  'WWW-Authenticate': text('How to sign in.', 'Bearer'),
});

const RETRY_AFTER = Type.Object({
  'Retry-After': text('Seconds to wait before the next try.', '5'),
});
