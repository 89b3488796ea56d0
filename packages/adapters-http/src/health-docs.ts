import { Type } from 'typebox';
import type { OperationDocs } from './openapi/operation-docs.ts';
import { json } from './openapi/responses.ts';

const shared = { tag: 'Operations', origin: 'addition', access: 'open' } as const;

const status = (description: string, ...values: readonly string[]) =>
  Type.Object(
    { status: Type.Enum([...values], { description, examples: [values[0]] }) },
    { description: 'How it is.' },
  );

export const healthDocs: OperationDocs = {
  ...shared,
  operationId: 'checkHealth',
  summary: 'Is the process alive?',
  description: 'Answers as long as the process does, with or without the database.',
  responses: { 200: json('It is.', status('Always `ok`.', 'ok')) },
};

export const readinessDocs: OperationDocs = {
  ...shared,
  operationId: 'checkReadiness',
  summary: 'May requests be sent here?',
  description:
    'For load balancers: asks the database, and says no while the process drains or can accept nothing.',
  responses: {
    200: json('They may.', status('Always `ready`.', 'ready')),
    503: json(
      'They may not.',
      status(
        '`database-away`: it does not answer. `overloaded`: it does, but webhooks have waited for it for two seconds and none was accepted. `draining`: the process was told to stop.',
        'database-away',
        'overloaded',
        'draining',
      ),
    ),
  },
};
