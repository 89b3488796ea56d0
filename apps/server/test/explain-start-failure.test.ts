import { expect, it } from 'vitest';
import { explainStartFailure } from '../src/serve/explain-start-failure.ts';
import { readSettings } from '../src/settings/settings.ts';

const fault = (members: object, message = 'what the system said') =>
  Object.assign(new Error(message), members);

function explain(error: unknown, environment: Record<string, string> = {}) {
  const read = readSettings({ DATA_DIR: '/srv/handover', PORT: '8080', ...environment });
  if ('problems' in read) throw new Error('wrong sample settings');
  return explainStartFailure(error, read.settings);
}

const DATABASE = {
  DATABASE_URL: 'postgresql://h:sesame@db/h',
  HANDOVER_SECRET: 'a-secret-of-at-least-32-characters',
  FILES_URL: 'file:///srv/files',
};

it.each([
  [fault({ code: 'EADDRINUSE', syscall: 'listen' }), {}, /^PORT 8080 is in use/],
  [
    fault({ code: 'EADDRINUSE', syscall: 'listen', port: 9464 }),
    { METRICS_PORT: '9464' },
    /^METRICS_PORT 9464 is in use.*METRICS_PORT=/,
  ],
  [
    fault({ code: 'EADDRINUSE', syscall: 'listen', port: 8080 }),
    { METRICS_PORT: '9464' },
    /^PORT 8080 is in use/,
  ],
  [
    fault({ code: 'EACCES', syscall: 'listen', port: 90 }),
    { METRICS_PORT: '90' },
    /^METRICS_PORT 90 may not be used/,
  ],
  [fault({ code: 'EACCES', syscall: 'listen' }), {}, /^PORT 8080 may not be used/],
  [fault({ code: 'ENOTFOUND', syscall: 'getaddrinfo' }), {}, /^HOST 127\.0\.0\.1/],
  [
    fault({ code: 'ENOTDIR', syscall: 'mkdir' }),
    {},
    /^DATA_DIR \/srv\/handover cannot be used \(what the system said\)/,
  ],
  [fault({ code: 'EACCES', syscall: 'mkdir' }), {}, /^DATA_DIR .* may write to\.$/],
  [fault({ code: 'ENOSPC', syscall: 'write' }), {}, /^DATA_DIR .*\. Free space on its disk\.$/],
  [
    fault({ code: 'store-unavailable' }, 'The database does not tell the time: silent.'),
    DATABASE,
    /^DATABASE_URL names a database that cannot be used: The database does not tell the time: silent\.$/,
  ],
  [
    fault({ code: '28P01' }, 'password authentication failed'),
    DATABASE,
    /^DATABASE_URL .*password authentication/,
  ],
  [
    fault({ code: '42501' }, 'permission denied for schema public'),
    DATABASE,
    /^DATABASE_URL .*permission denied for schema public\. Its role must own it: alter database/,
  ],
  [
    fault({ code: 'store-unavailable', cause: new Error('connect ECONNREFUSED') }),
    DATABASE,
    /^DATABASE_URL .*ECONNREFUSED/,
  ],
  [fault({ code: 'data-dir-held' }, 'Handover already works here.'), {}, /^Handover already works here\.$/],
])('%s is told with the setting to fix', (error, environment, message) => {
  const told = explain(error, environment);
  expect(told).toMatch(message);
  expect(told).not.toContain('sesame');
});

it('an unexpected error keeps its stack', () => {
  expect(explain(new TypeError('undefined is not a function'))).toBeNull();
});
