import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const source = fileURLToPath(new URL('../src', import.meta.url));

it('loads the libraries of OpenTelemetry in one place, and only where a collector is set', () => {
  const texts = globSync('**/*.ts', { cwd: source }).map((name) => readFileSync(join(source, name), 'utf8'));
  const heavy = /(from|import) ?\(?'(@opentelemetry\/(?!api')[\w-]+|@fastify\/otel)'\)?/g;
  const loads = texts.flatMap((text) => text.match(heavy) ?? []);
  expect(loads.sort()).toEqual(["import('@fastify/otel')", "import('@opentelemetry/sdk-node')"]);
});
