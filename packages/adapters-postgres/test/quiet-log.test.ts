import { expect, it } from 'vitest';
import { createQuietLog } from '../src/jobs/quiet-log.ts';

it('names the job that failed, once', () => {
  const lines: object[] = [];
  const log = createQuietLog({ warn: () => undefined, error: (details) => void lines.push(details) });
  const err = new Error('No such product.');
  for (const deliveryId of ['first', 'second']) log.error(err, { job: 'fulfil-delivery', deliveryId });
  expect(lines).toEqual([{ err, job: 'fulfil-delivery', deliveryId: 'first' }]);
});
