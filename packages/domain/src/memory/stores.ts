import type { Job } from '../model/job.ts';
import type { Stores } from '../ports/stores.ts';
import { createInMemoryConnections, createInMemoryOrganisations, createInMemoryUsers } from './access.ts';
import { createInMemoryActionItems } from './action-items.ts';
import { createInMemoryUserApiKeys } from './api-keys.ts';
import { createInMemoryBulkActions } from './bulk-actions.ts';
import { createInMemoryProducts, createInMemorySkuMappings } from './catalogue.ts';
import { CLAIM_EXPIRED_AFTER_MS, expireClaims } from './claims.ts';
import { createInMemoryContents } from './contents.ts';
import { createInMemoryUserDevices } from './devices.ts';
import { createInMemoryDismissals } from './dismissals.ts';
import { createInMemoryDownloadLinkEmails } from './download-link-emails.ts';
import { createInMemoryDeliveryLog, createInMemoryFulfilment } from './fulfilment.ts';
import { createInMemoryInvitations } from './invitations.ts';
import { createInMemoryDownloadLinks } from './links.ts';
import { createInMemoryCustomers, createInMemoryMailings } from './mailings.ts';
import { createInMemoryMaintenance } from './maintenance.ts';
import { createMemory, jobKey, type Memory } from './memory.ts';
import { createInMemoryMetrics } from './metrics.ts';
import { createInMemoryOpenDeliveries } from './open-deliveries.ts';
import { createInMemoryOutgoingEmails, createInMemoryWaitingReceipts } from './outgoing-emails.ts';
import { createInMemoryPasskeys } from './passkeys.ts';
import { createInMemoryPurchases } from './purchases.ts';
import { createInMemoryRejectedDeliveries } from './rejected.ts';
import { createInMemorySearch } from './search.ts';
import { createInMemoryDownloadSessions } from './sessions.ts';
import { createInMemorySharedSecrets } from './shared-secrets.ts';
import {
  createInMemoryMailCounts,
  createInMemorySignIns,
  createInMemoryThrottles,
  createInMemoryUserSessions,
} from './sign-in.ts';
import { createInMemoryActivityLog, createInMemoryTeam } from './team.ts';
import { type Transactions, transactionsOf } from './transactions.ts';
import { createInMemoryPaymentAccounts, createInMemoryUnassigned } from './unassigned.ts';

export interface InMemoryStores extends Stores {
  /** Jobs that wait, soonest first. */
  queuedJobs(): Promise<readonly Job[]>;
  /** Removes a job from the queue, as a worker does after running it. */
  finishJob(job: Job): void;
  /** Simulates that the process with the claim of a mail has been dead for this long, by default until the claim expires. */
  expireClaims(deadForMs?: number): Promise<void>;
}

/**
 * Every store of the domain in one memory. They pass the same contract suites as the real ones. Pass a memory to inspect rows
 * that no port shows.
 */
export function createInMemoryStores(memory: Memory = createMemory()): InMemoryStores {
  return createStoresOverTables(memory, transactionsOf(memory));
}

/**
 * The same stores over tables that are stored elsewhere, such as in a SQLite file. `createMemory` opens them, and `transactions`
 * isolates calls from each other. Rows of a table with `where` are found by it; other tables are read whole.
 */
export function createStoresOverTables(memory: Memory, transactions: Transactions): InMemoryStores {
  const stores = openStores(memory, transactions);
  const { inTransaction: _, ...ports } = stores;
  const isolated = Object.entries(ports).map(([name, port]) => [name, transactions.isolate(port)]);
  return {
    ...(Object.fromEntries(isolated) as typeof ports),
    inTransaction: (work) => transactions.run(() => work(stores)),
    queuedJobs: async () =>
      [...memory.jobs.values()].sort((a, b) => a.startAfter.getTime() - b.startAfter.getTime()),
    finishJob: (job) => {
      memory.jobs.delete(jobKey(job));
    },
    expireClaims: async (deadForMs = CLAIM_EXPIRED_AFTER_MS) => {
      expireClaims(memory.emails, deadForMs);
    },
  };
}

/** The stores as a transaction sees them: every other call waits for its end. */
function openStores(memory: Memory, { runWithin }: Transactions): Stores {
  const stores: Stores = {
    organisations: createInMemoryOrganisations(memory),
    users: createInMemoryUsers(memory),
    userKeys: createInMemoryUserApiKeys(memory),
    team: createInMemoryTeam(memory),
    invitations: createInMemoryInvitations(memory),
    activity: createInMemoryActivityLog(memory),
    metrics: createInMemoryMetrics(memory),
    actionItems: createInMemoryActionItems(memory),
    dismissals: createInMemoryDismissals(memory),
    search: createInMemorySearch(memory),
    signIns: createInMemorySignIns(memory),
    userSessions: createInMemoryUserSessions(memory),
    devices: createInMemoryUserDevices(memory),
    passkeys: createInMemoryPasskeys(memory),
    throttles: createInMemoryThrottles(memory),
    connections: createInMemoryConnections(memory),
    accounts: createInMemoryPaymentAccounts(memory),
    sharedSecrets: createInMemorySharedSecrets(memory),
    products: createInMemoryProducts(memory),
    contents: createInMemoryContents(memory),
    skuMappings: createInMemorySkuMappings(memory),
    deliveries: createInMemoryDeliveryLog(memory),
    unassigned: createInMemoryUnassigned(memory),
    rejected: createInMemoryRejectedDeliveries(memory),
    openDeliveries: createInMemoryOpenDeliveries(memory),
    fulfilment: createInMemoryFulfilment(memory),
    outgoingEmails: createInMemoryOutgoingEmails(memory),
    purchases: createInMemoryPurchases(memory),
    bulkActions: createInMemoryBulkActions(memory),
    customers: createInMemoryCustomers(memory),
    mailings: createInMemoryMailings(memory),
    waitingReceipts: createInMemoryWaitingReceipts(memory),
    mailCounts: createInMemoryMailCounts(memory),
    links: createInMemoryDownloadLinks(memory),
    downloadLinkEmails: createInMemoryDownloadLinkEmails(memory),
    sessions: createInMemoryDownloadSessions(memory),
    maintenance: createInMemoryMaintenance(memory),
    inTransaction: (work) => runWithin(() => work(stores)),
  };
  return stores;
}
