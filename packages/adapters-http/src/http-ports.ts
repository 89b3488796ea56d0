import type {
  ApiKeys,
  Clock,
  DownloadTokens,
  FileStore,
  FulfilOrderPorts,
  Ids,
  InvitationTokens,
  Platforms,
  ReceiptMail,
  SecretFingerprints,
  SessionTokens,
  SharedSecretSettings,
  SignInTokens,
  SigningSecrets,
  SourceFingerprints,
  StagedUploads,
  Stores,
  TenantRef,
  TraceContext,
} from '@handover/domain';
import type { PlatformWebhook } from '@handover/platform-contract';
import type { DataStore } from '@tus/server';
import type { FastifyBaseLogger, FastifyPluginCallback, FastifyRequest } from 'fastify';
import type { SampleOrders } from './dashboard/integrations/sample-orders.ts';
import type { InstallationDoctor } from './dashboard/settings/installation-report.ts';
import type { Outbox } from './dev-mail/outbox.ts';
import type { CheckPart } from './health-routes.ts';
import type { MetricsEndpoint } from './metrics-routes.ts';
import type { BodyLimits } from './requests/request-bodies.ts';
import type { IntakeLimit } from './webhooks/limit-intake.ts';
import type { IsTestOrder } from './webhooks/receive-webhook.ts';
import type { ObserveWebhook } from './webhooks/webhook-routes.ts';

/** What the routes need: the domain's ports, and a probe of the database. */
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
    /** Where the tus protocol stores incoming pieces. */
    pieces(): Promise<DataStore>;
  };
  readonly database: DatabaseProbe;
  /** For `/readyz`. Left out: their state is unknown. */
  readonly checkFiles?: CheckPart;
  readonly checkMail?: CheckPart;
  /** The stores for accepting webhooks, where these have their own connections. */
  readonly intake?: Intake;
  /** Those of this service: {@link HttpOptions.platforms}, and the shared one. */
  readonly platforms: Platforms;
  readonly sampleOrders: SampleOrders;
  readonly observeDecision?: FulfilOrderPorts['observeDecision'];
  readonly isTestOrder?: IsTestOrder;
}

/** The ports needed to make a change together with its entry in the activity log. */
export type AuditPorts = Pick<HttpPorts, 'clock' | 'ids' | 'inTransaction'>;

/** The stores that receiving a webhook writes to: with a connection of their own, so that pages never keep it waiting. */
export type Intake = Pick<
  Stores,
  'connections' | 'accounts' | 'sharedSecrets' | 'deliveries' | 'unassigned' | 'fulfilment'
>;

/** How the database is, for `/readyz`. */
export interface DatabaseProbe {
  /** Whether the database answers a trivial query within that time. A busy database still answers. */
  answers(withinMs: number): Promise<boolean>;
  /** Whether webhooks wait for a connection and none was free for a while. Left out: never. */
  isExhausted?(): boolean;
}

/** The platform whose address names no organisation. */
export interface SharedPlatform extends SharedSecretSettings {
  readonly webhook: PlatformWebhook;
  /** Reads which organisation an event is for. Called with verified bodies only. */
  readTenantRef(body: Uint8Array): TenantRef;
}

/** What the program that composes the app decides. */
export interface HttpOptions {
  /** The platforms whose webhooks have one address per organisation. */
  readonly platforms: readonly PlatformWebhook[];
  /** The platform whose webhooks have one address for all organisations. */
  readonly sharedPlatform: SharedPlatform;
  readonly log: FastifyBaseLogger | false;
  /** True once the process was told to stop: connections then close after their response. */
  isDraining(): boolean;
  /** Addresses of the proxies whose X-Forwarded-For is trusted; false for none. */
  readonly trustProxy: boolean | string | readonly string[];
  /** Mail that was kept instead of sent. Shown to requests from this machine only. */
  readonly outbox?: Outbox | undefined;
  /** The sender address of all mail. */
  readonly senderAddress: string;
  /** Lays out a receipt as its mail does. */
  renderReceipt(mail: ReceiptMail): RenderedMail;
  readonly version: string;
  /** The public root address of the site, without a trailing slash. */
  readonly siteUrl: string;
  /** The maximum size of a product file, in bytes. */
  readonly maxFileSize: number;
  /** Default: `BODY_LIMITS`. */
  readonly bodyLimits?: BodyLimits;
  /** Default: a limit that is not shared. */
  readonly intakeLimit?: IntakeLimit;
  /** Default: none are counted. */
  readonly metrics?: MetricsEndpoint;
  /** Left out: the page with checks of the installation does not exist. */
  readonly doctor?: InstallationDoctor;
  readonly observeWebhook?: ObserveWebhook;
  /** Lets a read replica answer what the request reads. Left out: there is no replica. */
  readonly allowLateReads?: ((work: () => void) => void) | undefined;
  /** Default: requests are not traced. */
  readonly tracing?: RequestTracing | undefined;
}

/** What a mail says, as HTML and as plain text. */
export interface RenderedMail {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
}

/** Traces requests: each is a span, and what is recorded within it continues its trace later. */
export interface RequestTracing {
  readonly plugin: FastifyPluginCallback;
  /** Where in its trace the running request is. Null: it is not traced. */
  current(): TraceContext | null;
  traceIdOf(request: FastifyRequest): string | null;
}
