import { DomainError } from '@handover/domain';

/**
 * Turns a lost or refused connection into the domain's `store-unavailable`, with the original error as its cause. Any
 * other error is returned unchanged.
 */
export function asStoreError(error: unknown): unknown {
  if (!isConnectionError(error)) return error;
  const failure = new DomainError('store-unavailable', `The database cannot be reached: ${describe(error)}`);
  failure.cause = error;
  return failure;
}

export function isStoreUnavailable(error: unknown): boolean {
  return codeOf(error) === 'store-unavailable';
}

/** Whether the server ended a statement at its timeout, or at its lock timeout: it had no effect. */
export function isTimeLimit(error: unknown): boolean {
  return error instanceof Error && TIME_LIMITS.includes(codeOf(error.cause));
}

/** Whether the transaction conflicted with another one, so that a retry can succeed. */
export function isLostRace(error: unknown): boolean {
  return ['40001', '40P01'].includes(codeOf(error));
}

/** Whether a row had no partition yet while its partition was being created. A retry finds it. */
export function isPartitionMade(error: unknown): boolean {
  if (codeOf(error) !== '23514') return false;
  return fieldOf(error, 'table', /relation "(.+?)"/) === 'delivery_bodies_default';
}

export function isDiskFull(error: unknown): boolean {
  return codeOf(error) === '53100';
}

/** A standby, or a database or role that is set to be read-only, refused a write. */
export function isReadOnly(error: unknown): boolean {
  return codeOf(error) === '25006';
}

export function isUniqueViolation(error: unknown): boolean {
  return codeOf(error) === '23505';
}

export function isForeignKeyViolation(error: unknown): boolean {
  return codeOf(error) === '23503';
}

/** The name of the violated foreign key; null if the statement failed for another reason. */
export function violatedForeignKey(error: unknown): string | null {
  return isForeignKeyViolation(error) ? fieldOf(error, 'constraint', /foreign key constraint "(.+?)"/) : null;
}

/** A field of an error. Citus sends none: the name is in the message, with the number of a shard. */
function fieldOf(error: unknown, field: 'table' | 'constraint', inMessage: RegExp): string {
  if (!(error instanceof Error)) return '';
  const given: unknown = field in error ? Reflect.get(error, field) : undefined;
  if (typeof given === 'string') return given;
  return inMessage.exec(error.message)?.[1]?.replace(/_\d{6,}$/, '') ?? '';
}

const TIME_LIMITS = ['55P03', '57014'];

const NODE_CODES = new Set([
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);

// Connection exceptions; a server that starts, stops or is out of resources (connections, memory, disk); a primary
// that became read-only on a fail-over; and every timeout: idle sessions, idle transactions, statements and locks.
const SQLSTATES = /^(08...|53...|57P0[1-35]|57014|25006|25P0[34]|55P03)$/;

// pg sets no code for these.
const MESSAGES = [
  'Connection terminated',
  'Connection ended',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Query read timeout',
  'Client has encountered a connection error',
  'Client was closed',
  'Cannot use a pool after calling end',
  'Postgres connection has been discarded',
];

function isConnectionError(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  if (NODE_CODES.has(code) || SQLSTATES.test(code) || isRefusedConnect(error)) return true;
  if (error instanceof AggregateError) return error.errors.some(isConnectionError);
  return MESSAGES.some((message) => error.message.startsWith(message));
}

/** The system has many reasons: EPERM of a firewall, EACCES of a socket. Their codes alone look like those of a file. */
function isRefusedConnect(error: Error): boolean {
  return 'syscall' in error && error.syscall === 'connect';
}

function codeOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : null;
  return typeof code === 'string' ? code : '';
}

function describe(error: Error): string {
  return error.message || codeOf(error) || error.name;
}
