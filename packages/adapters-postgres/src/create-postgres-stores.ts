import { EventEmitter } from 'node:events';
import type { Stores } from '@handover/domain';
import type { Kysely } from 'kysely';
import { type ClaimLeases, createClaimLeases } from './claim-leases.ts';
import type { Database } from './connect-database.ts';
import type { JobOutbox } from './job-outbox.ts';
import type { Schema } from './schema.ts';
import type { SecretBox } from './secret-box.ts';
import { createPostgresActionItems } from './stores/action-items.ts';
import { createPostgresActivityLog } from './stores/activity.ts';
import { createPostgresConnections } from './stores/connections.ts';
import { createPostgresDeliveryLog } from './stores/delivery-log.ts';
import { createPostgresDownloadLinkEmails } from './stores/download-link-emails.ts';
import { createPostgresDownloadLinks } from './stores/download-links.ts';
import { createPostgresDownloadSessions } from './stores/download-sessions.ts';
import { createPostgresFulfilment } from './stores/fulfilment.ts';
import { inTransaction } from './stores/in-transaction.ts';
import { createPostgresInvitations } from './stores/invitations.ts';
import { createPostgresMailCounts } from './stores/mail-counts.ts';
import { createPostgresCustomers, createPostgresMailings } from './stores/mailings.ts';
import { createPostgresMaintenance } from './stores/maintenance.ts';
import { createPostgresMetrics } from './stores/metrics.ts';
import { createPostgresOpenDeliveries } from './stores/open-deliveries.ts';
import { createPostgresOrganisations } from './stores/organisations.ts';
import { createPostgresOutgoingEmails } from './stores/outgoing-emails.ts';
import { createPostgresPaymentAccounts } from './stores/payment-accounts.ts';
import { createPostgresProducts } from './stores/products.ts';
import { createPostgresPurchases } from './stores/purchases.ts';
import { createPostgresRejectedDeliveries } from './stores/rejected-deliveries.ts';
import { rememberSigners } from './stores/remember-signers.ts';
import { createPostgresSignIns } from './stores/sign-ins.ts';
import { createPostgresSkuMappings } from './stores/sku-mappings.ts';
import { createPostgresTeam } from './stores/team.ts';
import { createPostgresThrottles } from './stores/throttles.ts';
import { createPostgresUnassigned } from './stores/unassigned-deliveries.ts';
import { createPostgresUserSessions } from './stores/user-sessions.ts';
import { createPostgresUsers } from './stores/users.ts';

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
  const { forgetSigners, ...stores } = openStores(db, jobs, secretBox, leases, tellOthers);
  connectionChanges.on('changed', forgetSigners);
  return stores;
}

/** Notifies of each organisation whose connections changed. */
export type ConnectionChanges = EventEmitter<{ readonly changed: [orgId: string] }>;

/** `onConnections` is called for each organisation whose connections change, before the change is committed. */
function openStores(
  db: Kysely<Schema>,
  jobs: JobOutbox,
  secretBox: SecretBox,
  leases: ClaimLeases,
  onConnections: (orgId: string) => void,
): Stores & { forgetSigners(orgId: string): void } {
  const connections = rememberSigners(createPostgresConnections(db, secretBox), onConnections);
  return {
    forgetSigners: connections.forget,
    organisations: createPostgresOrganisations(db, jobs),
    users: createPostgresUsers(db),
    team: createPostgresTeam(db),
    invitations: createPostgresInvitations(db, jobs),
    activity: createPostgresActivityLog(db),
    metrics: createPostgresMetrics(db),
    actionItems: createPostgresActionItems(db),
    signIns: createPostgresSignIns(db, jobs),
    userSessions: createPostgresUserSessions(db),
    throttles: createPostgresThrottles(db),
    connections,
    accounts: createPostgresPaymentAccounts(db),
    products: createPostgresProducts(db),
    skuMappings: createPostgresSkuMappings(db),
    deliveries: createPostgresDeliveryLog(db, jobs),
    unassigned: createPostgresUnassigned(db, jobs),
    rejected: createPostgresRejectedDeliveries(db),
    openDeliveries: createPostgresOpenDeliveries(db, jobs),
    fulfilment: createPostgresFulfilment(db, jobs),
    outgoingEmails: createPostgresOutgoingEmails(db, jobs, leases),
    purchases: createPostgresPurchases(db, jobs),
    customers: createPostgresCustomers(db),
    mailings: createPostgresMailings(db, jobs),
    mailCounts: createPostgresMailCounts(db),
    links: createPostgresDownloadLinks(db),
    downloadLinkEmails: createPostgresDownloadLinkEmails(db, jobs),
    sessions: createPostgresDownloadSessions(db),
    maintenance: createPostgresMaintenance(db),
    inTransaction: async (work) => {
      const changed = new Set<string>();
      const open = (trx: Kysely<Schema>, outbox: JobOutbox) =>
        openStores(trx, outbox, secretBox, leases, (orgId) => changed.add(orgId));
      try {
        return await inTransaction(db, jobs, open, work);
      } finally {
        // A reader in the meantime saw the previous state.
        for (const orgId of changed) {
          connections.forget(orgId);
          onConnections(orgId);
        }
      }
    },
  };
}
