import type { Logger } from 'pino';
import pino from 'pino';
import pretty from 'pino-pretty';

/** The service's log: one JSON object a line; for a person at a terminal the same, laid out. */
export function createLog(): Logger {
  const options = {
    level: 'info',
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    // A second line of defence: nothing secret should get as far as the log.
    redact: [
      'secret',
      '*.secret',
      'password',
      '*.password',
      'token',
      '*.token',
      'apiKey',
      '*.apiKey',
      '*.authorization',
    ],
  };
  if (!process.stdout.isTTY) return pino(options);
  return pino(options, pretty({ translateTime: 'HH:MM:ss', singleLine: true, ignore: 'pid,hostname' }));
}
