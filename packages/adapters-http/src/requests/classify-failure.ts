/** What an error means to the client. */
export interface Failure {
  readonly kind: FailureKind;
  readonly status: number;
  /** A sentence: the problem and its remedy. */
  readonly message: string;
  readonly retryAfterSeconds: number | null;
}

export type FailureKind =
  /** The request was refused because of concurrent work. */
  | 'busy'
  /** The file store is away; everything else goes on. */
  | 'files'
  | 'full'
  /** More was sent than is taken: to send it again does not help. */
  | 'too-large'
  /** The same content is being removed: it must be sent again later. */
  | 'removing'
  | 'database'
  | 'slow'
  | 'server'
  | 'unreadable';

/** An unknown error is a 500, and its message is never sent. */
export function classifyFailure(error: unknown): Failure {
  const { code, statusCode, message } = readError(error);
  const described = code === null ? undefined : FAILURES.get(code);
  // Other uploads of the organisation may be in progress.
  if (code === 'too-many-uploads') return { kind: 'busy', status: 429, message, retryAfterSeconds: 60 };
  if (described) return typeof described === 'number' ? fail(described, message) : described;
  return statusCode >= 400 && statusCode < 500
    ? fail(statusCode, 'The request could not be read. It may have broken off on its way.')
    : fail(500, 'Something went wrong on our side.');
}

function retryLater(kind: FailureKind, message: string): Failure {
  return { kind, status: 503, message, retryAfterSeconds: 5 };
}

function fail(status: number, message: string): Failure {
  return { kind: kindOf(status), status, message, retryAfterSeconds: null };
}

function kindOf(status: number): FailureKind {
  if (status === 408) return 'slow';
  if (status === 413) return 'too-large';
  if (status === 507) return 'full';
  return status >= 500 ? 'server' : 'unreadable';
}

const CONTENDED = retryLater(
  'busy',
  'Others kept changing the same thing at the same time. Try again in a moment.',
);
const FILES_REFUSED = fail(
  500,
  'The file store refuses us. The operator of this service must check FILES_URL.',
);
/** Downloads can be resumed, and uploads sent again. */
const FILES_AWAY: Failure = {
  ...retryLater('files', 'The file store cannot be reached right now. Try again in a minute.'),
  retryAfterSeconds: 60,
};
const NO_ROOM = fail(507, 'There is no room left for files. Try again once there is room.');

/** The one table from errors to statuses. A status alone: the message of the error is for the client. */
const FAILURES: ReadonlyMap<string, Failure | number> = new Map<string, Failure | number>([
  [
    'store-unavailable',
    retryLater(
      'database',
      'The database cannot be reached right now. Nothing is lost; try again in a moment.',
    ),
  ],
  ['contended', CONTENDED],
  ['decided-meanwhile', CONTENDED],
  [
    'body-budget-exceeded',
    retryLater('busy', 'We are receiving as much as we can hold right now. Send it again in a moment.'),
  ],
  ['body-timeout', 408],
  ['upload-stalled', 408],
  ['file-too-large', 413],
  ['upload-unreadable', 400],
  ['content-encoding', 415],
  [
    'digest-mismatch',
    fail(400, 'What came in has another SHA-256 than was announced, and nothing was kept. Send it again.'),
  ],
  ['file-store-away', FILES_AWAY],
  // Of a disk, or of a network file system.
  ...['EHOSTDOWN', 'EIO', 'ENODEV', 'ENOTCONN', 'ESTALE'].map((code) => [code, FILES_AWAY] as const),
  [
    'content-removing',
    {
      ...retryLater('removing', 'This content is being removed right now. Send it again in 15 minutes.'),
      retryAfterSeconds: 15 * 60,
    },
  ],
  ['file-store-denied', FILES_REFUSED],
  ['file-store-missing', FILES_REFUSED],
  ...['EACCES', 'EPERM', 'EROFS'].map((code) => [code, FILES_REFUSED] as const),
  ['file-store-full', NO_ROOM],
  ['ENOSPC', NO_ROOM],
  ['EDQUOT', NO_ROOM],
  ['EFBIG', NO_ROOM],
  ['FST_ERR_VALIDATION', 400],
  ['not-utf8', fail(400, 'The body is not UTF-8. Send the JSON in that encoding.')],
  ['FST_ERR_CTP_EMPTY_JSON_BODY', fail(400, 'The body is empty. Send a JSON object.')],
  ['FST_ERR_CTP_INVALID_JSON_BODY', fail(400, 'The body is not valid JSON.')],
  ['FST_ERR_CTP_BODY_TOO_LARGE', fail(413, 'The body is larger than this address takes.')],
  [
    'FST_ERR_CTP_INVALID_MEDIA_TYPE',
    fail(415, 'The body has a type that this address does not take. Send application/json.'),
  ],
]);

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
