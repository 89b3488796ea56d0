import { createInMemoryStores, storesContract } from '@handover/domain/testing';
import { describe, expect, it } from 'vitest';

describe('the in-memory stores', () => {
  storesContract({ describe, it, expect }, async () => {
    const stores = createInMemoryStores();
    return { stores, queuedJobs: stores.queuedJobs };
  });
});
