import type { Logger } from 'pino';
import pino from 'pino';
import pretty from 'pino-pretty';

/** The service's log: one JSON object per line; pretty-printed on a terminal. */
export function createLog(): Logger {
  const options = {
    level: 'info',
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    // Defence in depth: no secret should reach the log.
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
