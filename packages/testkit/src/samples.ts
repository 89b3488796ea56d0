import {
  type ActivityOrigin,
  type ApiKeys,
  activateVersion,
  type Clock,
  type Connection,
  createOrganisation,
  createProduct,
  createVersion,
  type Delivery,
  type DownloadTokens,
  type Ids,
  type InvitationTokens,
  normalizeEmail,
  type Order,
  type Product,
  type ProductVersion,
  type ReceivedDelivery,
  recordDeliveries,
  type SecretFingerprints,
  type SessionTokens,
  type SignInTokens,
  type SigningSecrets,
  type SourceFingerprints,
  type Stores,
  setIntegrationSecret,
  updateProduct,
} from '@handover/domain';

/** A clock whose time changes only when a test advances it. */
export function createManualClock(start = new Date('2026-03-02T09:00:00.000Z')): Clock & {
  advance(milliseconds: number): void;
} {
  let now = start.getTime();
  return {
    now: () => new Date(now),
    advance: (milliseconds) => {
      now += milliseconds;
    },
  };
}

/** Ids that count upwards and have the shape of UUIDv7. Give each source its own `series` to keep them apart. */
export function createCountingIds(series = 1): Ids {
  let count = 0;
  return {
    next: () => {
      count += 1;
      const head = series.toString(16).padStart(8, '0');
      return `${head}-0000-7000-8000-${count.toString(16).padStart(12, '0')}`;
    },
  };
}

/** An admin at the dashboard. */
export const BY_JANA: ActivityOrigin = { actor: 'jana@example.com', via: 'dashboard' };

/** The first owner of an organisation, who may do everything. */
export async function byOwner({ team }: Pick<Stores, 'team'>, orgId: string): Promise<ActivityOrigin> {
  const [owner] = await team.list(orgId);
  return { ...BY_JANA, actor: owner?.email ?? '' };
}

/** Keys without randomness or cryptography: for tests only. */
export function createFakeApiKeys(): ApiKeys {
  let count = 0;
  const hash = (key: string) => (key.startsWith('key-') ? key.slice(4).padStart(64, '0') : null);
  return {
    mint: () => {
      count += 1;
      const key = `key-${count.toString(16)}`;
      return { key, stored: { hash: hash(key) ?? '', sealed: key } };
    },
    hash,
    hint: (key) => hash(key) && `key-…${key.slice(-2)}`,
    reveal: ({ sealed }) => sealed,
  };
}

/** Tokens without cryptography: for tests only. */
export function createFakeTokens(siteUrl = 'http://shop.test'): DownloadTokens {
  const seal = (orgId: string, linkId: string) => `${orgId}.${linkId}`;
  return {
    seal,
    open: (token) => {
      const [orgId, linkId, ...rest] = token.split('.');
      return orgId && linkId && rest.length === 0 ? { orgId, linkId } : null;
    },
    url: (orgId, linkId) => `${siteUrl}/d/${seal(orgId, linkId)}`,
    myUrl: () => `${siteUrl}/my`,
    libraryUrl: (orgId, linkId, email) =>
      `${siteUrl}/my/library.${withoutSigns(email)}.${seal(orgId, linkId)}`,
    openLibrary: (token) => {
      const [kind, address, orgId, linkId, ...rest] = token.split('.');
      if (kind !== 'library' || !orgId || !linkId || rest.length > 0) return null;
      return { orgId, linkId, isFor: (email) => withoutSigns(email) === address };
    },
  };
}

function withoutSigns(email: string): string {
  return normalizeEmail(email).replaceAll(/[^a-z0-9]/g, '_');
}

/** Links without cryptography: for tests only. */
export function createFakeSignInTokens(siteUrl = 'http://shop.test'): SignInTokens {
  return {
    open: (token) => (token.startsWith('sign-in-') ? token.slice('sign-in-'.length) : null),
    url: (signInId) => `${siteUrl}/dashboard/sign-in/sign-in-${signInId}`,
  };
}

/** Links without cryptography: for tests only. */
export function createFakeInvitationTokens(siteUrl = 'http://shop.test'): InvitationTokens {
  return {
    open: (token) => {
      const [word, orgId, invitationId, ...rest] = token.split('.');
      return word === 'invitation' && orgId && invitationId && rest.length === 0
        ? { orgId, invitationId }
        : null;
    },
    url: (orgId, invitationId) => `${siteUrl}/dashboard/invitations/invitation.${orgId}.${invitationId}`,
  };
}

/** The fake ports that e-mails are composed with. */
export function createFakeComposing(siteUrl = 'http://shop.test') {
  return {
    tokens: createFakeTokens(siteUrl),
    signInTokens: createFakeSignInTokens(siteUrl),
    invitationTokens: createFakeInvitationTokens(siteUrl),
    siteUrl,
  };
}

/** Sessions that can be guessed: for tests only. */
export function createFakeSessionTokens(): SessionTokens {
  let count = 0;
  const hash = (token: string) =>
    token.startsWith('session-') ? token.slice('session-'.length).padStart(64, '0') : null;
  return {
    mint: () => {
      count += 1;
      const token = `session-${count.toString(16)}`;
      return { token, hash: hash(token) ?? '' };
    },
    hash,
  };
}

/** Secrets that can be guessed: for tests only. */
export function createFakeSigningSecrets(): SigningSecrets {
  return { make: (orgId, use) => ['made-secret', orgId, ...use].join('-').replaceAll(/[^\w-]/g, '_') };
}

/** Fingerprints without cryptography: for tests only. */
export function createFakeFingerprints(): SecretFingerprints {
  const make = (orgId: string, secret: string) =>
    [...`${orgId} ${secret}`].map((character) => character.codePointAt(0)?.toString(16)).join('-');
  return { make, matches: (orgId, secret, fingerprint) => make(orgId, secret) === fingerprint };
}

/** Fingerprints that show the network: for tests only. */
export function createFakeSourceFingerprints(): SourceFingerprints {
  return { make: (orgId, network) => `${orgId} from ${network}` };
}

/** An organisation with an owner, a connection of storefront-a, and a product. */
export interface Shop {
  readonly orgId: string;
  readonly ownerId: string;
  readonly ownerKey: string;
  readonly connection: Connection;
  /** Published, with one live version of one file. Its slug is `pads`. */
  readonly product: Product;
  readonly version: ProductVersion;
}

/** The ports that opening a shop needs. */
export interface ShopPorts {
  readonly stores: Stores;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly apiKeys: ApiKeys;
}

/** An organisation that is ready to sell: the starting point of most tests. */
export async function openShop(ports: ShopPorts, name = 'Lumen Audio'): Promise<Shop> {
  const { stores, clock, ids, apiKeys } = ports;
  const { organisations, users } = stores;
  const created = await createOrganisation(
    { clock, ids, apiKeys, organisations, users },
    { name, ownerEmail: `owner-${ids.next()}@example.com` },
  );
  if (created.kind !== 'created') throw new Error(`The sample organisation: ${created.kind}`);
  const orgId = created.organisation.id;
  await setIntegrationSecret(
    { clock, ids, connections: stores.connections },
    { orgId, platform: 'storefront-a', name: 'main', secret: 'test-secret' },
  );
  const [connection] = (await stores.connections.list(orgId, 'storefront-a', clock.now())) ?? [];
  if (!connection) throw new Error('The sample connection is missing.');
  const { product, version } = await publishProduct(ports, orgId, 'Pads');
  return { orgId, ownerId: created.owner.id, ownerKey: created.apiKey, connection, product, version };
}

/** Adds a product that can be delivered. Its slug is its name in lower case. */
export async function publishProduct(
  { stores, clock, ids }: Omit<ShopPorts, 'apiKeys'>,
  orgId: string,
  name: string,
): Promise<{ readonly product: Product; readonly version: ProductVersion }> {
  const { products } = stores;
  const added = await createProduct({ clock, ids, products }, orgId, { name, slug: name });
  if (added.kind !== 'created') throw new Error(`The sample product: ${added.kind}`);
  const productId = added.product.id;
  const opened = await createVersion({ clock, ids, products }, orgId, productId, '1.0');
  if (opened.kind !== 'created') throw new Error(`The sample version: ${opened.kind}`);
  const sha256 = '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824';
  await products.putFile(orgId, opened.version.id, { name: 'pads.zip', size: 5, sha256 });
  await activateVersion({ clock, products }, orgId, productId, opened.version.id);
  const published = await updateProduct({ clock, products }, orgId, productId, { status: 'published' });
  if (published.kind !== 'updated') throw new Error(`The sample product: ${published.kind}`);
  return { product: published.product, version: { ...opened.version, status: 'ready' } };
}

/** An order of one line for the sample product, to be varied. */
export function makeOrder(
  shop: { readonly orgId: string; readonly connection: Pick<Connection, 'id'> },
  changes: Partial<Order> = {},
): Order {
  return {
    orgId: shop.orgId,
    platform: 'storefront-a',
    connectionId: shop.connection.id,
    orderId: '5001',
    orderNumber: '#1001',
    customer: { email: 'ana@example.com', name: 'Ana Lima' },
    currency: 'EUR',
    total: '49.00',
    lines: [makeLine('PADS')],
    test: false,
    notes: [],
    ...changes,
  };
}

/** A line of one piece for 49.00, named by its SKU, to be varied. */
export function makeLine(sku: string, changes: Partial<Order['lines'][number]> = {}): Order['lines'][number] {
  return { candidates: [{ kind: 'sku', value: sku }], quantity: 1, amount: '49.00', title: sku, ...changes };
}

/** A request of the shop's platform with this content. */
export function makeReceived(
  shop: { readonly orgId: string; readonly connection: Pick<Connection, 'id'> },
  receivedAt: Date,
  content: ReceivedDelivery['content'],
): ReceivedDelivery {
  return {
    orgId: shop.orgId,
    platform: 'storefront-a',
    connectionId: shop.connection.id,
    receivedAt,
    bytes: new Uint8Array([123, 125]),
    headers: {},
    content,
  };
}

/** Records an order in the webhook log, as its request does. */
export async function recordOrder(
  ports: Omit<ShopPorts, 'apiKeys'>,
  order: Order,
  { isTest = false }: { readonly isTest?: boolean } = {},
): Promise<Delivery> {
  const { clock, ids, stores } = ports;
  const recorded = await recordDeliveries(
    { clock, ids, deliveries: stores.deliveries },
    {
      orgId: order.orgId,
      platform: order.platform,
      connectionId: order.connectionId,
      receivedAt: clock.now(),
      bytes: new Uint8Array([123, 125]),
      headers: {},
      content: { kind: 'translated', entries: [{ kind: 'order', order }] },
      isTest,
    },
    'in-request',
  );
  const [delivery] = recorded.kind === 'recorded' ? recorded.deliveries : [];
  if (!delivery) throw new Error('The sample order was not recorded.');
  return delivery;
}
