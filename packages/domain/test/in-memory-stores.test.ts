import type { Job } from '@handover/domain';
import { createInMemoryStores } from '@handover/domain/memory';
import { storesContract } from '@handover/testkit';
import { describe, expect, it } from 'vitest';

describe('the in-memory stores', () => {
  storesContract({ describe, it, expect }, async () => {
    const stores = createInMemoryStores();
    const dropJobs = async (jobs: readonly Job[]) => {
      for (const job of jobs) stores.finishJob(job);
    };
    return { stores, queuedJobs: stores.queuedJobs, dropJobs, expireClaims: stores.expireClaims };
  });
});
