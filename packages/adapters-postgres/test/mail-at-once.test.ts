import type { Job, Plan } from '@handover/domain';
import { expect, it, vi } from 'vitest';
import { createClaimLeases, reserveMails } from '../src/stores/writes/email/claim-leases.ts';

it('frees the workers of receipts whose content cannot be read after their commit', () => {
  const job = {
    kind: 'send-email',
    emailKind: 'receipt',
    orgId: 'org',
    emailId: 'r1',
    startAfter: new Date(0),
  };
  const plan = { receipt: { id: 'r1' }, jobs: [job] } as unknown as Plan;
  const start = vi.fn();
  const jobs = { reserve: (reserved: readonly Job[]) => ({ jobs: reserved, leaseId: '', start }) };
  const mails = reserveMails(jobs, createClaimLeases(), [plan]);
  const unreadable = () => {
    throw new Error('It cannot be read.');
  };
  expect(() => mails.start(unreadable)).toThrow('It cannot be read.');
  expect(start.mock.calls).toEqual([[[]]]);
});
