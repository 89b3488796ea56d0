import { readFileSync } from 'node:fs';
import { PLATFORMS, SHARED_PLATFORM } from '@handover/domain';
import { paymentsA, readTenantRef } from '@handover/platform-payments-a';
import { storefrontA } from '@handover/platform-storefront-a';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Compile } from 'typebox/compile';
import { describe, expect, test } from 'vitest';
import type { JsonSchema, OpenApiDocument } from '../src/openapi/document.ts';
import { listRoutes } from './list-routes.ts';
import { bearer, openTestShop, TEST_OPTIONS } from './open-test-shop.ts';
import { closeSchema, listOperations, readDocument } from './read-document.ts';

const ofOrganisations = PLATFORMS.filter((label) => label !== SHARED_PLATFORM);
const platforms = ofOrganisations.map((label) => ({ ...storefrontA, label }));
const sharedPlatform = { webhook: paymentsA, secrets: [], readTenantRef };
const outbox = { list: async () => [], read: async () => null };

async function open() {
  const testShop = await openTestShop(undefined, { platforms });
  return { ...testShop, document: await readDocument(testShop.app) };
}

describe('the OpenAPI document', () => {
  test('is valid OpenAPI 3.1', async () => {
    const { document } = await open();
    const validator = new Validator();
    const result = await validator.validate({ ...document });
    expect(result.errors ?? []).toEqual([]);
    expect(result.valid).toBe(true);
    expect(validator.version).toBe('3.1');
    const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
    expect(document.info.license).toEqual({ name: 'MIT License', identifier: JSON.parse(manifest).license });
  });

  test('contains every route of the app, and no other', async () => {
    const opened = await open();
    const options = { ...TEST_OPTIONS, platforms, sharedPlatform, outbox };
    const routes = await listRoutes(opened.ports, options);
    const documented = listOperations(opened.document).map(({ method, path }) => `${method} ${path}`);
    const offered = routes.filter(({ method, path }) => method !== 'HEAD' && !isUndocumented(method, path));
    expect(documented.sort()).toEqual(offered.map(({ method, path }) => `${method} ${path}`).sort());
  });

  test('distinguishes the specification’s endpoints from ours', async () => {
    const { document } = await open();
    const ofSpecification = listOperations(document).filter(({ 'x-handover-addition': added }) => !added);
    expect(ofSpecification.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(
      [
        'GET /api/products',
        'POST /api/products',
        'PUT /api/products/{productId}',
        'POST /api/purchases',
        'GET /api/purchases',
        'GET /api/reports/downloads',
        'POST /webhooks/{orgId}/download-complete',
        ...ofOrganisations.map((label) => `POST /webhooks/{orgId}/${label}`),
        `POST /webhooks/${SHARED_PLATFORM}`,
      ].sort(),
    );
    for (const { tags, 'x-handover-addition': added, operationId } of listOperations(document)) {
      expect(tags.includes('Handover addition'), operationId).toBe(added === true);
    }
  });

  test('gives every operation a unique id, a description and its access', async () => {
    const { document } = await open();
    const operations = listOperations(document);
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
    for (const operation of operations) {
      const { operationId, path, summary, description, tags, security } = operation;
      expect(summary, operationId).not.toBe('');
      expect(description, operationId).not.toBe('');
      expect(document.tags.map(({ name }) => name)).toEqual(expect.arrayContaining([...tags]));
      const scopes = [operation['x-handover-scope']];
      const schemes = path.startsWith('/api/') ? [{ bearer: scopes }, { apiKey: scopes }] : [];
      expect(security, operationId).toEqual(schemes);
    }
  });

  test('describes every parameter, header and field', async () => {
    const { document } = await open();
    expect([...findUndescribed(document)]).toEqual([]);
  });

  test('has valid examples', async () => {
    const { document } = await open();
    const examples = [...findExamples(document)];
    expect(examples.length).toBeGreaterThan(50);
    for (const { schema, example, at } of examples) {
      const errors = Compile(closeSchema(schema, document)).Errors(example);
      expect(errors, at).toEqual([]);
    }
  });

  test('lacks the withdrawn operation, and so does the app', async () => {
    const { app, shop, document } = await open();
    const url = '/api/generate-download-url';
    expect(Object.keys(document.paths)).not.toContain(url);
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const) {
      for (const headers of [{}, bearer(shop.ownerKey)]) {
        const answer = await app.inject({ method, url, headers });
        expect(answer.statusCode, method).toBe(404);
        expect(answer.json()).toEqual({ error: expect.any(String) });
      }
    }
  });

  test('is served from the root, as JSON, and names the server’s address', async () => {
    const { app, document } = await open();
    const { headers } = await app.inject('/openapi.json');
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(document.servers).toEqual([{ url: 'http://shop.test' }]);
  });
});

/**
 * What no program calls: the start page, the pages' files, the mail of a trial, and the words for a wrong method. And what
 * the tus protocol says itself: a POST that stands for PATCH or DELETE.
 */
function isUndocumented(method: string, path: string): boolean {
  if (method === 'POST' && path === '/api/uploads/{uploadId}') return true;
  const ofTrial = path === '/' || path.startsWith('/dev/mail');
  const forPeople = path.startsWith('/assets/') || path.startsWith('/dashboard');
  return ofTrial || forPeople || (path.startsWith('/webhooks/') && method !== 'POST');
}

function* findUndescribed(document: OpenApiDocument): Iterable<string> {
  for (const { operationId, parameters = [], requestBody, responses } of listOperations(document)) {
    for (const { name, description } of parameters) if (!description) yield `${operationId}: ${name}`;
    if (requestBody && !requestBody.description) yield `${operationId}: body`;
    for (const { schema } of Object.values(requestBody?.content ?? {})) {
      yield* findFields(schema, `${operationId}: body`);
    }
    for (const [status, { description, headers = {}, content = {} }] of Object.entries(responses)) {
      if (!description) yield `${operationId}: ${status}`;
      for (const [name, header] of Object.entries(headers))
        if (!header.description) yield `${status}: ${name}`;
      for (const { schema } of Object.values(content)) yield* findFields(schema, `${operationId}: ${status}`);
    }
  }
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    if (!schema.description) yield name;
    yield* findFields(schema, name);
  }
}

function* findFields(schema: JsonSchema, at: string): Iterable<string> {
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    // A shared schema describes itself.
    if (!field.description && !field.$ref) yield `${at}.${name}`;
    yield* findFields(field, `${at}.${name}`);
  }
  if (schema.items) yield* findFields(schema.items, at);
  for (const choice of schema.anyOf ?? []) yield* findFields(choice, at);
}

interface Example {
  readonly schema: JsonSchema;
  readonly example: unknown;
  readonly at: string;
}

function* findExamples(document: OpenApiDocument): Iterable<Example> {
  for (const { operationId, parameters = [], requestBody, responses } of listOperations(document)) {
    for (const [status, { content = {} }] of Object.entries(responses)) {
      for (const { schema, example } of Object.values(content)) {
        if (example !== undefined) yield { schema, example, at: `${operationId}: ${status}` };
      }
    }
    for (const { schema, example, name } of parameters) {
      if (example !== undefined) yield { schema, example, at: `${operationId}: ${name}` };
    }
    for (const { schema, example } of Object.values(requestBody?.content ?? {})) {
      if (example !== undefined) yield { schema, example, at: `${operationId}: body` };
    }
  }
  for (const [name, schema] of Object.entries(document.components.schemas)) yield* findIn(schema, name);
}

function* findIn(schema: JsonSchema, at: string): Iterable<Example> {
  for (const example of schema.examples ?? []) yield { schema, example, at };
  for (const [name, field] of Object.entries(schema.properties ?? {})) yield* findIn(field, `${at}.${name}`);
  if (schema.items) yield* findIn(schema.items, at);
}
