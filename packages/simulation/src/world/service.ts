import {
  type ApiKeys,
  type Clock,
  type DownloadTokens,
  type FileStore,
  type Ids,
  type InvitationTokens,
  type LimitedMailer,
  limitMails,
  type Mailer,
  type OrderReader,
  type Prunable,
  pruneOld,
  REJECTED_LIFETIME_MS,
  type RejectedReader,
  removeOldBodies,
  removeOldContents,
  type SecretFingerprints,
  type SessionTokens,
  type SignInTokens,
  type StagedUploads,
  type Stores,
} from '@handover/domain';
import { createOrderReader, createRejectedReader } from '@handover/platform-contract';
import {
  createFakeFingerprints,
  createFakeInvitationTokens,
  createFakeSignInTokens,
  createFakeTokens,
} from '@handover/testkit';
import { PLATFORM_WEBHOOKS } from './platforms.ts';

const RELEASE_PAGE = 2;

/** Low enough that some mails have to wait for the next hour. */
const MAX_MAILS_PER_HOUR = 3;

export const SITE_URL = 'http://shop.test';

/** The ports of a process of the service: the stores as it reaches them, and its own clock and ids. */
export interface Service extends Stores, Parts {
  readonly mailer: LimitedMailer;
  readonly invitationTokens: InvitationTokens;
  readonly tokens: DownloadTokens;
  readonly signInTokens: SignInTokens;
  readonly orders: OrderReader;
  readonly rejectedReader: RejectedReader;
  readonly secretFingerprints: SecretFingerprints;
  readonly siteUrl: string;
}

interface Parts {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly apiKeys: ApiKeys;
  readonly sessionTokens: SessionTokens;
  readonly files: FileStore;
  readonly uploads: StagedUploads;
}

/** What may fail besides the stores. The other ports only compute. */
export const SERVICE_PORTS = ['files', 'uploads'] as const satisfies readonly (keyof Service)[];

/** `readsOrders`: false if the process has a version that cannot read what others have recorded. */
export function composeService(
  parts: Stores & Parts & { readonly mailer: Mailer; readonly readsOrders: () => boolean },
): Service {
  const { openDeliveries, readsOrders } = parts;
  const reader = createOrderReader(PLATFORM_WEBHOOKS);
  const secretFingerprints = createFakeFingerprints();
  return {
    ...parts,
    openDeliveries: {
      ...openDeliveries,
      // Small pages, so that much can happen between two.
      releaseNext: (orgId, release, { at }) =>
        openDeliveries.releaseNext(orgId, release, { at, limit: RELEASE_PAGE }),
    },
    mailer: limitMails(parts.mailer, { ...parts, maxMailsPerHour: MAX_MAILS_PER_HOUR }),
    invitationTokens: createFakeInvitationTokens(SITE_URL),
    tokens: createFakeTokens(SITE_URL),
    signInTokens: createFakeSignInTokens(SITE_URL),
    orders: { read: (delivery) => (readsOrders() ? reader.read(delivery) : null) },
    rejectedReader: createRejectedReader(PLATFORM_WEBHOOKS, secretFingerprints),
    secretFingerprints,
    siteUrl: SITE_URL,
  };
}

/** Short enough that bodies are deleted within a history. */
const BODY_RETENTION_DAYS = 2;
const FILE_RETENTION_DAYS = 2;

/**
 * The short-lived rows, with the default retention of an installation. PostgreSQL deletes the others from time to
 * time by itself, so its answers may differ.
 */
const PRUNED: readonly Prunable[] = ['idempotencyKeys', 'proofs'];
const PRUNED_AFTER_DAYS = 30;

/** What one process does every minute for all. */
export async function runMaintenance(service: Service): Promise<void> {
  await removeOldBodies(service, BODY_RETENTION_DAYS);
  for (const what of PRUNED) await pruneOld(service, what, PRUNED_AFTER_DAYS);
  await removeOldContents(service, FILE_RETENTION_DAYS);
  await service.rejected.sweep(new Date(service.clock.now().getTime() - REJECTED_LIFETIME_MS));
}
