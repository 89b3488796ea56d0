import { storesContract } from '@handover/testkit';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { openTestStores, type TestStores } from '../src/testing/index.ts';

let opened: TestStores;

beforeAll(async () => {
  opened = await openTestStores(inject('postgres'));
});

afterAll(() => opened.close());

describe('the PostgreSQL stores', () => {
  storesContract({ describe, it, expect }, async () => {
    await opened.clear();
    return opened;
  });
});
