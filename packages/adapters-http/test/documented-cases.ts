import { DomainError } from '@handover/domain';
import { signedSample, signForTest } from '@handover/platform-storefront-a/testing';
import type { InjectOptions } from 'fastify';
import { addUser } from './add-user.ts';
import { bearer, openTestShop, type TestShop } from './open-test-shop.ts';
import { beginUpload, metadata, openVersion, type TestVersion } from './open-upload.ts';
import { type DocumentedOperation, exampleRequest } from './read-document.ts';
import { recordedDelivery } from './recorded-delivery.ts';
import { sellPads } from './sell-pads.ts';
import { type SentEvent, signEvent } from './send-event.ts';
import { SALE, send } from './send-webhook.ts';

/** Brings an operation to answer with one status. */
export type Case = (operation: DocumentedOperation) => Promise<Answer>;
export type Answer = Awaited<ReturnType<TestShop['app']['inject']>>;

const UNKNOWN = '018f0000-0000-7000-8000-000000000000';

type Request = InjectOptions & { readonly headers?: Readonly<Record<string, string>> };
type Headers = Readonly<Record<string, string>>;
type Ids = Readonly<Record<string, string>>;

/** The owner of a new shop sends the document's own example, with ids of the shop and with changes. */
function asOwner(
  prepare: (it: TestShop) => Promise<Ids | undefined> = async () => undefined,
  change: Request = {},
): Case {
  return async (operation) => {
    const it = await openTestShop();
    const ids = { productId: it.shop.product.id, ...(await prepare(it)) };
    const request = exampleRequest(operation, ids);
    const headers = { ...bearer(it.shop.ownerKey), ...request.headers, ...change.headers };
    return it.app.inject({ ...request, ...change, headers });
  };
}

const withBody = (payload: object | string): Case => asOwner(undefined, { payload });
const withIds = (ids: Ids): Case => asOwner(async () => ids);
const withQuery =
  (query: string): Case =>
  (operation) =>
    asOwner(undefined, { url: `${exampleRequest(operation).url.split('?')[0]}?${query}` })(operation);

/** A version that takes files. */
async function prepareVersion(it: TestShop): Promise<{ readonly versionId: string; readonly at: string }> {
  const url = `/api/products/${it.shop.product.id}/versions`;
  const headers = bearer(it.shop.ownerKey);
  const { id } = (await it.app.inject({ method: 'POST', url, headers, payload: { version: '9.0' } })).json();
  return { versionId: id, at: `${url}/${id}` };
}

const activeVersion = async ({ shop }: TestShop) => ({ versionId: shop.version.id });

async function prepareFile(it: TestShop) {
  const { versionId, at } = await prepareVersion(it);
  const url = `${at}/files/felt.zip`;
  await it.app.inject({ method: 'PUT', url, headers: bearer(it.shop.ownerKey), payload: 'hello' });
  return { versionId };
}

async function deliver(it: TestShop) {
  return { deliveryId: (await recordedDelivery(it)).id };
}

/** Sends a sale like the example's, but of another amount. */
async function sellBefore(it: TestShop): Promise<undefined> {
  const form = new URLSearchParams({
    customerId: 'new',
    'newCustomer.name': 'Ana Lima',
    'newCustomer.email': 'ana@example.com',
    productId: it.shop.product.id,
    amount: '1.00',
    currency: 'EUR',
    paymentMethod: 'custom',
  });
  const headers = {
    ...bearer(it.shop.ownerKey),
    'content-type': 'application/x-www-form-urlencoded',
    'idempotency-key': 'order-1',
  };
  await it.app.inject({ method: 'POST', url: '/api/purchases', headers, payload: form.toString() });
  return undefined;
}

async function mapSku(it: TestShop): Promise<undefined> {
  await it.stores.skuMappings.put(it.shop.orgId, {
    sku: 'pad-1',
    platform: 'storefront-a',
    productId: it.shop.product.id,
  });
  return undefined;
}

/** Begins an upload of the document's own example, into a version that takes files. */
function upload(
  changes: Headers = {},
  prepare: (it: TestShop) => Promise<Headers> = async () => ({}),
  fails?: 'create',
): Case {
  return async (operation) => {
    const it = await openTestShop();
    if (fails) {
      const pieces = await it.ports.uploads.pieces();
      pieces.create = async () => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' }));
    }
    const own = { 'upload-metadata': metadata({ ...(await openVersion(it)), filename: 'felt.zip' }) };
    const { headers, ...request } = exampleRequest(operation);
    const merged = { ...headers, ...bearer(it.shop.ownerKey), ...own, ...changes, ...(await prepare(it)) };
    return it.app.inject({ ...request, headers: merged });
  };
}

/** Sends the document's own example of a piece to an upload that has just been begun. */
function piece(
  changes: Headers = {},
  prepare: (it: TestShop, version: TestVersion) => Promise<void> = async () => {},
  size = 5,
): Case {
  return async (operation) => {
    const it = await openTestShop();
    const version = await openVersion(it);
    const url = await beginUpload(it, version, size);
    await prepare(it, version);
    const { headers, ...request } = exampleRequest(operation);
    return it.app.inject({
      ...request,
      url,
      headers: { ...headers, ...bearer(it.shop.ownerKey), ...changes },
    });
  };
}

function webhook(change: (request: Request, it: TestShop) => Request, fails = false): Case {
  return async (operation) => {
    const it = await openTestShop(({ deliveries }) => ({
      deliveries: fails
        ? { ...deliveries, record: async () => Promise.reject(new Error('full')) }
        : deliveries,
    }));
    const { body, headers } = signedSample('test-secret', SALE);
    const { method, url } = exampleRequest(operation, { orgId: it.shop.orgId });
    return it.app.inject({ method, url, ...change({ headers, payload: Buffer.from(body) }, it) });
  };
}

function event(sent: SentEvent, change: (request: Request) => Request = (request) => request): Case {
  return webhook((_request, it) => change(signEvent(it, sent)));
}

function signed(body: Uint8Array): Request {
  return { headers: signForTest('test-secret', body), payload: Buffer.from(body) };
}

/** Opens the link of a sale, or its file. */
function link(
  find: 'works' | 'is unknown' | 'is expired' | 'is withdrawn' | 'fails' | 'hangs',
  change: Request = {},
): Case {
  return async (operation) => {
    const it = await sellPads(undefined, ({ links }) => ({
      links: {
        ...links,
        find:
          find === 'fails'
            ? async () => Promise.reject(new Error('broken'))
            : find === 'hangs'
              ? async () => Promise.reject(new DomainError('store-unavailable', 'gone'))
              : links.find,
      },
    }));
    if (find === 'is expired') it.clock.advance(48 * 60 * 60 * 1000);
    const token = find === 'is unknown' ? 'unknown' : it.token;
    const linkId = it.ports.tokens.open(it.token)?.linkId ?? '';
    if (find === 'is withdrawn') await it.stores.links.revoke(it.shop.orgId, linkId, it.clock.now());
    const ids = { token, orgId: it.shop.orgId, version: '1.0', fileName: 'pads.zip' };
    return it.app.inject({ ...exampleRequest(operation, ids), ...change });
  };
}

/** An order that came in by its webhook, so that its bytes hold it. */
async function receive(it: TestShop) {
  return { deliveryId: (await send(it)).json().deliveryId };
}

/** Presses the button of an expired page. */
function pressNewLink(
  find: 'works' | 'is unknown' | 'is expired' | 'is withdrawn' | 'fails' | 'hangs',
): Case {
  return async (operation) => {
    const it = await sellPads(
      (page) => ({ ...page, revokedAt: find === 'is withdrawn' ? new Date(0) : null }),
      ({ links }) =>
        find === 'fails' || find === 'hangs'
          ? { links: { ...links, find: () => Promise.reject(faultOf(find)) } }
          : {},
    );
    if (find !== 'works') it.clock.advance(48 * 60 * 60 * 1000);
    const token = find === 'is unknown' ? 'unknown' : it.token;
    return it.app.inject(exampleRequest(operation, { token }));
  };
}

const tooOften: Case = async (operation) => {
  const it = await sellPads();
  it.clock.advance(48 * 60 * 60 * 1000);
  const request = exampleRequest(operation, { token: it.token });
  for (let tried = 0; tried < 3; tried += 1) await it.app.inject(request);
  return it.app.inject(request);
};

/** Sends the form of /my. */
function askForAll(change: Request = {}, fault: 'fails' | 'hangs' | null = null): Case {
  return async (operation) => {
    const it = await openTestShop(({ linkMails }) =>
      fault ? { linkMails: { ...linkMails, requestAll: () => Promise.reject(faultOf(fault)) } } : {},
    );
    return it.app.inject({ ...exampleRequest(operation), ...change });
  };
}

function faultOf(fault: 'fails' | 'hangs'): Error {
  return fault === 'fails' ? new Error('broken') : new DomainError('store-unavailable', 'gone');
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

const plain: Case = async (operation) => (await openTestShop()).app.inject(exampleRequest(operation));

const LINK: Readonly<Record<number, Case>> = {
  200: link('works'),
  404: link('is unknown'),
  410: link('is expired'),
  500: link('fails'),
  503: link('hangs'),
};

const LARGE = JSON.stringify({ name: 'x'.repeat(1024 * 1024) });

/** How each documented status comes about, beside those that every route with a key has. */
export const CASES: Readonly<Record<string, Readonly<Record<number, Case>>>> = {
  listProducts: { 200: asOwner() },
  createProduct: {
    201: asOwner(),
    400: withBody({}),
    409: withBody({ name: 'x', slug: 'pads' }),
    413: withBody(LARGE),
    415: asOwner(undefined, { headers: { 'content-type': 'text/csv' } }),
  },
  updateProduct: {
    200: asOwner(),
    400: withBody({ status: 'gone' }),
    404: withIds({ productId: UNKNOWN }),
    409: async (operation) => {
      const addOther = async (it: TestShop) => {
        const headers = bearer(it.shop.ownerKey);
        const payload = { name: 'x', slug: 'other' };
        await it.app.inject({ method: 'POST', url: '/api/products', headers, payload });
        return undefined;
      };
      return asOwner(addOther, { payload: { slug: 'other' } })(operation);
    },
    413: withBody(LARGE),
    415: asOwner(undefined, { headers: { 'content-type': 'text/csv' } }),
  },
  createVersion: {
    201: asOwner(),
    400: withBody({ version: 'a b' }),
    404: withIds({ productId: UNKNOWN }),
    409: withBody({ version: '1.0' }),
    413: withBody(LARGE),
    415: asOwner(undefined, { headers: { 'content-type': 'text/csv' } }),
  },
  uploadFile: {
    201: asOwner(prepareVersion),
    400: asOwner(async (it) => ({ ...(await prepareVersion(it)), name: 'a/b' })),
    404: withIds({ versionId: UNKNOWN }),
    409: asOwner(activeVersion),
    507: async (operation) => {
      const full = async () => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' }));
      const it = await openTestShop(({ files }) => ({ files: { ...files, store: full } }));
      const { versionId } = await prepareVersion(it);
      const request = exampleRequest(operation, { productId: it.shop.product.id, versionId });
      return it.app.inject({ ...request, headers: { ...request.headers, ...bearer(it.shop.ownerKey) } });
    },
  },
  createUpload: {
    201: upload(),
    400: upload({ 'upload-metadata': 'filename' }),
    404: asOwner(),
    410: upload({}, async (it) => {
      const metadataOf = { productId: it.shop.product.id, versionId: it.shop.version.id, filename: 'a' };
      return { 'upload-metadata': metadata(metadataOf) };
    }),
    412: upload({ 'tus-resumable': '' }),
    507: upload({}, undefined, 'create'),
  },
  sendPiece: {
    204: piece(),
    400: piece({ 'upload-offset': 'x' }),
    404: asOwner(),
    409: piece({ 'upload-offset': '3' }),
    410: piece({}, async (it, version) => {
      const at = `/api/products/${version.productId}/versions/${version.versionId}`;
      const headers = bearer(it.shop.ownerKey);
      await it.app.inject({ method: 'PUT', url: `${at}/files/a`, headers, payload: 'a' });
      await it.app.inject({ method: 'POST', url: `${at}/activate`, headers });
    }),
    412: piece({ 'tus-resumable': '' }),
    413: piece({}, undefined, 3),
    507: piece({}, async ({ ports }) => {
      const pieces = await ports.uploads.pieces();
      pieces.write = async () => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' }));
    }),
  },
  deleteUpload: {
    204: piece(),
    404: asOwner(),
    412: piece({ 'tus-resumable': '' }),
  },
  activateVersion: {
    200: asOwner(prepareFile),
    404: withIds({ versionId: UNKNOWN }),
    409: asOwner(prepareVersion),
  },
  listPurchases: { 200: asOwner(deliver) },
  recordPurchase: {
    201: asOwner(),
    400: withBody('customerId=new'),
    404: withIds({ productId: UNKNOWN }),
    409: asOwner(sellBefore, { headers: { 'idempotency-key': 'order-1' } }),
    413: withBody('x'.repeat(70_000)),
    415: asOwner(undefined, { headers: { 'content-type': 'application/json' } }),
    422: asOwner(sellBefore),
  },
  reportDownloads: { 200: asOwner(), 400: withQuery('from=yesterday') },
  listDeliveries: { 200: asOwner(deliver, { url: '/api/deliveries' }), 400: withQuery('limit=0') },
  readDelivery: { 200: asOwner(deliver), 404: withIds({ deliveryId: UNKNOWN }) },
  redeliver: {
    200: asOwner(receive),
    404: withIds({ deliveryId: UNKNOWN }),
    // An entry whose bytes hold no order.
    409: asOwner(deliver),
  },
  listSkuMappings: { 200: asOwner(mapSku) },
  putSkuMapping: {
    200: asOwner(),
    400: withBody({}),
    404: withIds({ productId: UNKNOWN }),
    413: withBody(LARGE),
    415: asOwner(undefined, { headers: { 'content-type': 'text/csv' } }),
  },
  deleteSkuMapping: { 204: asOwner(mapSku), 400: withQuery('platform=none'), 404: asOwner() },
  receiveStorefrontA: {
    200: webhook((request) => request),
    400: webhook(() => signed(new TextEncoder().encode('{"id":'))),
    401: webhook((request) => ({ ...request, headers: {} })),
    404: webhook((request) => ({ ...request, url: `/webhooks/${UNKNOWN}/storefront-a` })),
    413: webhook(() => signed(Buffer.alloc(5 * 1024 * 1024 + 1))),
    503: webhook((request) => request, true),
  },
  receivePaymentsA: {
    // One that is kept for nobody: its answer says the most.
    200: event({ event: { account: 'acct_1', type: 'charge.refunded' } }),
    400: event({ event: { type: undefined } }),
    401: event({ secret: 'whsec_other' }),
    413: event({}, (request) => ({ ...request, payload: Buffer.alloc(5 * 1024 * 1024 + 1) })),
    503: webhook((_request, it) => signEvent(it), true),
  },
  openDownloadPage: LINK,
  downloadFile: {
    ...LINK,
    206: link('works', { headers: { range: 'bytes=1-2' } }),
    302: async (operation) => {
      const it = await sellPads(undefined, ({ files }) => ({
        files: { ...files, presign: async () => 'https://s3.example.com/felt' },
      }));
      return it.app.inject(
        exampleRequest(operation, { token: it.token, version: '1.0', fileName: 'pads.zip' }),
      );
    },
    304: link('works', { headers: { 'if-none-match': '*' } }),
    412: link('works', { headers: { 'if-match': '"other"' } }),
    416: link('works', { headers: { range: 'bytes=5-' } }),
  },
  readProgress: { ...LINK, 410: link('is withdrawn') },
  completeDownload: {
    ...LINK,
    400: link('works', { payload: '{}' }),
    410: link('is withdrawn'),
    413: link('works', { payload: 'x'.repeat(9000) }),
    415: link('works', { headers: { 'content-type': 'text/csv' } }),
  },
  requestNewLink: {
    200: pressNewLink('is expired'),
    303: pressNewLink('works'),
    404: pressNewLink('is unknown'),
    410: pressNewLink('is withdrawn'),
    429: tooOften,
    500: pressNewLink('fails'),
    503: pressNewLink('hangs'),
  },
  openMyPage: { 200: plain },
  requestMyLinks: {
    200: askForAll(),
    400: askForAll({ payload: 'email=nobody', headers: FORM }),
    413: askForAll({ payload: `email=${'x'.repeat(5000)}`, headers: FORM }),
    415: askForAll({ payload: '{}', headers: { 'content-type': 'application/json' } }),
    429: tooOften,
    500: askForAll({}, 'fails'),
    503: askForAll({}, 'hangs'),
  },
  checkHealth: { 200: plain },
  checkReadiness: {
    200: plain,
    503: async (operation) => {
      const it = await openTestShop(() => ({ database: { answers: async () => false } }));
      return it.app.inject(exampleRequest(operation));
    },
  },
  readOpenApi: { 200: plain },
  readReference: { 200: plain },
};

/** What every route with a key may answer, whatever it does. */
export const KEY_CASES: Readonly<Record<number, Case>> = {
  401: plain,
  403: async (operation) => {
    const it = await openTestShop();
    const { headers, ...request } = exampleRequest(operation);
    return it.app.inject({ ...request, headers: { ...headers, ...bearer(await addUser(it, null)) } });
  },
  500: withFailingStore(() => new Error('broken')),
  503: withFailingStore(() => new DomainError('store-unavailable', 'gone')),
};

function withFailingStore(fail: () => Error): Case {
  return async (operation) => {
    const it = await openTestShop(({ users }) => ({
      users: { ...users, findByKeyHash: async () => Promise.reject(fail()) },
    }));
    const { headers, ...request } = exampleRequest(operation);
    return it.app.inject({ ...request, headers: { ...headers, ...bearer(it.shop.ownerKey) } });
  };
}
