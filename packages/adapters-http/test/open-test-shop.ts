import { createHash, randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createUploadStaging } from '@handover/adapters-files';
import { createHttpApp, type HttpOptions, type HttpPorts } from '@handover/adapters-http';
import { type FileStore, OUR_PLATFORMS } from '@handover/domain';
import { createInMemoryStores, type InMemoryStores } from '@handover/domain/memory';
import { paymentsA, readTenantRef } from '@handover/platform-payments-a';
import { storefrontA } from '@handover/platform-storefront-a';
import {
  createCountingIds,
  createFakeApiKeys,
  createFakeFingerprints,
  createFakeInvitationTokens,
  createFakeSessionTokens,
  createFakeSignInTokens,
  createFakeSigningSecrets,
  createFakeSourceFingerprints,
  createFakeTokens,
  createManualClock,
  openShop,
  type Shop,
} from '@handover/testkit';
import type { FastifyInstance } from 'fastify';
import { undoLater } from '../../../test/undo.ts';
import { createLogCapture, type LogCapture } from './log-capture.ts';
import { renderPlainly } from './render-plainly.ts';

/** Of the shared platform; the first is the current one. */
export const SERVICE_SECRETS = ['whsec_current', 'whsec_former'];

/** An installation with one platform of its own besides payments-a. */
export const TEST_OPTIONS: HttpOptions = {
  platforms: [storefrontA],
  sharedPlatform: { webhook: paymentsA, secrets: SERVICE_SECRETS, readTenantRef },
  log: false,
  isDraining: () => false,
  trustProxy: false,
  version: '0.0.0-test',
  senderAddress: 'orders@shop.test',
  renderReceipt: renderPlainly,
  siteUrl: 'http://shop.test',
  maxFileSize: 1024 ** 3,
};

export interface TestShop {
  readonly app: FastifyInstance;
  readonly ports: HttpPorts;
  readonly stores: InMemoryStores;
  readonly shop: Shop;
  readonly clock: ReturnType<typeof createManualClock>;
  readonly log: LogCapture;
}

/** A shop that is ready to sell behind an app of its own, closed when the test ends, or those that share it. */
export async function openTestShop(
  changePorts: (ports: HttpPorts) => Partial<HttpPorts> = () => ({}),
  options: Partial<HttpOptions> = {},
): Promise<TestShop> {
  const stores = createInMemoryStores();
  const clock = createManualClock();
  const log = createLogCapture();
  const files = createInMemoryFiles();
  const plain = {
    ...stores,
    clock,
    // With a letter, which can be spelled in capitals.
    ids: createCountingIds(0xa),
    apiKeys: createFakeApiKeys(),
    tokens: createFakeTokens(),
    signInTokens: createFakeSignInTokens(),
    invitationTokens: createFakeInvitationTokens(),
    sessionTokens: createFakeSessionTokens(),
    secretFingerprints: createFakeFingerprints(),
    sourceFingerprints: createFakeSourceFingerprints(),
    signingSecrets: createFakeSigningSecrets(),
    files,
    uploads: createUploadStaging({ directory: temporaryDirectory(), files }),
    database: { answers: async () => true },
    platforms: OUR_PLATFORMS,
    sampleOrders: sendNothing,
  };
  const shop = await openShop({ ...plain, stores });
  await plain.files.store(
    shop.orgId,
    (async function* () {
      yield new TextEncoder().encode('hello');
    })(),
  );
  // What a test changes holds within a transaction, too.
  const inTransaction: HttpPorts['inTransaction'] = (work) =>
    plain.inTransaction((within) => work({ ...within, ...changePorts({ ...plain, ...within }) }));
  const ports = { ...plain, inTransaction, ...changePorts(plain) };
  const app = createHttpApp(ports, { ...TEST_OPTIONS, log: log.logger, ...options });
  undoLater(() => app.close());
  return { app, ports, stores, shop, clock, log };
}

/** No server listens: tests that send give a sender of their own. */
const sendNothing: HttpPorts['sampleOrders'] = { send: async () => ({ kind: 'not-set-up' }) };

/** Made when something is put into it. */
function temporaryDirectory(): string {
  const directory = join(tmpdir(), `handover-uploads-${randomUUID()}`);
  undoLater(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

export function bearer(key: string): { readonly authorization: string } {
  return { authorization: `Bearer ${key}` };
}

/** Product files in memory, in chunks of a kilobyte. */
export function createInMemoryFiles(): FileStore {
  const contents = new Map<string, Buffer>();
  return {
    store: async (orgId, source) => {
      const chunks: Uint8Array[] = [];
      for await (const chunk of source) chunks.push(chunk);
      const content = Buffer.concat(chunks);
      const sha256 = createHash('sha256').update(content).digest('hex');
      contents.set(`${orgId} ${sha256}`, content);
      return { size: content.length, sha256 };
    },
    remove: async (orgId, sha256) => {
      contents.delete(`${orgId} ${sha256}`);
    },
    open: async (orgId, sha256, range) => {
      const content = contents.get(`${orgId} ${sha256}`);
      return content ? inChunks(content.subarray(range?.start, range?.end)) : null;
    },
  };
}

async function* inChunks(content: Buffer): AsyncIterable<Uint8Array> {
  for (let at = 0; at < content.length; at += 1024) yield content.subarray(at, at + 1024);
}
