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
export type { Expectation, TestRunner } from './runner.ts';
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
  type Shop,
  type ShopPorts,
} from './samples.ts';
