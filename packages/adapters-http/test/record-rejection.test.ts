import type { Rejection } from '@handover/domain';
import { expect, test } from 'vitest';
import { createRejectionRecorder, LARGEST_KEPT } from '../src/webhooks/record-rejection.ts';

test('slow writes of one organisation leave room to write what others sent', async () => {
  const written: string[] = [];
  const slow = Promise.withResolvers<void>();
  const record = createRejectionRecorder({
    rejected: {
      record: async ({ orgId }: Rejection) => {
        written.push(orgId);
        await slow.promise;
      },
    },
  } as never);
  const refuse = (orgId: string) =>
    record({
      orgId,
      platform: { label: 'storefront-a' },
      inbound: { body: new Uint8Array(LARGEST_KEPT + 1), receivedAt: new Date() },
      network: '192.0.2.1',
      reason: 'The signature is wrong.',
      isKept: true,
    } as never);

  const answers = [...Array(9).fill('slow'), 'SLOW', 'other'].map(refuse);
  await Promise.resolve();
  expect(written).toEqual(['slow', 'slow', 'slow', 'other']);
  slow.resolve();
  expect(await Promise.all(answers)).toEqual(Array(11).fill(null));
});
