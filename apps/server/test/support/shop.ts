import { createHash } from 'node:crypto';
import { createEmptyDatabase, createTestDatabase } from '@handover/adapters-postgres/testing';
import { sampleOrder, signForTest } from '@handover/platform-storefront-a/testing';
import { inject } from 'vitest';
import { addProduct, setProductStatus } from '../../../../test/shop-api.ts';
import { makeTemporaryDirectory } from '../../../../test/temporary-directory.ts';
import { undoLater } from '../../../../test/undo.ts';
import { WAIT_TIMEOUT_MS } from '../../../../test/wait-timeout.ts';
import type { MailServer } from './mail-server.ts';
import type { Environment } from './server-process.ts';
import { runCliForJson } from './server-process.ts';

const SIGNING_SECRET = 'the-signing-secret-of-the-shop';

/** A migrated database for this test in the PostgreSQL of the run. */
export async function makeDatabase(): Promise<string> {
  const database = await createTestDatabase(inject('postgres'));
  undoLater(database.drop);
  return database.url;
}

/** The same, before any tables exist. */
export async function makeEmptyDatabase(): Promise<string> {
  const database = await createEmptyDatabase(inject('postgres').url);
  undoLater(database.drop);
  return database.url;
}

/** The settings of an installation with its own database and mail server. */
export async function makeInstallation(
  mailServer: Pick<MailServer, 'url'>,
  databaseUrl?: string,
): Promise<Environment> {
  const directory = await makeTemporaryDirectory();
  return {
    DATA_DIR: directory,
    DATABASE_URL: databaseUrl ?? (await makeDatabase()),
    HANDOVER_SECRET: 'a-secret-of-at-least-32-characters',
    FILES_URL: `file://${directory}/files`,
    SMTP_URL: mailServer.url,
    MAIL_FROM: 'orders@shop.test',
  };
}

export interface OpenShop {
  readonly orgId: string;
  readonly apiKey: string;
  readonly productId: string;
  /** The bytes that buyers should get. */
  readonly file: Uint8Array;
}

/** An organisation that sells one product, set up by command line and API. */
export async function openShop(
  environment: Environment,
  url: string,
  ownerEmail = 'owner@lumen.test',
  file: Uint8Array = createHash('sha256').update('felt').digest(),
): Promise<OpenShop> {
  const words = ['org', 'create', '--name', 'Lumen Audio', '--owner-email', ownerEmail];
  const { orgId, apiKey } = await runCliForJson<{ orgId: string; apiKey: string }>(environment, words);
  const integration = ['integration', 'set', '--org', orgId, '--platform', 'storefront-a'];
  await runCliForJson(environment, [...integration, '--secret', SIGNING_SECRET]);

  const { id: productId } = await addProduct(url, apiKey, { name: 'Felt Piano', slug: 'felt-piano', file });
  await setProductStatus(url, apiKey, productId, 'published');
  return { orgId, apiKey, productId, file };
}

export interface SentOrder {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly body: {
    readonly received?: boolean;
    readonly deliveryId?: string;
    readonly status?: string;
    readonly error?: string;
  };
  readonly milliseconds: number;
}

interface OrderChanges {
  readonly secret?: string;
  readonly body?: Uint8Array;
  readonly email?: string | null;
  readonly skus?: readonly string[];
}

/** Sends an order like the shop's platform. */
export async function sendOrder(
  url: string,
  orgId: string,
  orderId: string,
  changes: OrderChanges = {},
): Promise<SentOrder> {
  const { path, ...request } = signOrder(orgId, orderId, changes);
  const began = performance.now();
  const response = await fetch(`${url}${path}`, { method: 'POST', ...request });
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    body: (await response.json()) as SentOrder['body'],
    milliseconds: performance.now() - began,
  };
}

/** The request that the shop's platform would send. */
export function signOrder(orgId: string, orderId: string, changes: OrderChanges = {}) {
  const email = changes.email === undefined ? 'ana@example.com' : changes.email;
  const buyer = email === null ? { customer: { email } } : {};
  const sample = sampleOrder(
    { id: orderId, name: `#${orderId}`, email, contact_email: email, ...buyer },
    (changes.skus ?? ['felt-piano']).map((sku) => ({ sku })),
  );
  const body = changes.body ?? sample;
  return {
    path: `/webhooks/${orgId}/storefront-a`,
    headers: {
      'content-type': 'application/json',
      'x-shopify-topic': 'orders/paid',
      ...signForTest(changes.secret ?? SIGNING_SECRET, body),
    },
    body: Buffer.from(body),
  };
}

export interface ListedPurchase {
  readonly orderId: string;
  readonly customerEmail: string;
  readonly productSlug: string;
  readonly downloadUrl: string;
  readonly receiptSentAt: string | null;
  readonly amount: string;
  readonly currency: string | null;
}

export async function listPurchases(url: string, apiKey: string): Promise<readonly ListedPurchase[]> {
  const response = await fetch(`${url}/api/purchases`, { headers: { 'x-api-key': apiKey } });
  if (response.status !== 200) throw new Error(`GET /api/purchases: ${response.status}`);
  return response.json() as Promise<readonly ListedPurchase[]>;
}

/** Polls until the condition holds. */
export async function until<T>(
  ask: () => Promise<T | null | undefined | false>,
  limitMs = WAIT_TIMEOUT_MS,
): Promise<T> {
  const deadline = Date.now() + limitMs;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    if (Date.now() > deadline) throw new Error(`It was not so within ${limitMs} ms.`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
