import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const SOURCE = new URL('../src/', import.meta.url).pathname;

/** Those that hand ports on to routes. */
const HANDS_PORTS_ON = ['api/api-routes.ts', 'create-http-app.ts', 'dashboard/dashboard-routes.ts'];

/** Where it is decided who may come in. */
const AUTHORISATION = ['auth/*.ts', 'dashboard/dashboard-route{,s}.ts', 'webhooks/webhook-routes.ts'];

function listFiles(patterns: string | readonly string[], wanted: RegExp): readonly string[] {
  const files = globSync(patterns, { cwd: SOURCE });
  return files.filter((file) => wanted.test(readFileSync(`${SOURCE}${file}`, 'utf8'))).sort();
}

test('a route names the stores that it needs, and does not get all of them', () => {
  expect(listFiles('**/*.ts', /[\w}]: HttpPorts\b/)).toEqual(HANDS_PORTS_ON);
});

test('authorisation has no type casts', () => {
  expect(listFiles(AUTHORISATION, /^import /m).length).toBeGreaterThan(6);
  expect(listFiles(AUTHORISATION, /\bas (never|unknown|[A-Z]\w*)/)).toEqual([]);
});
