import type { Job } from '../fulfilment/job.ts';
import type { Stores } from '../ports.ts';
import {
  createInMemoryConnections,
  createInMemoryOrganisations,
  createInMemoryUsers,
} from './in-memory-access.ts';
import { createInMemoryActionItems } from './in-memory-action-items.ts';
import { createInMemoryProducts, createInMemorySkuMappings } from './in-memory-catalogue.ts';
import { LAPSED_AFTER_MS, lapseClaims } from './in-memory-claims.ts';
import { createInMemoryDownloadLinkEmails } from './in-memory-download-link-emails.ts';
import { createInMemoryDeliveryLog, createInMemoryFulfilment } from './in-memory-fulfilment.ts';
import { createInMemoryInvitations } from './in-memory-invitations.ts';
import { createInMemoryDownloadLinks } from './in-memory-links.ts';
import { createInMemoryCustomers, createInMemoryMailings } from './in-memory-mailings.ts';
import { createInMemoryMaintenance } from './in-memory-maintenance.ts';
import { createInMemoryMetrics } from './in-memory-metrics.ts';
import { createInMemoryOpenDeliveries } from './in-memory-open-deliveries.ts';
import { createInMemoryOutgoingEmails } from './in-memory-outgoing-emails.ts';
import { createInMemoryPurchases } from './in-memory-purchases.ts';
import { createInMemoryRejectedDeliveries } from './in-memory-rejected.ts';
import { createInMemoryDownloadSessions } from './in-memory-sessions.ts';
import {
  createInMemoryMailCounts,
  createInMemorySignIns,
  createInMemoryThrottles,
  createInMemoryUserSessions,
} from './in-memory-sign-in.ts';
import { createInMemoryActivityLog, createInMemoryTeam } from './in-memory-team.ts';
import { transactionsOf } from './in-memory-transactions.ts';
import { createInMemoryPaymentAccounts, createInMemoryUnassigned } from './in-memory-unassigned.ts';
import type { Memory } from './memory.ts';
import { createMemory, jobKey, rememberMemory } from './memory.ts';

export interface InMemoryStores extends Stores {
  /** Jobs that wait, soonest first. */
  queuedJobs(): Promise<readonly Job[]>;
  /** Takes a job off the queue, as a worker that has done it would. */
  finishJob(job: Job): void;
  /** As if whoever holds a claim of a mail had been dead for so long, or, unless told, until it lapsed. */
  lapseClaims(deadForMs?: number): Promise<void>;
}

/**
 * Every store of the domain in one memory, proven equal to the real ones by the same contract suites. Give it a memory
 * of your own to see what no port shows.
 */
export function createInMemoryStores(memory: Memory = createMemory()): InMemoryStores {
  const transactions = transactionsOf(memory);
  const stores = openStores(memory);
  const { inTransaction, ...ports } = stores;
  const isolated = Object.entries(ports).map(([name, port]) => [name, transactions.isolate(port)]);
  return {
    ...(Object.fromEntries(isolated) as typeof ports),
    inTransaction: (work) => transactions.run(() => inTransaction(work)),
    queuedJobs: async () =>
      [...memory.jobs.values()].sort((a, b) => a.startAfter.getTime() - b.startAfter.getTime()),
    finishJob: (job) => {
      memory.jobs.delete(jobKey(job));
    },
    lapseClaims: async (deadForMs = LAPSED_AFTER_MS) => {
      lapseClaims(memory.emails, deadForMs);
    },
  };
}

/** The stores as a transaction sees them: every other call waits for its end. */
function openStores(memory: Memory): Stores {
  const stores: Stores = {
    organisations: createInMemoryOrganisations(memory),
    users: createInMemoryUsers(memory),
    team: createInMemoryTeam(memory),
    invitations: createInMemoryInvitations(memory),
    activity: createInMemoryActivityLog(memory),
    metrics: createInMemoryMetrics(memory),
    actionItems: createInMemoryActionItems(memory),
    signIns: createInMemorySignIns(memory),
    userSessions: createInMemoryUserSessions(memory),
    throttles: createInMemoryThrottles(memory),
    connections: createInMemoryConnections(memory),
    accounts: createInMemoryPaymentAccounts(memory),
    products: createInMemoryProducts(memory),
    skuMappings: createInMemorySkuMappings(memory),
    deliveries: createInMemoryDeliveryLog(memory),
    unassigned: createInMemoryUnassigned(memory),
    rejected: createInMemoryRejectedDeliveries(memory),
    openDeliveries: createInMemoryOpenDeliveries(memory),
    fulfilment: createInMemoryFulfilment(memory),
    outgoingEmails: createInMemoryOutgoingEmails(memory),
    purchases: createInMemoryPurchases(memory),
    customers: createInMemoryCustomers(memory),
    mailings: createInMemoryMailings(memory),
    mailCounts: createInMemoryMailCounts(memory),
    links: createInMemoryDownloadLinks(memory),
    downloadLinkEmails: createInMemoryDownloadLinkEmails(memory),
    sessions: createInMemoryDownloadSessions(memory),
    maintenance: createInMemoryMaintenance(memory),
    inTransaction: async (work) => {
      const restore = rememberMemory(memory);
      try {
        return await work(stores);
      } catch (error) {
        restore();
        throw error;
      }
    },
  };
  return stores;
}
