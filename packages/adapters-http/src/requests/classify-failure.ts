/** What an error means to the client. */
export interface Failure {
  readonly status: number;
  /** A sentence: the problem and its remedy. */
  readonly message: string;
  readonly retryAfterSeconds: number | null;
  /** The request was refused because of concurrent work. */
  readonly isBusy?: true;
  /** The file store is away; everything else goes on. */
  readonly isFilesAway?: true;
}

/** The one table from errors to statuses. An unknown error is a 500, and its message is never sent. */
export function classifyFailure(error: unknown): Failure {
  const { code, statusCode, message } = readError(error);
  switch (code) {
    case 'store-unavailable':
      return retryLater('The database cannot be reached right now. Nothing is lost; try again in a moment.');
    case 'contended':
    case 'decided-meanwhile':
      return retryLater('Others kept changing the same thing at the same time. Try again in a moment.');
    case 'body-budget-exceeded':
      return {
        ...retryLater('We are receiving as much as we can hold right now. Send it again in a moment.'),
        isBusy: true,
      };
    case 'body-timeout':
    case 'upload-stalled':
      return fail(408, message);
    case 'file-too-large':
      return fail(413, message);
    case 'too-many-uploads':
      // Other uploads of the organisation may be in progress.
      return { ...fail(429, message), retryAfterSeconds: 60 };
    case 'upload-unreadable':
      return fail(400, message);
    case 'content-encoding':
      return fail(415, message);
    case 'digest-mismatch':
      return fail(
        400,
        'What came in has another SHA-256 than was announced, and nothing was kept. Send it again.',
      );
    case 'file-store-away':
      return {
        ...retryLater('The file store cannot be reached right now. Try again in a minute.'),
        retryAfterSeconds: 60,
        isFilesAway: true,
      };
    case 'file-store-denied':
    case 'file-store-missing':
      return fail(500, 'The file store refuses us. The operator of this service must check FILES_URL.');
    case 'file-store-full':
    case 'ENOSPC':
    case 'EDQUOT':
    case 'EFBIG':
      return fail(507, 'There is no room left for files. Try again once there is room.');
    case 'FST_ERR_VALIDATION':
      return fail(400, message);
    case 'not-utf8':
      return fail(400, 'The body is not UTF-8. Send the JSON in that encoding.');
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
      return fail(400, 'The body is empty. Send a JSON object.');
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
      return fail(400, 'The body is not valid JSON.');
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return fail(413, 'The body is larger than this address takes.');
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return fail(415, 'The body has a type that this address does not take. Send application/json.');
    default:
      if (statusCode >= 400 && statusCode < 500) {
        return fail(statusCode, 'The request could not be read. It may have broken off on its way.');
      }
      return { status: 500, message: 'Something went wrong on our side.', retryAfterSeconds: null };
  }
}

function retryLater(message: string): Failure {
  return { status: 503, message, retryAfterSeconds: 5 };
}

function fail(status: number, message: string): Failure {
  return { status, message, retryAfterSeconds: null };
}

/** Reads the code and never the class: another copy of the domain package may have thrown the error. */
function readError(error: unknown) {
  const members: { code?: unknown; statusCode?: unknown; message?: unknown } =
    typeof error === 'object' && error !== null ? error : {};
  return {
    code: typeof members.code === 'string' ? members.code : null,
    statusCode: typeof members.statusCode === 'number' ? members.statusCode : 500,
    message: typeof members.message === 'string' ? members.message : '',
  };
}

/** A JSON body in an encoding other than UTF-8. */
export class NotUtf8Error extends Error {
  readonly code = 'not-utf8';
}
