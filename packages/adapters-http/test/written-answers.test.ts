import { Type } from 'typebox';
import { expect, test } from 'vitest';
import type { JsonSchema } from '../src/openapi/document.ts';
import { documented } from '../src/openapi/documented.ts';
import { json } from '../src/openapi/responses.ts';
import { openTestShop } from './open-test-shop.ts';
import { listOperations, readDocument } from './read-document.ts';

test('an answer in JSON holds what is documented of it, and nothing else', async () => {
  const { app } = await openTestShop();
  const schema = documented({
    operationId: 'leak',
    summary: 'Leak',
    description: 'Answers with more than it says.',
    tag: 'Operations',
    origin: 'addition',
    access: 'open',
    responses: { 200: json('It.', Type.Object({ name: Type.String() })) },
  });
  app.get('/leak', { schema }, async () => ({ name: 'Pads', secret: 'whsec_1' }));
  expect((await app.inject('/leak')).json()).toEqual({ name: 'Pads' });
});

test('no answer leaves a choice to its writer, which is slow and may fail', async () => {
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
