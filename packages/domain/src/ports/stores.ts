import type {
  ActivityLog,
  Organisations,
  Passkeys,
  SignIns,
  Team,
  Throttles,
  UserApiKeys,
  UserDevices,
  UserSessions,
  Users,
} from './access.ts';
import type { BulkActions } from './bulk-actions.ts';
import type { Products, SkuMappings } from './catalogue.ts';
import type { Connections, PaymentAccounts, SharedSecrets } from './connections.ts';
import type { StoredContents } from './contents.ts';
import type { DownloadLinks, DownloadSessions } from './downloads.ts';
import type {
  DeliveryLog,
  Fulfilment,
  Maintenance,
  OpenDeliveries,
  RejectedDeliveries,
  UnassignedDeliveries,
} from './fulfilment.ts';
import type { Invitations } from './invitations.ts';
import type { DownloadLinkEmails, MailCounts, Mailings, OutgoingEmails, WaitingReceipts } from './mails.ts';
import type { ActionItems, Dismissals, EverywhereSearch, Metrics } from './overview.ts';
import type { Customers, Purchases } from './purchases.ts';

/**
 * All stores of one database. Every method is scoped by organisation unless it finds one. An id that is malformed or
 * belongs to another organisation counts as unknown, never as an error.
 */
export interface Stores {
  readonly organisations: Organisations;
  readonly users: Users;
  readonly userKeys: UserApiKeys;
  readonly team: Team;
  readonly invitations: Invitations;
  readonly activity: ActivityLog;
  readonly metrics: Metrics;
  readonly actionItems: ActionItems;
  readonly dismissals: Dismissals;
  readonly search: EverywhereSearch;
  readonly signIns: SignIns;
  readonly userSessions: UserSessions;
  readonly devices: UserDevices;
  readonly passkeys: Passkeys;
  readonly throttles: Throttles;
  readonly connections: Connections;
  readonly accounts: PaymentAccounts;
  readonly sharedSecrets: SharedSecrets;
  readonly products: Products;
  readonly contents: StoredContents;
  readonly skuMappings: SkuMappings;
  readonly deliveries: DeliveryLog;
  readonly unassigned: UnassignedDeliveries;
  readonly rejected: RejectedDeliveries;
  readonly openDeliveries: OpenDeliveries;
  readonly fulfilment: Fulfilment;
  readonly outgoingEmails: OutgoingEmails;
  readonly purchases: Purchases;
  readonly bulkActions: BulkActions;
  readonly customers: Customers;
  readonly mailings: Mailings;
  readonly mailCounts: MailCounts;
  readonly waitingReceipts: WaitingReceipts;
  readonly links: DownloadLinks;
  readonly downloadLinkEmails: DownloadLinkEmails;
  readonly sessions: DownloadSessions;
  readonly maintenance: Maintenance;
  /**
   * Runs `work` in a transaction: what it changes with the given stores, and the jobs that it queues, are committed when
   * it resolves, and rolled back if it throws. A refusal that is a value (`slug-taken`) does not roll back the rest.
   * `work` must call these stores one after the other, change the catalogue first, and wait for nothing else, because
   * rows are locked meanwhile.
   */
  inTransaction<Result>(work: (stores: Stores) => Promise<Result>): Promise<Result>;
}
