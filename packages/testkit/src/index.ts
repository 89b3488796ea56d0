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
export {
  type CreateStores,
  type CreateStoresUnderTest,
  openFreshShop,
  type PartialStores,
  type StoresUnderTest,
} from './contracts/harness.ts';
export {
  accessContract,
  alertsContract,
  catalogueContract,
  connectionsContract,
  deliveriesContract,
  emailsContract,
  linksContract,
  maintenanceContract,
  overviewContract,
  purchasesContract,
  releasesContract,
  type StoresPart,
  storesContract,
  transactionsContract,
} from './contracts/stores-contract.ts';
export { fileStoreContract } from './file-store-contract.ts';
export { fulfilmentContract } from './fulfilment-store/fulfilment-contract.ts';
export type { CreateFulfilmentStore, FulfilmentStoreUnderTest } from './fulfilment-store/harness.ts';
export { jobsContract } from './fulfilment-store/jobs-contract.ts';
export { receiptsContract } from './fulfilment-store/receipts-contract.ts';
export type { Expectation, TestRunner } from './runner.ts';
export {
  BY_JANA,
  byOwner,
  createCountingIds,
  createFakeApiKeys,
  createFakeComposing,
  createFakeFingerprints,
  createFakeInvitationTokens,
  createFakeSessionTokens,
  createFakeSignInTokens,
  createFakeSigningSecrets,
  createFakeSourceFingerprints,
  createFakeTokens,
  createManualClock,
  makeLine,
  makeOrder,
  openShop,
  publishProduct,
  recordOrder,
  type Shop,
  type ShopPorts,
} from './samples.ts';
