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
import type { DownloadLinkEmails, MailCounts, Mailings, OutgoingEmails } from './mails.ts';
import type { ActionItems, Dismissals, EverywhereSearch, Metrics } from './overview.ts';
import type { Customers, Purchases } from './purchases.ts';

/**
 * All that is kept in one database. Every method is scoped by organisation unless it finds one, and an id that is malformed or
 * another organisation's counts as unknown, never as an error.
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
  readonly links: DownloadLinks;
  readonly downloadLinkEmails: DownloadLinkEmails;
  readonly sessions: DownloadSessions;
  readonly maintenance: Maintenance;
  /**
   * Applies as one whatever the work changes with the stores it is given, and the jobs it queues: all of it once the
   * work ends, nothing if it throws. What is refused with a value (`slug-taken`) leaves the rest in force. The work asks
   * of these stores one thing after the other, begins with what changes the catalogue, and waits for nothing else: rows
   * are held meanwhile.
   */
  inTransaction<Result>(work: (stores: Stores) => Promise<Result>): Promise<Result>;
}
