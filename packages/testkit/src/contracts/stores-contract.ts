import type { Stores } from '@handover/domain';
import { createInMemoryStores } from '@handover/domain/memory';
import { nameMissing, opening, type TestRunner } from '../runner.ts';
import { accessContract as accessSuite } from './access-contract.ts';
import { actionItemsContract as actionItemsSuite } from './action-items-contract.ts';
import { activityContract as activitySuite } from './activity-contract.ts';
import { alertDelayContract as alertDelaySuite } from './alert-delay-contract.ts';
import { alertKeysContract as alertKeysSuite } from './alert-keys-contract.ts';
import { alertsContract as alertsSuite } from './alerts-contract.ts';
import { apiKeysContract as apiKeysSuite } from './api-keys-contract.ts';
import { browsingContract as browsingSuite } from './browsing-contract.ts';
import { bulkActionsContract } from './bulk-actions-contract.ts';
import { bulkContract } from './bulk-contract.ts';
import { bulkUndoContract } from './bulk-undo-contract.ts';
import { catalogueContract as catalogueSuite } from './catalogue-contract.ts';
import { connectionsContract as connectionsSuite } from './connections-contract.ts';
import { contentsContract } from './contents-contract.ts';
import { correctedDownloadsContract } from './corrected-downloads-contract.ts';
import { correctedOrdersContract } from './corrected-orders-contract.ts';
import { defaultCurrencyContract as defaultCurrencySuite } from './default-currency-contract.ts';
import { dismissalsContract as dismissalsSuite } from './dismissals-contract.ts';
import { dismissedAlertsContract } from './dismissed-alerts-contract.ts';
import { downloadLinkEmailsContract as downloadLinkEmailsSuite } from './download-link-emails-contract.ts';
import { downloadsContract as downloadsSuite } from './downloads-contract.ts';
import { downloadsReportContract as downloadsReportSuite } from './downloads-report-contract.ts';
import { eraseContract } from './erase-contract.ts';
import { failedEntriesContract } from './failed-entries-contract.ts';
import { fulfilmentContract as fulfilmentSuite } from './fulfilment-contract.ts';
import {
  type CreateStores,
  type CreateStoresUnderTest,
  openFreshShop,
  type PartialStores,
  type StoresRunner,
} from './harness.ts';
import { inTransactionContract as inTransactionSuite } from './in-transaction-contract.ts';
import { invitationMailsContract as invitationMailsSuite } from './invitation-mails-contract.ts';
import { invitationsContract as invitationsSuite } from './invitations-contract.ts';
import { languagesContract } from './languages-contract.ts';
import { libraryContract } from './library-contract.ts';
import { linksContract as linksSuite } from './links-contract.ts';
import { listedNamesContract as listedNamesSuite } from './listed-names-contract.ts';
import { logPageContract as logPageSuite } from './log-page-contract.ts';
import { mailLimitContract as mailLimitSuite } from './mail-limit-contract.ts';
import { mailingsContract as mailingsSuite } from './mailings-contract.ts';
import { maintenanceContract as maintenanceSuite } from './maintenance-contract.ts';
import { membershipContract as membershipSuite } from './membership-contract.ts';
import { metricsContract as metricsSuite } from './metrics-contract.ts';
import { openDeliveriesContract as openDeliveriesSuite } from './open-deliveries-contract.ts';
import { outgoingEmailsContract as outgoingEmailsSuite } from './outgoing-emails-contract.ts';
import { partlyRevokedContract } from './partly-revoked-contract.ts';
import { passkeysContract as passkeysSuite } from './passkeys-contract.ts';
import { plansContract as plansSuite } from './plans-contract.ts';
import { pruneContract as pruneSuite } from './prune-contract.ts';
import { purchaseAliasesContract as purchaseAliasesSuite } from './purchase-aliases-contract.ts';
import { purchaseJsonContract as purchaseJsonSuite } from './purchase-json-contract.ts';
import { purchaseRecordContract as purchaseRecordSuite } from './purchase-record-contract.ts';
import { purchasesByShopContract } from './purchases-by-shop-contract.ts';
import { receiptsContract as receiptsSuite } from './receipts-contract.ts';
import { recordingContract as recordingSuite } from './recording-contract.ts';
import { refundsContract } from './refunds-contract.ts';
import { rejectedContract as rejectedSuite } from './rejected-contract.ts';
import { releasesContract as releasesSuite } from './releases-contract.ts';
import { salesContract as salesSuite } from './sales-contract.ts';
import { searchContract as searchSuite } from './search-contract.ts';
import { searchEverywhereContract } from './search-everywhere-contract.ts';
import { sessionBoundsContract as sessionBoundsSuite } from './session-bounds-contract.ts';
import { sessionListsContract as sessionListsSuite } from './session-lists-contract.ts';
import { sessionsContract as sessionsSuite } from './sessions-contract.ts';
import { sharedSecretsContract as sharedSecretsSuite } from './shared-secrets-contract.ts';
import { shownReceiptsContract as shownReceiptsSuite } from './shown-receipts-contract.ts';
import { signInContract as signInSuite } from './sign-in-contract.ts';
import { signInLogContract as signInLogSuite } from './sign-in-log-contract.ts';
import { skuMappingContract as skuMappingSuite } from './sku-mapping-contract.ts';
import { teamContract as teamSuite } from './team-contract.ts';
import { testOrdersContract as testOrdersSuite } from './test-orders-contract.ts';
import { unassignedContract as unassignedSuite } from './unassigned-contract.ts';
import { unreadableEntriesContract as unreadableEntriesSuite } from './unreadable-entries-contract.ts';
import { versionFilesContract as versionFilesSuite } from './version-files-contract.ts';

/** A part of {@link storesContract}, for stores that have as much as it needs; it names what they lack. */
export type StoresPart = (runner: TestRunner, createStores: CreateStoresUnderTest) => void;

/** Transactions over several stores. */
export const transactionsContract = part('transactionsContract', [inTransactionSuite]);
/** Organisations, users, teams, invitations, sign-ins and sessions. */
export const accessContract = part('accessContract', [
  accessSuite,
  apiKeysSuite,
  sessionBoundsSuite,
  sessionsSuite,
  passkeysSuite,
  signInSuite,
  signInLogSuite,
  teamSuite,
  activitySuite,
  membershipSuite,
  invitationsSuite,
  invitationMailsSuite,
]);
/** Connections with their secrets, payment accounts, and orders that belong to nobody yet. */
export const connectionsContract = part('connectionsContract', [
  connectionsSuite,
  unassignedSuite,
  sharedSecretsSuite,
]);
/** Products, versions, files and mappings, and contents without files. */
export const catalogueContract = part('catalogueContract', [
  catalogueSuite,
  skuMappingSuite,
  versionFilesSuite,
  contentsContract,
  browsingSuite,
]);
/** The webhook log, and how its entries are decided. */
export const deliveriesContract = part('deliveriesContract', [
  fulfilmentSuite,
  plansSuite,
  recordingSuite,
  rejectedSuite,
  logPageSuite,
  listedNamesSuite,
  purchaseAliasesSuite,
  unreadableEntriesSuite,
]);
/** Entries that wait for a product, a mapping or a subscription. */
export const releasesContract = part('releasesContract', [openDeliveriesSuite, releasesSuite]);
/** E-mails of every kind, claimed, sent, mailed again and limited. */
export const emailsContract = part('emailsContract', [
  receiptsSuite,
  outgoingEmailsSuite,
  mailingsSuite,
  partlyRevokedContract,
  correctedOrdersContract,
  shownReceiptsSuite,
  mailLimitSuite,
  downloadLinkEmailsSuite,
]);
/** Which alerts are mailed, and when. */
export const alertsContract = part('alertsContract', [
  alertsSuite,
  alertDelaySuite,
  alertKeysSuite,
  dismissedAlertsContract,
]);
/** Purchases: recorded by hand, searched, listed, summed up. */
export const purchasesContract = part('purchasesContract', [
  salesSuite,
  searchSuite,
  bulkActionsContract,
  bulkContract,
  bulkUndoContract,
  purchaseRecordSuite,
  purchaseJsonSuite,
  purchasesByShopContract,
  refundsContract,
  defaultCurrencySuite,
  languagesContract,
  libraryContract,
  eraseContract,
]);
/** Download links and their sessions. */
export const linksContract = part('linksContract', [
  linksSuite,
  downloadsSuite,
  sessionListsSuite,
  correctedDownloadsContract,
  downloadsReportSuite,
]);
/** Metrics, and the items that need a person. */
export const overviewContract = part('overviewContract', [
  metricsSuite,
  actionItemsSuite,
  failedEntriesContract,
  dismissalsSuite,
  searchEverywhereContract,
  testOrdersSuite,
]);
/** Deleting old rows. */
export const maintenanceContract = part('maintenanceContract', [maintenanceSuite, pruneSuite]);

const PARTS: readonly StoresPart[] = [
  transactionsContract,
  accessContract,
  connectionsContract,
  catalogueContract,
  deliveriesContract,
  releasesContract,
  emailsContract,
  alertsContract,
  purchasesContract,
  linksContract,
  overviewContract,
  maintenanceContract,
];

/** What every set of stores must do, wherever its rows are stored. It contains all parts, none of which may be skipped. */
export function storesContract(runner: TestRunner, createStores: CreateStoresUnderTest): void {
  for (const contract of PARTS) contract(runner, createStores);
}

function part(name: string, suites: readonly ((runner: StoresRunner) => void)[]): StoresPart {
  return (runner, createStores) => {
    const shops = opening(runner, () => openFreshShop(nameMissingStores(name, createStores)));
    for (const suite of suites) suite(shops);
  };
}

/** The same stores, also in a transaction. Using a missing method throws an error that names it and the part that needs it. */
function nameMissingStores(part: string, createStores: CreateStoresUnderTest): CreateStores {
  return async () => {
    const { stores, ...queue } = await createStores();
    return { ...queue, stores: namePorts(part, stores) };
  };
}

function namePorts(part: string, stores: PartialStores): Stores {
  const whole = nameMissing<Stores>(part, '', stores as Partial<Stores>);
  const ports = PORTS.map((name) => [name, nameMissing(part, name, stores[name] ?? {})]);
  return {
    ...Object.fromEntries(ports),
    inTransaction: (work) => whole.inTransaction((within) => work(namePorts(part, within))),
  };
}

/** All ports of {@link Stores}. */
const PORTS = Object.keys(createInMemoryStores()) as readonly (keyof Stores)[];
