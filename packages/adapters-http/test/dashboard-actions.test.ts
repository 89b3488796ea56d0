import { describe, expect, test } from 'vitest';
import type { HttpPorts } from '../src/index.ts';
import { sendOrder } from './fill-log.ts';
import { type OpenedDashboard, openDashboard } from './open-dashboard.ts';
import {
  askAfter,
  beginUpload,
  filesOf,
  HELLO,
  openVersion,
  scriptHeaders,
  sendPiece,
} from './open-upload.ts';

/** A dashboard whose process dies, when it is told to, between an action and its entry in the activity log. */
async function openMortal() {
  const process = { dies: false };
  const dashboard = await openDashboard((ports) => ({
    inTransaction: (work) =>
      ports.inTransaction((stores) => {
        const add: HttpPorts['activity']['add'] = async (orgId, entry) => {
          if (process.dies) throw new Error('The process died here.');
          await stores.activity.add(orgId, entry);
        };
        return work({ ...stores, activity: { ...stores.activity, add } });
      }),
  }));
  return { ...dashboard, process };
}

/** What the actions change. */
async function readState({ ports, shop, clock }: OpenedDashboard, userId: string): Promise<string> {
  const { orgId, product } = shop;
  const all = { text: '', status: null, before: null, limit: 100 };
  const state = [
    await ports.products.search(orgId, all),
    await ports.products.listVersions(orgId, product.id, 10),
    await ports.skuMappings.listOf(orgId, product.id, 10),
    await ports.team.list(orgId),
    await ports.organisations.find(orgId),
    await ports.userKeys.list(userId),
    await ports.connections.listFacts(orgId, clock.now()),
    await ports.deliveries.list(orgId, { status: null, platform: null, before: null, limit: 10 }),
    await ports.activity.list(orgId, { subjectId: null, before: null, limit: 100 }),
  ];
  return JSON.stringify(state);
}

const PRODUCT = '/dashboard/products/PRODUCT';
const SETTINGS = '/dashboard/settings';

const ACTIONS: Readonly<Record<string, readonly [path: string, fields: Record<string, string>]>> = {
  'a product is added': ['/dashboard/products/new', { name: 'Keys' }],
  'a product is changed': [`${PRODUCT}/details`, { name: 'Renamed', slug: 'renamed' }],
  'a product is archived': [`${PRODUCT}/archive`, {}],
  'what waits for a product is delivered': [`${PRODUCT}/deliver`, {}],
  'a version is begun': [`${PRODUCT}/versions`, { version: '9.0' }],
  'a version is made live': [`${PRODUCT}/versions/VERSION/make-live`, {}],
  'a SKU is mapped': [`${PRODUCT}/skus`, { sku: 'PAD-9' }],
  'a SKU is said to be not ours': ['/dashboard/purchases/unmatched/not-ours', { sku: 'KEYS' }],
  'an order is delivered again': ['/dashboard/webhook-log/DELIVERY/redeliver', {}],
  'a person is invited': [`${SETTINGS}/team/invite`, { email: 'jo@example.org', role: 'member' }],
  'a role is changed': [`${SETTINGS}/team/MEMBER/role`, { role: 'admin' }],
  'a member is removed': [`${SETTINGS}/team/MEMBER/remove`, {}],
  'the name in mails is changed': [`${SETTINGS}/organisation/mails`, { name: 'Lumen', email: 'a@b.test' }],
  'the alert address is changed': [`${SETTINGS}/organisation/alerts`, { alertEmail: 'ops@example.org' }],
  'an API key is refreshed': [`${SETTINGS}/api-key/replace`, { name: 'default' }],
  'an API key is made': [`${SETTINGS}/api-key/new`, { name: 'Export', access: 'all' }],
  'an API key is revoked': [`${SETTINGS}/api-key/revoke`, { name: 'default' }],
  'a secret is set': [`${SETTINGS}/integrations/storefront-a/secret`, { name: 'EU', secret: 'a'.repeat(32) }],
  'the rules of a shop are changed': [
    `${SETTINGS}/integrations/storefront-a/rules`,
    { shop: 'SHOP', defaultCurrency: 'GBP' },
  ],
};

test.each(Object.entries(ACTIONS))(
  'when %s, a crash leaves the action and its entry, or neither',
  async (_, [path, fields]) => {
    const mortal = await openMortal();
    const { orgId, product } = mortal.shop;
    const owner = await mortal.signIn('owner');
    const member = await mortal.signIn('member');
    // A draft, and where a version goes live none was, so that each changes something.
    const started = path.endsWith('make-live') ? { activeVersionId: null } : {};
    await mortal.ports.products.change(
      orgId,
      product.id,
      { status: 'draft', ...started },
      mortal.clock.now(),
    );
    const [live] = await mortal.ports.products.listVersions(orgId, product.id, 1);
    const [shop] = (await mortal.ports.connections.list(orgId, 'storefront-a', mortal.clock.now())) ?? [];
    const deliveryId = await sendOrder(mortal, { sku: 'KEYS' });
    const fill = (text: string) =>
      text
        .replace('PRODUCT', product.id)
        .replace('VERSION', live?.id ?? '')
        .replace('MEMBER', member.userId)
        .replace('DELIVERY', deliveryId)
        .replace('SHOP', shop?.id ?? '');
    const press = () =>
      owner.submit(
        `${SETTINGS}/team`,
        fill(path),
        Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, fill(value)])),
      );

    const before = await readState(mortal, owner.userId);
    mortal.process.dies = true;
    expect((await press()).statusCode).toBe(500);
    expect(await readState(mortal, owner.userId)).toBe(before);

    mortal.process.dies = false;
    expect((await press()).statusCode).toBe(303);
    const [entry] = await mortal.ports.activity.list(orgId, { subjectId: null, before: null, limit: 1 });
    expect(entry?.actor).toBe(owner.email);
  },
);

describe('an upload in pieces', () => {
  async function openUpload() {
    const mortal = await openMortal();
    const version = await openVersion(mortal);
    const member = await mortal.signIn('member');
    const sender = await scriptHeaders(member, version);
    const path = await beginUpload(mortal, version, HELLO.length, {}, sender);
    const entries = async () =>
      (await mortal.ports.activity.list(mortal.shop.orgId, { subjectId: null, before: null, limit: 10 }))
        .filter(({ summary }) => summary.includes('felt.zip'))
        .map(({ id: _, at, ...entry }) => entry);
    const ofThePage = {
      kind: 'product-changed',
      subjectId: version.productId,
      summary: 'Pads: felt.zip added.',
      actor: member.email,
      via: 'dashboard',
    };
    return { it: mortal, version, sender, path, entries, ofThePage };
  }

  test('from a page of the dashboard leaves the same entry as the form', async () => {
    const { it, sender, path, entries, ofThePage } = await openUpload();
    await sendPiece(it, path, 0, HELLO.subarray(0, 5), sender);
    expect(await entries()).toEqual([]);
    expect((await sendPiece(it, path, 5, HELLO.subarray(5), sender)).statusCode).toBe(204);
    expect(await entries()).toEqual([ofThePage]);
    expect((await askAfter(it, path, sender)).headers).toHaveProperty('repr-digest');
    expect(await entries()).toEqual([ofThePage]);
  });

  test('from a page that was signed out elsewhere is told so, and not of API keys', async () => {
    const { it, sender, path } = await openUpload();
    const refused = await sendPiece(it, path, 0, HELLO, { ...sender, cookie: '' });
    expect([refused.statusCode, refused.json()]).toEqual([
      401,
      { error: 'You are signed out. Sign in again, and go on.' },
    ]);
  });

  test('with an API key leaves an entry too, which names the key', async () => {
    const { it, version, path, entries, ofThePage } = await openUpload();
    expect((await sendPiece(it, path, 0, HELLO)).statusCode).toBe(204);
    expect(await filesOf(it, version)).toHaveLength(1);
    const [owner] = await it.ports.team.list(it.shop.orgId);
    const viaDetail = it.ports.apiKeys.hint(it.shop.ownerKey);
    const ofTheKey = { ...ofThePage, actor: owner?.email, via: 'api-key', viaDetail };
    expect(await entries()).toEqual([ofTheKey]);
    expect((await askAfter(it, path)).headers).toHaveProperty('repr-digest');
    expect(await entries()).toEqual([ofTheKey]);
  });

  test('survives a crash together with its entry, or leaves neither until the next request', async () => {
    const { it, version, sender, path, entries, ofThePage } = await openUpload();
    it.process.dies = true;
    expect((await sendPiece(it, path, 0, HELLO, sender)).statusCode).toBe(500);
    expect([await filesOf(it, version), await entries()]).toEqual([[], []]);
    it.process.dies = false;
    const both = await Promise.all([askAfter(it, path, sender), askAfter(it, path, sender)]);
    for (const asked of both) expect(asked.headers).toHaveProperty('repr-digest');
    expect([(await filesOf(it, version)).length, await entries()]).toEqual([1, [ofThePage]]);
  });

  test('has one entry, even if the program ended right after it', async () => {
    const { it, version, sender, path, entries, ofThePage } = await openUpload();
    const { complete } = it.ports.uploads;
    it.ports.uploads.complete = () => Promise.reject(new Error('The process died here.'));
    expect((await sendPiece(it, path, 0, HELLO, sender)).statusCode).toBe(500);
    it.ports.uploads.complete = complete;
    expect((await askAfter(it, path, sender)).headers).toHaveProperty('repr-digest');
    expect([(await filesOf(it, version)).length, await entries()]).toEqual([1, [ofThePage]]);
  });
});
