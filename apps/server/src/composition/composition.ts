import 'reflect-metadata';
import { EventEmitter } from 'node:events';
import {
  createDiskCheck,
  createDiskFileStore,
  createS3Check,
  createS3FileStore,
  createUploadStaging,
} from '@handover/adapters-files';
import { createHttpApp, createIntakeLimit, type HttpOptions, type Intake } from '@handover/adapters-http';
import { readSender, renderReceipt } from '@handover/adapters-mail';
import {
  allowLateReads,
  createClaimLeases,
  createJobQueue,
  createPostgresStores,
  openDatabases,
} from '@handover/adapters-postgres';
import {
  type AnnounceContent,
  type Clock,
  createSystemClock,
  createUuids,
  type FileStore,
  keepContent,
  limitMails,
  type Stores,
} from '@handover/domain';
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
import { instanceCachingFactory, container as root } from 'tsyringe';
import { createDoctor } from '../doctor/examine-installation.ts';
import {
  createApiKeys,
  createKeyring,
  createSecretBox,
  createSecretFingerprints,
  createSigningSecrets,
  createSourceFingerprints,
  createTestOrderMarks,
} from '../keyring/keyring.ts';
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
import type { Parts } from './parts.ts';
import { watchPressure } from './pressure.ts';
import { createSampleOrders } from './sample-orders.ts';

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
  resolve: Get;
}

type Get = <Name extends keyof Parts>(name: Name) => Parts[Name];

/** How each part is made: the compiler names a part that is missing. */
export type Factories = { readonly [Name in keyof Parts]: () => Parts[Name] };

/** Every part of the program and its dependencies, in one place. Parts are created once, when they are resolved. */
export function compose(infrastructure: Infrastructure): Composition {
  const container = root.createChildContainer();
  const get: Get = (name) => container.resolve(name);
  for (const [name, make] of Object.entries<() => unknown>(createFactories(get, infrastructure)))
    container.register(name, { useFactory: instanceCachingFactory(make) });
  return { resolve: get };
}

export function createFactories(get: Get, infrastructure: Infrastructure): Factories {
  const { settings, databaseUrl, trialSecret, clock, log, platforms, tracing } = infrastructure;
  const webhooks = [...PLATFORMS_OF_ORGANISATIONS, ...platforms, paymentsA];
  const openStores = (purpose: 'accepting' | 'deciding' | 'pages') => () =>
    get('telemetry').observe(
      createPostgresStores({
        database: get('database')[purpose],
        jobs: get('jobs'),
        secretBox: get('secretBoxes').connectionSecrets,
        leases: get('claimLeases'),
        connectionChanges: get('connectionChanges'),
      }),
    );
  return {
    clock: () => clock,
    platforms: () => describePlatforms(platforms),
    platformWebhooks: () => Object.fromEntries(webhooks.map((one) => [one.label, one])),
    draining: () => ({ now: false }),
    ...createKeyFactories(get, infrastructure),
    database: () => openDatabases({ url: databaseUrl, readUrl: settings.databaseReadUrl, log }),
    intakeLimit: () => createIntakeLimit(),
    jobs: () => {
      const isPressed = watchPressure(get('intakeLimit').countWaiting);
      return createJobQueue({ url: databaseUrl, log, clock, isPressed });
    },
    telemetry: () =>
      createTelemetry({
        settings,
        clock,
        version: VERSION.version,
        platforms: webhooks.map(({ label }) => label),
        database: get('database'),
        jobs: get('jobs'),
        tracing,
      }),
    claimLeases: () => createClaimLeases(undefined, get('database').leases.db),
    connectionChanges: () => new EventEmitter(),
    stores: openStores('pages'),
    acceptingStores: openStores('accepting'),
    decidingStores: openStores('deciding'),
    files: () => {
      const { contents } = get('stores');
      return createFileStore(settings, (content) => keepContent({ clock, contents }, content));
    },
    uploads: () => createUploadStaging({ directory: chooseStaging(settings), files: get('files') }),
    mailer: () => createMailer(settings, get('claimLeases'), get('platforms')),
    limitedMailer: () => {
      const { mailCounts, waitingReceipts } = get('decidingStores');
      const { maxMailsPerHour } = settings;
      return limitMails(get('mailer'), { clock, mailCounts, waitingReceipts, maxMailsPerHour });
    },
    orders: () => createOrderReader(get('platformWebhooks')),
    sharedSecretSettings: () => ({ secrets: settings.paymentsASecrets, trialSecret }),
    rejectedReader: () => createRejectedReader(get('platformWebhooks'), get('secretFingerprints')),
    app: () => createHttpApp(gatherHttpPorts(get, infrastructure), gatherHttpOptions(get, infrastructure)),
  };
}

/** Everything that is derived from the secrets. */
function createKeyFactories(get: Get, { secrets, settings: { siteUrl } }: Infrastructure) {
  return {
    keyring: () => createKeyring(secrets),
    testOrderMarks: () => createTestOrderMarks(get('keyring')),
    secretBoxes: () => ({
      apiKeys: createSecretBox(get('keyring'), 'api-key'),
      connectionSecrets: createSecretBox(get('keyring'), 'connection-secret'),
    }),
    apiKeys: () => createApiKeys(get('secretBoxes').apiKeys),
    downloadTokens: () => createDownloadTokens(get('keyring'), siteUrl),
    signInTokens: () => createSignInTokens(get('keyring'), siteUrl),
    invitationTokens: () => createInvitationTokens(get('keyring'), siteUrl),
    sessionTokens: () => createSessionTokens(),
    secretFingerprints: () => createSecretFingerprints(get('keyring')),
    signingSecrets: () => createSigningSecrets(get('keyring')),
  };
}

/** The ports of the HTTP app. */
function gatherHttpPorts(get: Get, { settings, clock }: Infrastructure): Parameters<typeof createHttpApp>[0] {
  return {
    ...get('stores'),
    intake: openIntake(get('acceptingStores'), get('decidingStores')),
    clock,
    ids,
    apiKeys: get('apiKeys'),
    tokens: get('downloadTokens'),
    signInTokens: get('signInTokens'),
    invitationTokens: get('invitationTokens'),
    sessionTokens: get('sessionTokens'),
    secretFingerprints: get('secretFingerprints'),
    sourceFingerprints: createSourceFingerprints(get('keyring')),
    signingSecrets: get('signingSecrets'),
    files: get('files'),
    uploads: get('uploads'),
    database: get('database'),
    checkFiles: createFilesCheck(settings),
    checkMail: createMailCheck(settings),
    sampleOrders: createSampleOrders({
      stores: get('stores'),
      clock,
      sharedSecretSettings: get('sharedSecretSettings'),
      marks: get('testOrderMarks'),
      app: () => get('app'),
      webhooks: get('platformWebhooks'),
    }),
    observeDecision: get('telemetry').observeDecision,
    isTestOrder: get('testOrderMarks').isTestOrder,
  };
}

/** The options of the HTTP app: what its routes need to know of the installation. */
function gatherHttpOptions(get: Get, infrastructure: Infrastructure): HttpOptions {
  const { settings, databaseUrl, clock, log, platforms, tracing } = infrastructure;
  return {
    platforms: [...PLATFORMS_OF_ORGANISATIONS, ...platforms],
    sharedPlatform: { webhook: paymentsA, ...get('sharedSecretSettings'), readTenantRef },
    log,
    isDraining: () => get('draining').now,
    trustProxy: settings.trustProxy,
    senderAddress: readSender(settings.mail.from).address,
    renderReceipt,
    version: VERSION.version,
    siteUrl: settings.siteUrl,
    allowLateReads: settings.databaseReadUrl === null ? undefined : allowLateReads,
    maxFileSize: settings.maxFileSize,
    intakeLimit: get('intakeLimit'),
    metrics: get('telemetry').endpoint,
    observeWebhook: get('telemetry').observeWebhook,
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
