import { issueSignInLink, redeemSignIn } from '@handover/domain';
import { signedSample } from '@handover/platform-storefront-a/testing';
import { sendsEmail } from '@handover/testkit';
import { type Audited, type Prepare, submit } from './audited.ts';
import { AUDITED_API_ROUTES, withFile } from './audited-api-routes.ts';
import { AUDITED_NEEDS } from './audited-needs.ts';
import { AUDITED_SALES } from './audited-sales.ts';
import { sendOrder } from './fill-log.ts';
import { scriptTokenOf } from './open-dashboard.ts';
import { openVersion } from './open-upload.ts';
import { sellByHand } from './sell-by-hand.ts';
import { rawMultipart } from './send-form.ts';
import { SALE, send } from './send-webhook.ts';

const productOf = ({ shop }: Audited) => `/dashboard/products/${shop.product.id}`;

async function setStatus(audited: Audited, status: 'draft' | 'published'): Promise<string> {
  await audited.ports.products.change(
    audited.shop.orgId,
    audited.shop.product.id,
    { status },
    audited.clock.now(),
  );
  return productOf(audited);
}

export const INVITED = 'jo@example.org';

async function invite(audited: Audited): Promise<string> {
  await audited.owner.submit(TEAM, `${TEAM}/invite`, { email: INVITED, name: 'Jo', role: 'member' });
  return (await audited.ports.invitations.list(audited.shop.orgId))[0]?.id ?? '';
}

const SECURITY = '/dashboard/settings/security';

/** Begins another session of the owner, and answers with its hash. */
async function otherSession({ ports, owner, clock }: Audited): Promise<string> {
  const issued = await issueSignInLink(ports, owner.email);
  const token = issued.kind === 'issued' ? (issued.url.split('/').at(-1) ?? '') : '';
  const redeemed = await redeemSignIn(ports, token, 'Firefox');
  const hash = redeemed.kind === 'signed-in' ? ports.sessionTokens.hash(redeemed.sessionToken) : null;
  const sessions = await ports.userSessions.list(owner.userId, clock.now());
  return sessions.find((session) => session.hash === hash)?.hash ?? '';
}

async function memberOf(audited: Audited): Promise<string> {
  return `/dashboard/settings/team/${(await audited.signIn('member')).userId}`;
}

async function downloadOf(audited: Audited): Promise<string> {
  const { linkId } = await sellByHand(audited);
  const request = {
    sessionId: audited.ports.ids.next(),
    joining: null,
    client: 'browser',
    at: audited.clock.now(),
  } as const;
  return `/dashboard/downloads/${await audited.ports.sessions.begin(audited.shop.orgId, linkId, request)}`;
}

const TEAM = '/dashboard/settings/team';
const SHOPIFY = '/dashboard/settings/integrations/storefront-a';

/** A change that succeeds, for every route that changes something. */
export const AUDITED_ROUTES: Readonly<Record<string, Prepare>> = {
  ...AUDITED_API_ROUTES,
  ...AUDITED_NEEDS,
  ...AUDITED_SALES,

  'POST /dashboard/sign-in/{token}': async (opened) => {
    await opened.signedInUser().post('/dashboard/sign-in', { email: opened.owner.email });
    const [job] = (await opened.stores.queuedJobs()).filter(sendsEmail('sign-in'));
    const id = job?.kind === 'send-email' ? job.emailId : '';
    return () => opened.signedInUser().post(`/dashboard/sign-in/sign-in-${id}`);
  },
  'POST /dashboard/sign-out': submit(() => '/dashboard/sign-out'),
  'POST /dashboard/sign-out-everywhere': submit(() => '/dashboard/sign-out-everywhere'),
  'POST /dashboard/products/new': submit(() => '/dashboard/products/new', { name: 'Keys' }),
  'POST /dashboard/products/{productId}/details': submit((opened) => `${productOf(opened)}/details`, {
    name: 'New',
    slug: 'new',
  }),
  'POST /dashboard/products/{productId}/publish': submit(
    async (opened) => `${await setStatus(opened, 'draft')}/publish`,
  ),
  'POST /dashboard/products/{productId}/unpublish': submit((opened) => `${productOf(opened)}/unpublish`),
  'POST /dashboard/products/{productId}/archive': submit((opened) => `${productOf(opened)}/archive`),
  'POST /dashboard/products/{productId}/deliver': submit(
    async (opened) => `${await setStatus(opened, 'draft')}/deliver`,
  ),
  'POST /dashboard/products/{productId}/versions': submit((opened) => `${productOf(opened)}/versions`, {
    version: '9.0',
  }),
  'POST /dashboard/products/{productId}/versions/{versionId}/files': async (opened) => {
    const { versionId } = await openVersion(opened);
    const token = await scriptTokenOf(opened.owner, productOf(opened));
    const part = (disposition: string, text: string) =>
      `--form\r\ncontent-disposition: form-data; ${disposition}\r\n\r\n${text}\r\n`;
    const body = `${part('name="form-token"', token)}${part('name="file"; filename="b.zip"', 'bytes')}--form--\r\n`;
    const { headers, payload } = rawMultipart(Buffer.from(body), 'form');
    const { cookies } = opened.owner;
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    return () =>
      opened.app.inject({
        method: 'POST',
        url: `${productOf(opened)}/versions/${versionId}/files`,
        headers: { ...headers, cookie, 'sec-fetch-site': 'same-origin' },
        payload,
      });
  },
  'POST /dashboard/products/{productId}/versions/{versionId}/file': submit(
    async (opened) => `${productOf(opened)}/versions/${(await withFile(opened)).versionId}/file`,
    { action: 'save', name: 'a.zip', displayName: 'Windows' },
  ),
  'POST /dashboard/products/{productId}/versions/{versionId}/make-live': submit(
    async (opened) => `${productOf(opened)}/versions/${(await withFile(opened)).versionId}/make-live`,
  ),
  'POST /dashboard/products/{productId}/undo': submit((opened) => `${productOf(opened)}/undo`, {
    'now-status': 'published',
    'former-status': 'draft',
  }),
  'POST /dashboard/products/{productId}/skus': submit((opened) => `${productOf(opened)}/skus`, {
    sku: 'PADS-9',
  }),
  'POST /dashboard/products/{productId}/skus/remove': async (opened) => {
    const productId = opened.shop.product.id;
    await opened.ports.skuMappings.put(opened.shop.orgId, { sku: 'pads-9', platform: null, productId });
    return submit(() => `${productOf(opened)}/skus/remove`, { sku: 'pads-9' })(opened);
  },
  'POST /dashboard/downloads/{sessionId}/revoke': submit(
    async (opened) => `${await downloadOf(opened)}/revoke`,
  ),
  'POST /dashboard/downloads/{sessionId}/restore': async (opened) => {
    const page = await downloadOf(opened);
    await opened.owner.submit(page, `${page}/revoke`);
    return submit(() => `${page}/restore`)(opened);
  },
  'POST /dashboard/webhook-log/deliver': async (opened) => {
    const id = await sendOrder(opened, { sku: 'KEYS' });
    const entry = await opened.ports.deliveries.open(opened.shop.orgId, id);
    return submit(() => '/dashboard/webhook-log/deliver', { id: `${id}:${entry?.attempts}` })(opened);
  },
  'POST /dashboard/webhook-log/{deliveryId}/redeliver': submit(
    async (opened) => `/dashboard/webhook-log/${await sendOrder(opened, { sku: 'KEYS' })}/redeliver`,
  ),
  'POST /dashboard/settings/integrations/{platform}/secret': submit(() => `${SHOPIFY}/secret`, {
    name: 'EU',
    secret: 'a'.repeat(32),
  }),
  'POST /dashboard/settings/integrations/{platform}/rules': async (opened) => {
    const [shop] = await opened.ports.connections.listFacts(opened.shop.orgId, opened.clock.now());
    return submit(() => `${SHOPIFY}/rules`, { shop: shop?.id ?? '', defaultCurrency: 'GBP' })(opened);
  },
  'POST /dashboard/settings/integrations/{platform}/rejected': async (opened) => {
    await send(opened, signedSample('another-secret', SALE));
    const [shop] = await opened.ports.connections.listFacts(opened.shop.orgId, opened.clock.now());
    const fields = { shop: shop?.id ?? '', secret: 'another-secret', action: 'replace' };
    await opened.owner.submit(SHOPIFY, `${SHOPIFY}/secret`, fields);
    return submit(() => `${SHOPIFY}/rejected`, { action: 'deliver' })(opened);
  },
  'POST /dashboard/settings/team/invite': submit(() => `${TEAM}/invite`, {
    email: 'jo@example.org',
    role: 'member',
  }),
  'POST /dashboard/settings/team/invitations/{invitationId}/resend': submit(
    async (opened) => `${TEAM}/invitations/${await invite(opened)}/resend`,
  ),
  'POST /dashboard/settings/team/invitations/{invitationId}/withdraw': submit(
    async (opened) => `${TEAM}/invitations/${await invite(opened)}/withdraw`,
  ),
  'POST /dashboard/invitations/{token}': async (opened) => {
    const { pathname } = new URL(opened.ports.invitationTokens.url(opened.shop.orgId, await invite(opened)));
    return () => opened.signedInUser().post(pathname);
  },
  'POST /dashboard/settings/team/{userId}/role': submit(async (opened) => `${await memberOf(opened)}/role`, {
    role: 'admin',
  }),
  'POST /dashboard/settings/team/{userId}/remove': submit(
    async (opened) => `${await memberOf(opened)}/remove`,
  ),
  'POST /dashboard/settings/organisation/mails': submit(() => '/dashboard/settings/organisation/mails', {
    name: 'Lumen',
    email: 'a@b.test',
  }),
  'POST /dashboard/settings/organisation/language': submit(
    () => '/dashboard/settings/organisation/language',
    { language: 'de', timeZone: 'Europe/Berlin' },
  ),
  'POST /dashboard/settings/organisation/currency': submit(
    () => '/dashboard/settings/organisation/currency',
    {
      defaultCurrency: 'CHF',
    },
  ),
  'POST /dashboard/settings/organisation/alerts': submit(() => '/dashboard/settings/organisation/alerts', {
    alertEmail: 'ops@example.org',
  }),
  'POST /dashboard/settings/api-key/new': submit(() => '/dashboard/settings/api-key/new', {
    name: 'Export',
    access: 'all',
  }),
  'POST /dashboard/settings/api-key/replace': submit(() => '/dashboard/settings/api-key/replace', {
    name: 'default',
  }),
  'POST /dashboard/passkeys/remove': async (opened) => {
    const { ports, owner, clock } = opened;
    const values = { publicKey: '', counter: 0, transports: [], createdAt: clock.now(), lastUsedAt: null };
    await ports.passkeys.add({ id: 'passkey', userId: owner.userId, name: 'MacBook', ...values });
    return () => owner.submit(SECURITY, '/dashboard/passkeys/remove', { passkey: 'passkey' });
  },
  'POST /dashboard/settings/security/end': async (opened) => {
    const session = await otherSession(opened);
    return () => opened.owner.submit(SECURITY, `${SECURITY}/end`, { session });
  },
  'POST /dashboard/settings/security/end-others': async (opened) => {
    await otherSession(opened);
    return () => opened.owner.submit(SECURITY, `${SECURITY}/end-others`);
  },
  'POST /dashboard/settings/security/leave': submit(() => `${SECURITY}/leave`),
  'POST /dashboard/settings/api-key/revoke': submit(() => '/dashboard/settings/api-key/revoke', {
    name: 'default',
  }),
};
