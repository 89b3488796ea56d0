export {
  claimEmail,
  claimIdOf,
  completeEmail,
  type EmailJob,
  emailJob,
  emailOf,
  sendsEmail,
} from './complete-emails.ts';
export { DUE_MAILS } from './contracts/due-mails.ts';
export type { CreateStores, StoresUnderTest } from './contracts/harness.ts';
export { storesContract } from './contracts/stores-contract.ts';
export { fileStoreContract } from './file-store-contract.ts';
export { LAPSED_AFTER_MS } from './in-memory-claims.ts';
export { createInMemoryFileStore } from './in-memory-file-store.ts';
export type { InMemoryStores } from './in-memory-stores.ts';
export { createInMemoryStores } from './in-memory-stores.ts';
export { type Transactions, transactionsOf } from './in-memory-transactions.ts';
export { createMemory, type Memory, rememberMemory } from './memory.ts';
export type { Expectation, TestRunner } from './runner.ts';
export type { Shop, ShopPorts } from './samples.ts';
export {
  BY_JANA,
  createCountingIds,
  createFakeApiKeys,
  createFakeFingerprints,
  createFakeInvitationTokens,
  createFakeSessionTokens,
  createFakeSignInTokens,
  createFakeSigningSecrets,
  createFakeSourceFingerprints,
  createFakeTokens,
  createManualClock,
  createPlainComposing,
  makeLine,
  makeOrder,
  openShop,
  publishProduct,
  recordOrder,
} from './samples.ts';
