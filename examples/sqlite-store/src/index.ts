import type { FulfilmentStore } from '@handover/domain';
import type { ShopCatalogue } from '@handover/domain/memory';
import { putShop } from './catalogue.ts';
import { commit } from './commit.ts';
import { openDatabase } from './database.ts';
import { find, record } from './deliveries.ts';
import { endJob, takeJob } from './jobs.ts';
import { claim, complete, findExpiry, release } from './receipts.ts';
import { loadSnapshot } from './snapshot.ts';

export interface SqliteFulfilmentStore extends FulfilmentStore {
  /** Adds the shop, or replaces its catalogue. */
  putShop(shop: ShopCatalogue): void;
  /** When a download link expires; null for an unknown link. */
  linkExpiresAt(orgId: string, linkId: string): Date | null;
  close(): void;
}

/** A FulfilmentStore in a SQLite file, which several processes may share, or in `:memory:`. */
export function createSqliteFulfilmentStore(path: string): SqliteFulfilmentStore {
  const database = openDatabase(path);
  // Asynchronous only because the port is: errors of SQLite become rejections.
  return {
    record: async (recording) => record(database, recording),
    find: async (orgId, deliveryId) => find(database, orgId, deliveryId),
    loadSnapshot: async (order) => loadSnapshot(database, order),
    commit: async (plan) => commit(database, plan),
    claim: async (orgId, emailId, now) => claim(database, orgId, emailId, now),
    complete: async (orgId, emailId, claimId, outcome) =>
      complete(database, orgId, emailId, claimId, outcome),
    release: async (orgId, emailId, claimId) => release(database, orgId, emailId, claimId),
    takeJob: async (now, leasedUntil) => takeJob(database, now, leasedUntil),
    endJob: async (leased, again) => endJob(database, leased, again),
    putShop: (shop) => putShop(database, shop),
    linkExpiresAt: (orgId, linkId) => findExpiry(database, orgId, linkId),
    close: () => database.close(),
  };
}
