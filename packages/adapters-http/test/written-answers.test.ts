import { Type } from 'typebox';
import { expect, test } from 'vitest';
import type { JsonSchema } from '../src/openapi/document.ts';
import { documented } from '../src/openapi/documented.ts';
import { json } from '../src/openapi/responses.ts';
import { openTestShop } from './open-test-shop.ts';
import { listOperations, readDocument } from './read-document.ts';

async function openLeak(answer: object) {
  const { app } = await openTestShop();
  const schema = documented({
    operationId: 'leak',
    summary: 'Leak',
    description: 'Answers with more than it says.',
    tag: 'Operations',
    origin: 'addition',
    access: 'open',
    responses: { 200: json('It.', Type.Object({ name: Type.String(), slug: Type.String() })) },
  });
  app.get('/leak', { schema }, async () => answer);
  return app.inject('/leak');
}

test('a JSON response contains its documented members, and nothing else', async () => {
  const answer = await openLeak({ name: 'Pads', slug: 'pads', secret: 'whsec_1' });
  expect(answer.json()).toEqual({ name: 'Pads', slug: 'pads' });
});

test('a response that lacks a member is sent all the same', async () => {
  const answer = await openLeak({ name: 'Pads' });
  expect([answer.statusCode, answer.json()]).toEqual([200, { name: 'Pads' }]);
});

test('no response schema has a union, which is slow to serialize and can fail', async () => {
  const { app } = await openTestShop();
  const document = await readDocument(app);
  const written = listOperations(document).flatMap(({ responses, operationId }) =>
    Object.entries(responses).flatMap(([status, { content = {} }]) => {
      const schema = content['application/json']?.schema;
      // Lists are streamed as text.
      return schema && schema.type !== 'array' ? [{ at: `${operationId} ${status}`, schema }] : [];
    }),
  );
  expect(written.length).toBeGreaterThan(100);
  const hasChoice = (schema: JsonSchema): boolean =>
    JSON.stringify(schema, (key, value) =>
      key === '$ref' ? document.components.schemas[value.replace(/.*\//, '')] : value,
    ).includes('"anyOf"');
  expect(written.filter(({ schema }) => hasChoice(schema)).map(({ at }) => at)).toEqual([]);
});
