import type { Logger } from 'pino';
import pino from 'pino';
import pretty from 'pino-pretty';

/** The service's log: one JSON object per line; pretty-printed on a terminal. */
export function createLog(): Logger {
  const options = {
    level: 'info',
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }), log: hideSecrets },
    serializers: { err: describeError },
  };
  if (!process.stdout.isTTY) return pino(options, openOutput());
  return pino(options, pretty({ translateTime: 'HH:MM:ss', singleLine: true, ignore: 'pid,hostname' }));
}

const SECRETS: ReadonlySet<string> = new Set(['secret', 'password', 'token', 'apiKey', 'authorization']);

/**
 * Defence in depth: no secret should reach the log. It covers what a line says and the members of that, as `redact`
 * of the library would, which takes as long as the rest of the line.
 */
function hideSecrets(facts: object): Record<string, unknown> {
  return hideMembers(facts, (value) => (isRecord(value) ? hideMembers(value, (inner) => inner) : value));
}

function describeError(error: unknown): unknown {
  const described: unknown = error instanceof Error ? pino.stdSerializers.err(error) : error;
  return typeof described === 'object' && described !== null ? hideSecrets(described) : described;
}

/** Nearly every line has nothing to hide, and is not copied. */
function hideMembers(facts: object, show: (value: unknown) => unknown): Record<string, unknown> {
  const given = facts as Readonly<Record<string, unknown>>;
  let shown = given;
  for (const name of Object.keys(given)) {
    const value = given[name];
    const visible = SECRETS.has(name) && value !== undefined ? '[Redacted]' : show(value);
    if (visible !== value) shown = { ...shown, [name]: visible };
  }
  return shown;
}

/** What has a form of its own in the log is left alone; errors are described first. */
function isRecord(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  return !(Array.isArray(value) || value instanceof Error || 'toJSON' in value);
}

const FLUSH_AFTER_MS = 20;
const FLUSH_AFTER_BYTES = 8 * 1024;

/** Writes lines of the same moment together: each write is a system call, handed to another thread. */
function openOutput() {
  // What is left is written when the process exits.
  const output = pino.destination({ minLength: FLUSH_AFTER_BYTES });
  let isWaiting = false;
  const flush = () => {
    isWaiting = false;
    output.flush();
  };
  return {
    write: (line: string) => {
      output.write(line);
      if (isWaiting) return;
      isWaiting = true;
      setTimeout(flush, FLUSH_AFTER_MS);
    },
    // Called after a fatal line.
    flushSync: () => output.flushSync(),
  };
}
