import type { UploadStaging } from '@handover/adapters-files';
import type { IntakeLimit } from '@handover/adapters-http';
import type {
  ClaimLeases,
  ConnectionChanges,
  createJobQueue,
  Databases,
  SecretBox,
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
import type { FastifyInstance } from 'fastify';
import type { Keyring } from '../keyring/keyring.ts';
import type { TestOrderMarks } from '../keyring/test-order-marks.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import type { createMailer } from './open-mail.ts';

/** Names a part of the composition, with the type that it resolves to. */
export interface Token<T> {
  readonly symbol: symbol;
  /** For the compiler: the type that this token resolves to. */
  readonly type?: T;
}

function token<T>(name: string): Token<T> {
  return { symbol: Symbol(name) };
}

export const tokens = {
  clock: token<Clock>('clock'),
  platforms: token<Platforms>('platforms'),
  keyring: token<Keyring>('keyring'),
  testOrderMarks: token<TestOrderMarks>('testOrderMarks'),
  apiKeyBox: token<SecretBox>('apiKeyBox'),
  connectionSecretBox: token<SecretBox>('connectionSecretBox'),
  database: token<Databases>('database'),
  connectionChanges: token<ConnectionChanges>('connectionChanges'),
  jobs: token<ReturnType<typeof createJobQueue>>('jobs'),
  telemetry: token<Telemetry>('telemetry'),
  intakeLimit: token<IntakeLimit>('intakeLimit'),
  /** Shared by the stores, which claim, and the mailer, which sends under a claim. */
  claimLeases: token<ClaimLeases>('claimLeases'),
  /** For pages, reports and commands. */
  stores: token<Stores>('stores'),
  /** On the connections that accept webhooks. */
  acceptingStores: token<Stores>('acceptingStores'),
  /** On the connections of jobs and sweeps, and of orders that are fulfilled before the response. */
  decidingStores: token<Stores>('decidingStores'),
  files: token<FileStore>('files'),
  uploads: token<UploadStaging>('uploads'),
  mailer: token<ReturnType<typeof createMailer>>('mailer'),
  /** The ports with which every job mails. */
  limitedMailer: token<LimitedMailer>('limitedMailer'),
  apiKeys: token<ApiKeys>('apiKeys'),
  downloadTokens: token<DownloadTokens>('downloadTokens'),
  signInTokens: token<SignInTokens>('signInTokens'),
  invitationTokens: token<InvitationTokens>('invitationTokens'),
  sessionTokens: token<SessionTokens>('sessionTokens'),
  orders: token<OrderReader>('orders'),
  secretFingerprints: token<SecretFingerprints>('secretFingerprints'),
  signingSecrets: token<SigningSecrets>('signingSecrets'),
  sharedSecretSettings: token<SharedSecretSettings>('sharedSecretSettings'),
  rejectedReader: token<RejectedReader>('rejectedReader'),
  draining: token<{ now: boolean }>('draining'),
  app: token<FastifyInstance>('app'),
} as const;
