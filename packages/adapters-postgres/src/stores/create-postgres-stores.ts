import { EventEmitter } from 'node:events';
import type { Job, Stores } from '@handover/domain';
import type { Database } from '../database/connect-database.ts';
import type { Db } from '../database/schema.ts';
import { runTransaction } from '../database/transact.ts';
import { type JobOutbox, NOTHING_RESERVED, type RemovedJob } from '../jobs/job-outbox.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { createPostgresActionItems } from './reads/overview/action-items.ts';
import { createPostgresMetrics } from './reads/overview/metrics.ts';
import { createPostgresSearch } from './reads/overview/search-everywhere.ts';
import { createPostgresUserApiKeys } from './writes/access/api-keys.ts';
import { createPostgresConnections } from './writes/access/connections.ts';
import { createPostgresInvitations } from './writes/access/invitations.ts';
import { createPostgresOrganisations } from './writes/access/organisations.ts';
import { createPostgresPasskeys } from './writes/access/passkeys.ts';
import { createPostgresPaymentAccounts } from './writes/access/payment-accounts.ts';
import { rememberConnections, rememberSharedSecrets, SHARED } from './writes/access/remember-connections.ts';
import { createPostgresSharedSecrets } from './writes/access/shared-secrets.ts';
import { createPostgresSignIns } from './writes/access/sign-ins.ts';
import { createPostgresTeam } from './writes/access/team.ts';
import { createPostgresThrottles } from './writes/access/throttles.ts';
import { createPostgresUserDevices } from './writes/access/user-devices.ts';
import { createPostgresUserSessions } from './writes/access/user-sessions.ts';
import { createPostgresUsers } from './writes/access/users.ts';
import { createPostgresActivityLog } from './writes/audit/activity.ts';
import { createPostgresProducts } from './writes/catalogue/products.ts';
import { createPostgresContents } from './writes/catalogue/removable-contents.ts';
import { createPostgresSkuMappings } from './writes/catalogue/sku-mappings.ts';
import { createPostgresDownloadLinks } from './writes/downloads/download-links.ts';
import { createPostgresDownloadSessions } from './writes/downloads/download-sessions.ts';
import { type ClaimLeases, createClaimLeases } from './writes/email/claim-leases.ts';
import { createPostgresDownloadLinkEmails } from './writes/email/download-link-emails.ts';
import { createPostgresMailCounts } from './writes/email/mail-counts.ts';
import { createPostgresMailings } from './writes/email/mailings.ts';
import { createPostgresOutgoingEmails } from './writes/email/outgoing-emails.ts';
import { createPostgresWaitingReceipts } from './writes/email/waiting-receipts.ts';
import { createPostgresDeliveryLog } from './writes/fulfilment/delivery-log.ts';
import { createPostgresFulfilment } from './writes/fulfilment/fulfilment.ts';
import { createPostgresRejectedDeliveries } from './writes/fulfilment/rejected-deliveries.ts';
import { createPostgresOpenDeliveries } from './writes/fulfilment/releases.ts';
import { createPostgresUnassigned } from './writes/fulfilment/unassigned-deliveries.ts';
import { createPostgresMaintenance } from './writes/maintenance/maintenance.ts';
import { createPostgresDismissals } from './writes/overview/dismissals.ts';
import { createPostgresBulkActions } from './writes/purchases/bulk-actions.ts';
import { createPostgresCustomers } from './writes/purchases/customers.ts';
import { createPostgresPurchases } from './writes/purchases/purchases.ts';

/**
 * Every store of the domain on one PostgreSQL database, which must have been migrated. `leases` records what is known
 * about claims, for workers that mail under them. Stores that are opened several times, over connections of different
 * purposes, share `connectionChanges`, so that each sees at once which secrets another one changed.
 */
export function createPostgresStores({
  database: { db },
  jobs,
  secretBox,
  leases = createClaimLeases(),
  connectionChanges = new EventEmitter(),
}: {
  readonly database: Pick<Database, 'db'>;
  readonly jobs: JobOutbox;
  readonly secretBox: SecretBox;
  readonly leases?: ClaimLeases;
  readonly connectionChanges?: ConnectionChanges;
}): Stores {
  const tellOthers = (orgId: string) => void connectionChanges.emit('changed', orgId);
  const { forgetConnections, ...stores } = openStores(db, jobs, secretBox, leases, tellOthers);
  connectionChanges.on('changed', forgetConnections);
  return stores;
}

/** Notifies of each organisation whose connections changed, and of the secrets that all share. */
export type ConnectionChanges = EventEmitter<{ readonly changed: [orgId: string] }>;

/** `onConnections` is called for each organisation whose connections change, before the change is committed. */
function openStores(
  db: Db,
  jobs: JobOutbox,
  secretBox: SecretBox,
  leases: ClaimLeases,
  onConnections: (orgId: string) => void,
): Stores & { forgetConnections(orgId: string): void } {
  const connections = rememberConnections(createPostgresConnections(db, secretBox), onConnections);
  const sharedSecrets = rememberSharedSecrets(createPostgresSharedSecrets(db, secretBox), () =>
    onConnections(SHARED),
  );
  const forgetConnections = (orgId: string) =>
    orgId === SHARED ? sharedSecrets.forget() : connections.forget(orgId);
  return {
    forgetConnections,
    ...createEach(db, jobs, leases),
    connections,
    sharedSecrets,
    inTransaction: async (work) => {
      const changed = new Set<string>();
      const open = (trx: Db, outbox: JobOutbox) =>
        openStores(trx, outbox, secretBox, leases, (orgId) => changed.add(orgId));
      try {
        return await inTransaction(db, jobs, open, work);
      } finally {
        // A reader in the meantime saw the previous state.
        for (const orgId of changed) {
          forgetConnections(orgId);
          onConnections(orgId);
        }
      }
    },
  };
}

/** The stores that need no secrets. */
function createEach(
  db: Db,
  jobs: JobOutbox,
  leases: ClaimLeases,
): Omit<Stores, 'connections' | 'sharedSecrets' | 'inTransaction'> {
  return {
    organisations: createPostgresOrganisations(db, jobs),
    users: createPostgresUsers(db),
    userKeys: createPostgresUserApiKeys(db),
    team: createPostgresTeam(db),
    invitations: createPostgresInvitations(db, jobs),
    activity: createPostgresActivityLog(db),
    metrics: createPostgresMetrics(db),
    actionItems: createPostgresActionItems(db),
    dismissals: createPostgresDismissals(db),
    search: createPostgresSearch(db),
    signIns: createPostgresSignIns(db, jobs),
    userSessions: createPostgresUserSessions(db),
    devices: createPostgresUserDevices(db, jobs),
    passkeys: createPostgresPasskeys(db),
    throttles: createPostgresThrottles(db),
    accounts: createPostgresPaymentAccounts(db),
    products: createPostgresProducts(db),
    contents: createPostgresContents(db),
    skuMappings: createPostgresSkuMappings(db),
    deliveries: createPostgresDeliveryLog(db, jobs),
    unassigned: createPostgresUnassigned(db, jobs),
    rejected: createPostgresRejectedDeliveries(db, jobs),
    openDeliveries: createPostgresOpenDeliveries(db, jobs),
    fulfilment: createPostgresFulfilment(db, jobs, leases),
    outgoingEmails: createPostgresOutgoingEmails(db, jobs, leases),
    purchases: createPostgresPurchases(db, jobs),
    bulkActions: createPostgresBulkActions(db, jobs),
    customers: createPostgresCustomers(db),
    mailings: createPostgresMailings(db, jobs),
    mailCounts: createPostgresMailCounts(db),
    waitingReceipts: createPostgresWaitingReceipts(db),
    links: createPostgresDownloadLinks(db),
    downloadLinkEmails: createPostgresDownloadLinkEmails(db, jobs),
    sessions: createPostgresDownloadSessions(db),
    maintenance: createPostgresMaintenance(db),
  };
}

/**
 * Runs the work with stores on one transaction. Workers are woken after the commit: earlier they would find nothing.
 */
async function inTransaction<Result>(
  db: Db,
  jobs: JobOutbox,
  openStores: (db: Db, jobs: JobOutbox) => Stores,
  work: (stores: Stores) => Promise<Result>,
): Promise<Result> {
  const due: Job[] = [];
  const removed: RemovedJob[] = [];
  const outbox: JobOutbox = {
    ...jobs,
    announceRemoved: (ended) => void removed.push(...ended),
    reserve: () => NOTHING_RESERVED,
    wake: (committed) => due.push(...committed),
  };
  const result = await runTransaction(db, (trx) => work(openStores(trx, outbox)));
  jobs.announceRemoved(removed);
  jobs.wake(due);
  return result;
}
