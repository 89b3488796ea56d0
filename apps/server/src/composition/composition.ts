import 'reflect-metadata';
import { EventEmitter } from 'node:events';
import {
  createDiskCheck,
  createDiskFileStore,
  createS3Check,
  createS3FileStore,
  createUploadStaging,
} from '@handover/adapters-files';
import type { HttpOptions, Intake } from '@handover/adapters-http';
import { createHttpApp, createIntakeLimit } from '@handover/adapters-http';
import { readSender, renderReceipt } from '@handover/adapters-mail';
import {
  allowLateReads,
  createClaimLeases,
  createJobQueue,
  createPostgresStores,
  openDatabases,
} from '@handover/adapters-postgres';
import type { AnnounceContent, Clock, FileStore, Stores } from '@handover/domain';
import { createSystemClock, createUuids, keepContent, limitMails } from '@handover/domain';
import { cartA } from '@handover/platform-cart-a';
import { checkoutA } from '@handover/platform-checkout-a';
import { checkoutAClassic } from '@handover/platform-checkout-a-classic';
import {
  createOrderReader,
  createRejectedReader,
  describePlatforms,
  type PlatformWebhook,
} from '@handover/platform-contract';
import { paymentsA, readTenantRef } from '@handover/platform-payments-a';
import { storefrontA } from '@handover/platform-storefront-a';
import { storefrontB } from '@handover/platform-storefront-b';
import type { Logger } from 'pino';
import type { DependencyContainer } from 'tsyringe';
import { instanceCachingFactory, container as root } from 'tsyringe';
import { createDoctor } from '../doctor/create-doctor.ts';
import { createApiKeys } from '../keyring/api-keys.ts';
import { createSecretFingerprints, createSourceFingerprints } from '../keyring/fingerprints.ts';
import { createKeyring } from '../keyring/keyring.ts';
import { createSecretBox } from '../keyring/secret-box.ts';
import { createSigningSecrets } from '../keyring/signing-secrets.ts';
import { createTestOrderMarks } from '../keyring/test-order-marks.ts';
import {
  createDownloadTokens,
  createInvitationTokens,
  createSessionTokens,
  createSignInTokens,
} from '../keyring/tokens.ts';
import type { Settings } from '../settings/settings.ts';
import { createTelemetry } from '../telemetry/telemetry.ts';
import type { Tracing } from '../telemetry/tracing.ts';
import { VERSION } from '../version.ts';
import { createMailCheck, createMailer, openOutbox } from './open-mail.ts';
import { watchPressure } from './pressure.ts';
import { createSampleOrders } from './sample-orders.ts';
import { type Token, tokens } from './tokens.ts';

/** What settings alone cannot create: it is opened before the composition. */
export interface Infrastructure {
  readonly settings: Settings;
  readonly databaseUrl: string;
  readonly secrets: readonly string[];
  /** Signs events of payments-a in a local trial; null elsewhere. */
  readonly trialSecret: string | null;
  /** The database's clock, so that all processes agree on what is due. */
  readonly clock: Clock;
  readonly log: Logger;
  /** Those of other teams, besides ours. */
  readonly platforms: readonly PlatformWebhook[];
  /** Left out: nothing is traced. */
  readonly tracing?: Tracing;
}

export const ids = createUuids(createSystemClock());

export interface Composition {
  resolve<T>(wanted: Token<T>): T;
}

/** Every part of the program and its dependencies, in one place. Parts are created when they are resolved. */
export function compose(infrastructure: Infrastructure): Composition {
  const { settings, databaseUrl, trialSecret, clock, log, platforms, tracing } = infrastructure;
  const container = root.createChildContainer();
  const provide = <T>(wanted: Token<T>, make: () => T) => register(container, wanted, make);
  const get = <T>(wanted: Token<T>): T => container.resolve<T>(wanted.symbol);
  const byLabel = Object.fromEntries(
    [...PLATFORMS_OF_ORGANISATIONS, ...platforms, paymentsA].map((one) => [one.label, one]),
  );

  provide(tokens.clock, () => clock);
  provide(tokens.platforms, () => describePlatforms(platforms));
  provide(tokens.draining, () => ({ now: false }));
  provideKeys(provide, get, infrastructure);
  provide(tokens.database, () => openDatabases({ url: databaseUrl, readUrl: settings.databaseReadUrl, log }));
  provide(tokens.intakeLimit, () => createIntakeLimit());
  provide(tokens.jobs, () => {
    const isPressed = watchPressure(get(tokens.intakeLimit).countWaiting);
    return createJobQueue({ url: databaseUrl, log, clock, isPressed });
  });
  provide(tokens.telemetry, () =>
    createTelemetry({
      settings,
      clock,
      version: VERSION.version,
      database: get(tokens.database),
      jobs: get(tokens.jobs),
      tracing,
    }),
  );
  provide(tokens.claimLeases, () => createClaimLeases(undefined, get(tokens.database).leases.db));
  provide(tokens.connectionChanges, () => new EventEmitter());
  const openStores = (purpose: 'accepting' | 'deciding' | 'pages') => () =>
    get(tokens.telemetry).observe(
      createPostgresStores({
        database: get(tokens.database)[purpose],
        jobs: get(tokens.jobs),
        secretBox: get(tokens.connectionSecretBox),
        leases: get(tokens.claimLeases),
        connectionChanges: get(tokens.connectionChanges),
      }),
    );
  provide(tokens.stores, openStores('pages'));
  provide(tokens.acceptingStores, openStores('accepting'));
  provide(tokens.decidingStores, openStores('deciding'));
  provide(tokens.files, () => {
    const { contents } = get(tokens.stores);
    return createFileStore(settings, (content) => keepContent({ clock, contents }, content));
  });
  provide(tokens.uploads, () =>
    createUploadStaging({ directory: chooseStaging(settings), files: get(tokens.files) }),
  );
  provide(tokens.mailer, () => createMailer(settings, get(tokens.claimLeases), get(tokens.platforms)));
  provide(tokens.limitedMailer, () => {
    const { mailCounts } = get(tokens.decidingStores);
    return limitMails(get(tokens.mailer), { clock, mailCounts, maxMailsPerHour: settings.maxMailsPerHour });
  });
  provide(tokens.orders, () => createOrderReader(byLabel));
  provide(tokens.sharedSecretSettings, () => ({ secrets: settings.paymentsASecrets, trialSecret }));
  provide(tokens.rejectedReader, () => createRejectedReader(byLabel, get(tokens.secretFingerprints)));
  provide(tokens.app, () =>
    createHttpApp(gatherHttpPorts(get, infrastructure), gatherHttpOptions(get, infrastructure)),
  );
  return { resolve: get };
}

type Provide = <T>(wanted: Token<T>, make: () => T) => void;
type Get = Composition['resolve'];

/** Everything that is derived from the secrets. */
function provideKeys(provide: Provide, get: Get, { secrets, settings: { siteUrl } }: Infrastructure): void {
  provide(tokens.keyring, () => createKeyring(secrets));
  provide(tokens.testOrderMarks, () => createTestOrderMarks(get(tokens.keyring)));
  provide(tokens.apiKeyBox, () => createSecretBox(get(tokens.keyring), 'api-key'));
  provide(tokens.connectionSecretBox, () => createSecretBox(get(tokens.keyring), 'connection-secret'));
  provide(tokens.apiKeys, () => createApiKeys(get(tokens.apiKeyBox)));
  provide(tokens.downloadTokens, () => createDownloadTokens(get(tokens.keyring), siteUrl));
  provide(tokens.signInTokens, () => createSignInTokens(get(tokens.keyring), siteUrl));
  provide(tokens.invitationTokens, () => createInvitationTokens(get(tokens.keyring), siteUrl));
  provide(tokens.sessionTokens, () => createSessionTokens());
  provide(tokens.secretFingerprints, () => createSecretFingerprints(get(tokens.keyring)));
  provide(tokens.signingSecrets, () => createSigningSecrets(get(tokens.keyring)));
}

/** What the routes call. */
function gatherHttpPorts(
  get: Get,
  { settings, clock, platforms }: Infrastructure,
): Parameters<typeof createHttpApp>[0] {
  return {
    ...get(tokens.stores),
    intake: openIntake(get(tokens.acceptingStores), get(tokens.decidingStores)),
    clock,
    ids,
    apiKeys: get(tokens.apiKeys),
    tokens: get(tokens.downloadTokens),
    signInTokens: get(tokens.signInTokens),
    invitationTokens: get(tokens.invitationTokens),
    sessionTokens: get(tokens.sessionTokens),
    secretFingerprints: get(tokens.secretFingerprints),
    sourceFingerprints: createSourceFingerprints(get(tokens.keyring)),
    signingSecrets: get(tokens.signingSecrets),
    files: get(tokens.files),
    uploads: get(tokens.uploads),
    database: get(tokens.database),
    checkFiles: createFilesCheck(settings),
    checkMail: createMailCheck(settings),
    sampleOrders: createSampleOrders({
      stores: get(tokens.stores),
      clock,
      sharedSecretSettings: get(tokens.sharedSecretSettings),
      marks: get(tokens.testOrderMarks),
      app: () => get(tokens.app),
      platforms,
    }),
    observeDecision: get(tokens.telemetry).observeDecision,
    isTestOrder: get(tokens.testOrderMarks).isTestOrder,
  };
}

/** What the routes are told of the installation. */
function gatherHttpOptions(get: Get, infrastructure: Infrastructure): HttpOptions {
  const { settings, databaseUrl, clock, log, platforms, tracing } = infrastructure;
  return {
    platforms: [...PLATFORMS_OF_ORGANISATIONS, ...platforms],
    sharedPlatform: { webhook: paymentsA, ...get(tokens.sharedSecretSettings), readTenantRef },
    log,
    isDraining: () => get(tokens.draining).now,
    trustProxy: settings.trustProxy,
    senderAddress: readSender(settings.mail.from).address,
    renderReceipt,
    version: VERSION.version,
    siteUrl: settings.siteUrl,
    allowLateReads: settings.databaseReadUrl === null ? undefined : allowLateReads,
    maxFileSize: settings.maxFileSize,
    intakeLimit: get(tokens.intakeLimit),
    metrics: get(tokens.telemetry).endpoint,
    observeWebhook: get(tokens.telemetry).observeWebhook,
    doctor: createDoctor(settings, databaseUrl),
    tracing,
    ...(settings.isLocalTrial && settings.mail.smtpUrl === null
      ? { outbox: openOutbox(settings, clock) }
      : {}),
  };
}

/** Ours. Each organisation has an address of its own for these. */
const PLATFORMS_OF_ORGANISATIONS: readonly PlatformWebhook[] = [
  storefrontA,
  storefrontB,
  checkoutA,
  checkoutAClassic,
  cartA,
];

function register<T>(container: DependencyContainer, wanted: Token<T>, make: () => T): void {
  container.register(wanted.symbol, { useFactory: instanceCachingFactory(make) });
}

/** Without `announce`, what it stores may be removed until a file refers to it. */
export function createFileStore({ files }: Pick<Settings, 'files'>, announce?: AnnounceContent): FileStore {
  if (files.kind === 's3') {
    return createS3FileStore({ ...files.place, presigned: files.presigned, announce });
  }
  return createDiskFileStore(files.directory, announce);
}

function createFilesCheck({ files }: Pick<Settings, 'files'>): () => Promise<void> {
  return files.kind === 's3' ? createS3Check(files.place) : createDiskCheck(files.directory);
}

/** On the disk of the files, so that a complete upload is moved and not copied; for a bucket, in DATA_DIR. */
function chooseStaging({ files, dataDir }: Settings): string {
  return files.kind === 'disk' ? `${files.directory}/.staged` : `${dataDir}/staged`;
}

/** Writes that strangers can cause, such as counts of refused requests, use the connections of the pages. */
function openIntake(accepting: Stores, { fulfilment }: Stores): Intake {
  const { connections, accounts, sharedSecrets, deliveries, unassigned } = accepting;
  return { connections, accounts, sharedSecrets, deliveries, unassigned, fulfilment };
}
