import type {
  ApiKeys,
  Clock,
  DownloadTokens,
  FileStore,
  Ids,
  InvitationTokens,
  SecretFingerprints,
  SessionTokens,
  SignInTokens,
  SigningSecrets,
  SourceFingerprints,
  StagedUploads,
  Stores,
  TenantRef,
} from '@handover/domain';
import type { PlatformWebhook } from '@handover/platform-contract';
import type { DataStore } from '@tus/server';
import type { FastifyBaseLogger } from 'fastify';
import type { SampleOrders } from './dashboard/integrations/sample-orders.ts';
import type { Outbox } from './dev-mail/outbox.ts';
import type { BodyLimits } from './requests/limit-bodies.ts';
import type { IntakeLimit } from './webhooks/limit-intake.ts';

/** What the routes work with: the domain's ports, and a way to ask after the database. */
export interface HttpPorts extends Stores {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly apiKeys: ApiKeys;
  readonly tokens: DownloadTokens;
  readonly signInTokens: SignInTokens;
  readonly invitationTokens: InvitationTokens;
  readonly sessionTokens: SessionTokens;
  readonly secretFingerprints: SecretFingerprints;
  readonly sourceFingerprints: SourceFingerprints;
  readonly signingSecrets: SigningSecrets;
  readonly files: FileStore;
  readonly uploads: StagedUploads & {
    /** Where the tus protocol puts what comes in. */
    pieces(): Promise<DataStore>;
  };
  readonly database: DatabaseProbe;
  /** What webhooks are accepted with, where that has connections of its own. */
  readonly intake?: Intake;
  readonly sampleOrders: SampleOrders;
}

/** What it takes to make a change together with its entry in the activity log. */
export type AuditPorts = Pick<HttpPorts, 'clock' | 'ids' | 'inTransaction'>;

export type Intake = Pick<Stores, 'connections' | 'accounts' | 'deliveries' | 'unassigned' | 'fulfilment'>;

export interface DatabaseProbe {
  /** Whether the database answers a trivial question within so many milliseconds. Busy is not away. */
  answers(withinMs: number): Promise<boolean>;
  /** Whether webhooks wait for a connection to it, and none was given one for a while. Left out: never. */
  isExhausted?(): boolean;
}

/** The platform whose address names no organisation. */
export interface SharedPlatform {
  readonly webhook: PlatformWebhook;
  /** The service's own, of which any may have signed. None: the platform is not set up. */
  readonly secrets: readonly string[];
  /** Whom an event is for, by its own words. Asked of a verified body only. */
  readTenantRef(body: Uint8Array): TenantRef;
}

export interface HttpOptions {
  /** The platforms whose webhooks are taken in at addresses of each organisation's own. */
  readonly platforms: readonly PlatformWebhook[];
  /** The one whose webhooks are taken in at one address for all organisations. */
  readonly sharedPlatform: SharedPlatform;
  readonly log: FastifyBaseLogger | false;
  /** True from the moment the process was told to stop: connections are then closed after their answer. */
  isDraining(): boolean;
  /** Addresses of the proxies whose X-Forwarded-For is believed; false for none. */
  readonly trustProxy: boolean | string | readonly string[];
  /** The mail that never left this machine. Shown to requests from this machine only. */
  readonly outbox?: Outbox | undefined;
  /** The address that all mail comes from. */
  readonly senderAddress: string;
  readonly version: string;
  /** The root address under which we are reached from outside, without a slash at its end. */
  readonly siteUrl: string;
  /** The largest product file that is taken, in bytes. */
  readonly maxFileSize: number;
  /** Left out, `BODY_LIMITS`. */
  readonly bodyLimits?: BodyLimits;
  /** Left out, one that nobody else asks. */
  readonly intakeLimit?: IntakeLimit;
}
