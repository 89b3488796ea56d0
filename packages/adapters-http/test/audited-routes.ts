import { addVersionFile } from '@handover/domain';
import { sendsEmail } from '@handover/domain/testing';
import { signedSample } from '@handover/platform-storefront-a/testing';
import type { LightMyRequestResponse } from 'fastify';
import { sendOrder } from './fill-log.ts';
import { hiddenFieldsOf, type OpenedDashboard, scriptTokenOf } from './open-dashboard.ts';
import { bearer } from './open-test-shop.ts';
import { beginUpload, HELLO, openVersion, sendPiece, type TestVersion, versionPath } from './open-upload.ts';
import { sellByHand } from './sell-by-hand.ts';
import { asUrlencoded, rawMultipart, saleFields } from './send-form.ts';
import { SALE, send } from './send-webhook.ts';

/** A shop with its owner signed in, who has an API key, too. */
export interface Audited extends OpenedDashboard {
  readonly owner: Awaited<ReturnType<OpenedDashboard['signIn']>>;
}

/** Makes ready what a route changes, and answers with the request that changes it. */
export type Prepare = (it: Audited) => Promise<() => Promise<LightMyRequestResponse>>;

/** Routes that write no entry, each with the reason. */
export const ROUTES_WITHOUT_ENTRY: Readonly<Record<string, string>> = {
  'POST /api/uploads':
    'Only announces a file. The entry is written when all of it is there and it becomes a file.',
  'DELETE /api/uploads/{uploadId}': 'Gives up what is no file of a version yet. A file that is one stays.',
  'POST /dashboard/sign-in':
    'Mails a link, which lets nobody in by itself. Using it, and being refused, have entries.',
  'POST /dashboard/settings/integrations/{platform}/test-order':
    'Sends a signed order to our own webhook: what comes of it is in the webhook log.',
};

const inject =
  (it: Audited, method: 'POST' | 'PUT' | 'DELETE', url: string, rest: object = {}) =>
  () =>
    it.app.inject({ method, url, headers: bearer(it.shop.ownerKey), ...rest });

const productOf = ({ shop }: Audited) => `/dashboard/products/${shop.product.id}`;

const submit =
  (path: (it: Audited) => string | Promise<string>, fields: Readonly<Record<string, string>> = {}): Prepare =>
  async (it) => {
    const to = await path(it);
    return () => it.owner.submit('/dashboard/settings/team', to, { ...fields });
  };

async function withFile(it: Audited): Promise<TestVersion> {
  const version = await openVersion(it);
  const place = { orgId: it.shop.orgId, ...version, name: 'a.zip' };
  await addVersionFile(
    it.ports,
    place,
    (async function* () {
      yield HELLO;
    })(),
  );
  return version;
}

async function purchaseOf(it: Audited): Promise<string> {
  await sellByHand(it);
  for await (const { id } of it.stores.purchases.list(it.shop.orgId)) return id;
  throw new Error('Nothing was sold.');
}

async function setStatus(it: Audited, status: 'draft' | 'published'): Promise<string> {
  await it.ports.products.change(it.shop.orgId, it.shop.product.id, { status }, it.clock.now());
  return productOf(it);
}

const waitingSku = async (it: Audited, path: string) => {
  await sendOrder(it, { sku: 'KEYS' });
  return path;
};

export const INVITED = 'jo@example.org';

async function invite(it: Audited): Promise<string> {
  await it.owner.submit(TEAM, `${TEAM}/invite`, { email: INVITED, name: 'Jo', role: 'member' });
  return (await it.ports.invitations.list(it.shop.orgId))[0]?.id ?? '';
}

async function memberOf(it: Audited): Promise<string> {
  return `/dashboard/settings/team/${(await it.signIn('member')).userId}`;
}

async function downloadOf(it: Audited): Promise<string> {
  const { linkId } = await sellByHand(it);
  const request = {
    sessionId: it.ports.ids.next(),
    joining: null,
    client: 'browser',
    at: it.clock.now(),
  } as const;
  return `/dashboard/downloads/${await it.ports.sessions.begin(it.shop.orgId, linkId, request)}`;
}

const TEAM = '/dashboard/settings/team';
const SHOPIFY = '/dashboard/settings/integrations/storefront-a';

/** A change that succeeds, for every route that changes something. */
export const AUDITED_ROUTES: Readonly<Record<string, Prepare>> = {
  'POST /api/products': async (it) =>
    inject(it, 'POST', '/api/products', { payload: { name: 'Keys', slug: 'keys' } }),
  'PUT /api/products/{productId}': async (it) =>
    inject(it, 'PUT', `/api/products/${it.shop.product.id}`, { payload: { name: 'Renamed' } }),
  'POST /api/products/{productId}/versions': async (it) =>
    inject(it, 'POST', `/api/products/${it.shop.product.id}/versions`, { payload: { version: '9.0' } }),
  'PUT /api/products/{productId}/versions/{versionId}/files/{name}': async (it) =>
    inject(it, 'PUT', `${versionPath(await openVersion(it))}/files/b.zip`, { payload: 'bytes' }),
  'POST /api/products/{productId}/versions/{versionId}/activate': async (it) =>
    inject(it, 'POST', `${versionPath(await withFile(it))}/activate`),
  'PATCH /api/uploads/{uploadId}': async (it) => {
    const version = await openVersion(it);
    const path = await beginUpload(it, version, HELLO.length);
    return () => sendPiece(it, path, 0, HELLO);
  },
  'POST /api/download-links/{linkId}/revoke': async (it) =>
    inject(it, 'POST', `/api/download-links/${(await sellByHand(it)).linkId}/revoke`),
  'POST /api/download-links/{linkId}/restore': async (it) => {
    const links = `/api/download-links/${(await sellByHand(it)).linkId}`;
    await inject(it, 'POST', `${links}/revoke`)();
    return inject(it, 'POST', `${links}/restore`);
  },
  'POST /api/purchases': async (it) => {
    const { headers, payload } = asUrlencoded(saleFields(it));
    return inject(it, 'POST', '/api/purchases', {
      payload,
      headers: { ...headers, ...bearer(it.shop.ownerKey) },
    });
  },
  'PUT /api/sku-mappings/{sku}': async (it) =>
    inject(it, 'PUT', '/api/sku-mappings/PADS-9', { payload: { productId: it.shop.product.id } }),
  'DELETE /api/sku-mappings/{sku}': async (it) => {
    await it.ports.skuMappings.put(it.shop.orgId, { sku: 'pads-9', platform: null, productId: null });
    return inject(it, 'DELETE', '/api/sku-mappings/PADS-9');
  },
  'POST /api/deliveries/{deliveryId}/redeliver': async (it) =>
    inject(it, 'POST', `/api/deliveries/${await sendOrder(it, { sku: 'KEYS' })}/redeliver`),

  'POST /dashboard/sign-in/{token}': async (it) => {
    await it.signedInUser().post('/dashboard/sign-in', { email: it.owner.email });
    const [job] = (await it.stores.queuedJobs()).filter(sendsEmail('sign-in'));
    const id = job?.kind === 'send-email' ? job.emailId : '';
    return () => it.signedInUser().post(`/dashboard/sign-in/sign-in-${id}`);
  },
  'POST /dashboard/sign-out': submit(() => '/dashboard/sign-out'),
  'POST /dashboard/sign-out-everywhere': submit(() => '/dashboard/sign-out-everywhere'),
  'POST /dashboard/products/new': submit(() => '/dashboard/products/new', { name: 'Keys' }),
  'POST /dashboard/products/{productId}/details': submit((it) => `${productOf(it)}/details`, {
    name: 'New',
    slug: 'new',
  }),
  'POST /dashboard/products/{productId}/publish': submit(
    async (it) => `${await setStatus(it, 'draft')}/publish`,
  ),
  'POST /dashboard/products/{productId}/unpublish': submit((it) => `${productOf(it)}/unpublish`),
  'POST /dashboard/products/{productId}/archive': submit((it) => `${productOf(it)}/archive`),
  'POST /dashboard/products/{productId}/deliver': submit(
    async (it) => `${await setStatus(it, 'draft')}/deliver`,
  ),
  'POST /dashboard/products/{productId}/versions': submit((it) => `${productOf(it)}/versions`, {
    version: '9.0',
  }),
  'POST /dashboard/products/{productId}/versions/{versionId}/files': async (it) => {
    const { versionId } = await openVersion(it);
    const token = await scriptTokenOf(it.owner, productOf(it));
    const part = (disposition: string, text: string) =>
      `--form\r\ncontent-disposition: form-data; ${disposition}\r\n\r\n${text}\r\n`;
    const body = `${part('name="form-token"', token)}${part('name="file"; filename="b.zip"', 'bytes')}--form--\r\n`;
    const { headers, payload } = rawMultipart(Buffer.from(body), 'form');
    const { cookies } = it.owner;
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    return () =>
      it.app.inject({
        method: 'POST',
        url: `${productOf(it)}/versions/${versionId}/files`,
        headers: { ...headers, cookie, 'sec-fetch-site': 'same-origin' },
        payload,
      });
  },
  'POST /dashboard/products/{productId}/versions/{versionId}/make-live': submit(
    async (it) => `${productOf(it)}/versions/${(await withFile(it)).versionId}/make-live`,
  ),
  'POST /dashboard/products/{productId}/skus': submit((it) => `${productOf(it)}/skus`, { sku: 'PADS-9' }),
  'POST /dashboard/products/{productId}/skus/remove': async (it) => {
    const productId = it.shop.product.id;
    await it.ports.skuMappings.put(it.shop.orgId, { sku: 'pads-9', platform: null, productId });
    return submit(() => `${productOf(it)}/skus/remove`, { sku: 'pads-9' })(it);
  },
  'POST /dashboard/purchases/record': async (it) => {
    const sale = {
      email: 'ana@example.com',
      name: 'Ana',
      amount: '49.00',
      currency: 'EUR',
      paymentMethod: 'cash',
    };
    return submit(() => '/dashboard/purchases/record', { ...sale, key: 'k', productId: it.shop.product.id })(
      it,
    );
  },
  'POST /dashboard/purchases/unmatched/map': async (it) =>
    submit(() => waitingSku(it, '/dashboard/purchases/unmatched/map'), {
      sku: 'KEYS',
      productId: it.shop.product.id,
    })(it),
  'POST /dashboard/purchases/unmatched/not-ours': submit(
    (it) => waitingSku(it, '/dashboard/purchases/unmatched/not-ours'),
    { sku: 'KEYS' },
  ),
  'POST /dashboard/purchases/{purchaseId}/resend': async (it) => {
    const page = `/dashboard/purchases/${await purchaseOf(it)}/resend`;
    const fields = hiddenFieldsOf((await it.owner.get(page)).body);
    return () => it.owner.post(page, fields);
  },
  'POST /dashboard/purchases/{purchaseId}/address': submit(
    async (it) => `/dashboard/purchases/${await purchaseOf(it)}/address`,
    { email: 'ana@example.org' },
  ),
  'POST /dashboard/purchases/{purchaseId}/revoke': submit(
    async (it) => `/dashboard/purchases/${await purchaseOf(it)}/revoke`,
  ),
  'POST /dashboard/purchases/{purchaseId}/restore': async (it) => {
    const page = `/dashboard/purchases/${await purchaseOf(it)}`;
    await it.owner.submit(page, `${page}/revoke`);
    return submit(() => `${page}/restore`)(it);
  },
  'POST /dashboard/downloads/{sessionId}/revoke': submit(async (it) => `${await downloadOf(it)}/revoke`),
  'POST /dashboard/downloads/{sessionId}/restore': async (it) => {
    const page = await downloadOf(it);
    await it.owner.submit(page, `${page}/revoke`);
    return submit(() => `${page}/restore`)(it);
  },
  'POST /dashboard/webhook-log/{deliveryId}/redeliver': submit(
    async (it) => `/dashboard/webhook-log/${await sendOrder(it, { sku: 'KEYS' })}/redeliver`,
  ),
  'POST /dashboard/settings/integrations/{platform}/secret': submit(() => `${SHOPIFY}/secret`, {
    name: 'EU',
    secret: 'a'.repeat(32),
  }),
  'POST /dashboard/settings/integrations/{platform}/rules': async (it) => {
    const [shop] = await it.ports.connections.listFacts(it.shop.orgId, it.clock.now());
    return submit(() => `${SHOPIFY}/rules`, { shop: shop?.id ?? '', defaultCurrency: 'GBP' })(it);
  },
  'POST /dashboard/settings/integrations/{platform}/rejected': async (it) => {
    await send(it, signedSample('another-secret', SALE));
    const [shop] = await it.ports.connections.listFacts(it.shop.orgId, it.clock.now());
    const fields = { shop: shop?.id ?? '', secret: 'another-secret', action: 'replace' };
    await it.owner.submit(SHOPIFY, `${SHOPIFY}/secret`, fields);
    return submit(() => `${SHOPIFY}/rejected`)(it);
  },
  'POST /dashboard/settings/team/invite': submit(() => `${TEAM}/invite`, {
    email: 'jo@example.org',
    role: 'member',
  }),
  'POST /dashboard/settings/team/invitations/{invitationId}/resend': submit(
    async (it) => `${TEAM}/invitations/${await invite(it)}/resend`,
  ),
  'POST /dashboard/settings/team/invitations/{invitationId}/withdraw': submit(
    async (it) => `${TEAM}/invitations/${await invite(it)}/withdraw`,
  ),
  'POST /dashboard/invitations/{token}': async (it) => {
    const { pathname } = new URL(it.ports.invitationTokens.url(it.shop.orgId, await invite(it)));
    return () => it.signedInUser().post(pathname);
  },
  'POST /dashboard/settings/team/{userId}/role': submit(async (it) => `${await memberOf(it)}/role`, {
    role: 'admin',
  }),
  'POST /dashboard/settings/team/{userId}/remove': submit(async (it) => `${await memberOf(it)}/remove`),
  'POST /dashboard/settings/organisation/mails': submit(() => '/dashboard/settings/organisation/mails', {
    name: 'Lumen',
    email: 'a@b.test',
  }),
  'POST /dashboard/settings/organisation/currency': submit(
    () => '/dashboard/settings/organisation/currency',
    {
      defaultCurrency: 'CHF',
    },
  ),
  'POST /dashboard/settings/organisation/alerts': submit(() => '/dashboard/settings/organisation/alerts', {
    alertEmail: 'ops@example.org',
  }),
  'POST /dashboard/settings/api-key/refresh': submit(() => '/dashboard/settings/api-key/refresh'),
};
