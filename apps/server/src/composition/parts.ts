import type { UploadStaging } from '@handover/adapters-files';
import type { IntakeLimit } from '@handover/adapters-http';
import type {
  ClaimLeases,
  ConnectionChanges,
  createJobQueue,
  Databases,
  SecretBoxes,
} from '@handover/adapters-postgres';
import type {
  ApiKeys,
  Clock,
  DownloadTokens,
  FileStore,
  InvitationTokens,
  LimitedMailer,
  OrderReader,
  Platforms,
  RejectedReader,
  SecretFingerprints,
  SessionTokens,
  SharedSecretSettings,
  SignInTokens,
  SigningSecrets,
  Stores,
} from '@handover/domain';
import type { PlatformWebhooks } from '@handover/platform-contract';
import type { FastifyInstance } from 'fastify';
import type { Keyring, TestOrderMarks } from '../keyring/keyring.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import type { createMailer } from './open-mail.ts';

/** Every part of the program, by its name. */
export interface Parts {
  readonly clock: Clock;
  readonly platforms: Platforms;
  /** How each platform is received, by its label. */
  readonly platformWebhooks: PlatformWebhooks;
  readonly keyring: Keyring;
  readonly testOrderMarks: TestOrderMarks;
  readonly secretBoxes: SecretBoxes;
  readonly database: Databases;
  readonly connectionChanges: ConnectionChanges;
  readonly jobs: ReturnType<typeof createJobQueue>;
  readonly telemetry: Telemetry;
  readonly intakeLimit: IntakeLimit;
  /** Shared by the stores, which claim, and the mailer, which sends under a claim. */
  readonly claimLeases: ClaimLeases;
  /** For pages, reports and commands. */
  readonly stores: Stores;
  /** On the connections that accept webhooks. */
  readonly acceptingStores: Stores;
  /** On the connections of jobs and sweeps, and of orders that are fulfilled before the response. */
  readonly decidingStores: Stores;
  readonly files: FileStore;
  readonly uploads: UploadStaging;
  readonly mailer: ReturnType<typeof createMailer>;
  /** The ports with which every job mails. */
  readonly limitedMailer: LimitedMailer;
  readonly apiKeys: ApiKeys;
  readonly downloadTokens: DownloadTokens;
  readonly signInTokens: SignInTokens;
  readonly invitationTokens: InvitationTokens;
  readonly sessionTokens: SessionTokens;
  readonly orders: OrderReader;
  readonly secretFingerprints: SecretFingerprints;
  readonly signingSecrets: SigningSecrets;
  readonly sharedSecretSettings: SharedSecretSettings;
  readonly rejectedReader: RejectedReader;
  readonly draining: { now: boolean };
  readonly app: FastifyInstance;
}
