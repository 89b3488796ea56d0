import { fulfilmentContract, jobsContract, receiptsContract } from '@handover/testkit';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSqliteFulfilmentStore } from '../src/index.ts';

function createStore() {
  const store = createSqliteFulfilmentStore(':memory:');
  onTestFinished(store.close);
  return { store, putShop: store.putShop, linkExpiresAt: store.linkExpiresAt };
}

fulfilmentContract({ describe, it, expect }, createStore);
receiptsContract({ describe, it, expect }, createStore);
jobsContract({ describe, it, expect }, createStore);
