import { Compile } from 'typebox/compile';
import { describe, expect, test } from 'vitest';
import type { OpenApiDocument } from '../src/openapi/document.ts';
import type { Answer } from './documented-cases/bring-answer.ts';
import { CASES, KEY_CASES } from './documented-cases.ts';
import { openTestShop } from './open-test-shop.ts';
import { closeSchema, type DocumentedOperation, listOperations, readDocument } from './read-document.ts';

// Every answer that the document promises is brought about, and is then exactly what the document says of it.

interface Reading {
  readonly document: OpenApiDocument;
  readonly operations: readonly DocumentedOperation[];
}

let reading: Promise<Reading> | undefined;

/** Read once for the file: the document is the same for every client. */
function read(): Promise<Reading> {
  reading ??= openTestShop()
    .then(({ app }) => readDocument(app))
    .then((document) => ({ document, operations: listOperations(document) }));
  return reading;
}

function casesOf({ operationId, security }: DocumentedOperation) {
  return { ...(security.length > 0 ? KEY_CASES : {}), ...CASES[operationId] };
}

test('every documented status of every operation has a case here, and every case is documented', async () => {
  const { operations } = await read();
  const documented = operations.flatMap(({ operationId, responses }) =>
    Object.keys(responses).map((status) => `${operationId} ${status}`),
  );
  const shown = operations.flatMap((operation) =>
    Object.keys(casesOf(operation)).map((status) => `${operation.operationId} ${status}`),
  );
  expect(shown.sort()).toEqual(documented.sort());
  const known = new Set(operations.map(({ operationId }) => operationId));
  expect(Object.keys(CASES).filter((operationId) => !known.has(operationId))).toEqual([]);
});

describe('each documented status occurs as it is documented', () => {
  test.each(Object.keys(CASES))('%s', async (operationId) => {
    const { document, operations } = await read();
    const operation = operations.find((candidate) => candidate.operationId === operationId);
    if (!operation) throw new Error(`The document has no ${operationId}.`);
    for (const [status, bring] of Object.entries(casesOf(operation))) {
      const answer = await bring(operation);
      expect(answer.statusCode, `${operationId} ${status}: ${answer.body.slice(0, 200)}`).toBe(
        Number(status),
      );
      expectAsDocumented(answer, operation, document);
    }
  });
});

function expectAsDocumented(
  answer: Answer,
  { operationId, responses }: DocumentedOperation,
  document: OpenApiDocument,
): void {
  const at = `${operationId} ${answer.statusCode}`;
  const { headers = {}, content = {} } = responses[answer.statusCode] ?? {};
  for (const name of Object.keys(headers)) expect(answer.headers, at).toHaveProperty(name.toLowerCase());
  const [type, media] = Object.entries(content)[0] ?? [];
  if (!type || !media) {
    expect(answer.body, at).toBe('');
    return;
  }
  expect(String(answer.headers['content-type']).split(';')[0], at).toBe(type);
  if (type !== 'application/json' || operationId === 'readOpenApi') return;
  expect(Compile(closeSchema(media.schema, document)).Errors(answer.json()), at).toEqual([]);
}
