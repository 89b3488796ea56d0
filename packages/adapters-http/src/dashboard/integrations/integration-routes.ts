import {
  countGenuineRejected,
  listSharedSecrets,
  type Platform,
  type PlatformState,
  type RejectedReader,
  readConnectionStates,
  runAuditedAction,
  SHARED_PLATFORM,
  setConnectionRules,
} from '@handover/domain';
import type { HttpOptions, HttpPorts } from '../../http-ports.ts';
import { type Answer, action, type DashboardRequest, type DashboardRoute, page } from '../dashboard-route.ts';
import { formatOrderId } from '../parts/platform.ts';
import { isOperator } from '../settings/installation-report.ts';
import { chooseFirst } from './platform-list.ts';
import { integrationsPage, type PlatformView, platformPage } from './platform-page.ts';
import { rejectedRoutes } from './rejected-routes.ts';
import { formatRules, readRulesForm } from './rules-card.ts';
import type { SampleSent } from './sample-orders.ts';
import { offerSecret, setSecret } from './set-secret.ts';

type Ports = Pick<
  HttpPorts,
  | 'clock'
  | 'connections'
  | 'dismissals'
  | 'ids'
  | 'inTransaction'
  | 'platforms'
  | 'products'
  | 'rejected'
  | 'sampleOrders'
  | 'sharedSecrets'
  | 'signingSecrets'
>;

type Options = Pick<HttpOptions, 'siteUrl' | 'platforms' | 'sharedPlatform' | 'doctor'>;

const ROOT = '/dashboard/settings/integrations';
/** The maximum for a select list. */
const OFFERED_PRODUCTS = 100;

/** Platforms and shops: their state, secrets and rules, a test order, and rejected requests. */
export function integrationRoutes(
  ports: Ports,
  options: Options,
  rejectedReader: RejectedReader,
): readonly DashboardRoute[] {
  const withReader = { ...ports, rejectedReader };

  /** Loads a platform's page for the shop with that id; null if the organisation has no such shop. */
  const load = async (
    context: DashboardRequest,
    shop: string | null,
    choose: (states: readonly PlatformState[], serviceIsSetUp: boolean) => PlatformState | undefined,
  ): Promise<PlatformView | null> => {
    const { orgId } = context;
    const [states, serviceSecrets, found] = await Promise.all([
      readConnectionStates(ports, orgId),
      listSharedSecrets(ports, options.sharedPlatform, context.now),
      ports.products.search(orgId, { text: '', status: 'published', before: null, limit: OFFERED_PRODUCTS }),
    ]);
    const serviceIsSetUp = serviceSecrets.length > 0;
    const state = choose(states, serviceIsSetUp);
    const connection = shop ? state?.connections.find(({ id }) => id === shop) : pickFirst(state);
    if (!state || connection === undefined) return null;
    const { platform } = state;
    const webhook = options.platforms.find(({ label }) => label === platform);
    return {
      orgId,
      csrfToken: context.csrfToken,
      now: context.now,
      platforms: ports.platforms,
      states,
      state,
      connection,
      webhookUrl: addressOf(options.siteUrl, orgId, platform),
      offer: offerSecret(ports, context, state, connection),
      serviceIsSetUp,
      isOperator: isOperator(options.doctor, context.user),
      genuine: state.rejected ? await countGenuineRejected(withReader, orgId, platform) : 0,
      products: found.map(({ product }) => product),
      contentTemplate: webhook?.contentTemplate ?? null,
      shopName: state.connections.length === 0 ? 'main' : '',
      typedCurrency: null,
      problems: {},
    };
  };

  const withView = async (
    context: DashboardRequest<'platform'>,
    shop: string | null,
    answer: (view: PlatformView) => Promise<Answer>,
  ): Promise<Answer> => {
    const view = await load(context, shop, (states) =>
      states.find(({ platform }) => platform === context.params.platform),
    );
    return view ? answer(view) : { kind: 'not-found' };
  };

  return [
    page('/settings/integrations', 'admin', async (context) => {
      const view = await load(context, null, chooseFirst);
      return view ? integrationsPage(view) : { kind: 'not-found' };
    }),

    page('/settings/integrations/:platform', 'admin', async (context) =>
      withView(context, context.query.get('shop'), async (view) =>
        platformPage(context.query.has('new') ? withNewShop(ports, context, view) : view),
      ),
    ),

    action(
      '/settings/integrations/:platform/secret',
      'admin',
      async (context, form) =>
        withView(context, form.get('shop'), (view) => setSecret(ports, context, view, form)),
      { needsFreshSignIn: true },
    ),

    action('/settings/integrations/:platform/rules', 'admin', async (context, form) =>
      withView(context, form.get('shop'), async (view) => {
        const { connection, state } = view;
        if (!connection) return { kind: 'not-found' };
        const rules = readRulesForm(form);
        const { platform } = state;
        const change = { orgId: context.orgId, platform, name: connection.name, rules };
        const result = await runAuditedAction(
          ports,
          context,
          (within) => setConnectionRules(within, change),
          (changed) => {
            if (changed.kind !== 'set' || !changed.isChanged) return null;
            const summary = `${ports.platforms.vendorOf(platform)}, “${connection.name}”: ${formatRules(rules, changed.rules)}`;
            return { kind: 'integration-changed', subjectId: connection.id, summary };
          },
        );
        if (result.kind === 'unknown-connection') return { kind: 'not-found' };
        if (result.kind === 'invalid') {
          const problems = { [result.field]: `It ${result.problem}.` };
          return platformPage({ ...view, typedCurrency: form.get('defaultCurrency'), problems });
        }
        const sentence = formatRules(rules, result.rules);
        return {
          kind: 'redirect',
          to: `${ROOT}/${platform}?shop=${connection.id}`,
          toast: { title: 'Saved', sentence },
        };
      }),
    ),

    ...rejectedRoutes(ports, options, rejectedReader),

    action('/settings/integrations/:platform/test-order', 'admin', async (context, form) =>
      withView(context, form.get('shop'), (view) =>
        sendTestOrder(ports, context, view, form.get('product') ?? ''),
      ),
    ),
  ];
}

function addressOf(siteUrl: string, orgId: string, platform: Platform): string {
  return platform === SHARED_PLATFORM
    ? `${siteUrl}/webhooks/${platform}`
    : `${siteUrl}/webhooks/${orgId}/${platform}`;
}

/** The page for adding a shop, beside the existing ones. */
function withNewShop(ports: Ports, context: DashboardRequest, view: PlatformView): PlatformView {
  const offer = offerSecret(ports, context, view.state, null);
  return { ...view, connection: null, shopName: '', offer };
}

/** A connection that receives orders, if there is one. */
function pickFirst(state: PlatformState | undefined): PlatformState['connections'][number] | null {
  const connections = state?.connections ?? [];
  return connections.find((connection) => connection.state !== 'unmapped') ?? connections[0] ?? null;
}

/** Sends one order with the signed-in user as its buyer, and redirects to its entry in the log. */
export async function sendTestOrder(
  { sampleOrders }: Pick<HttpPorts, 'sampleOrders'>,
  { orgId, user }: DashboardRequest,
  view: PlatformView,
  productId: string,
): Promise<Answer> {
  const { platform } = view.state;
  const refuse = (sentence: string) => platformPage({ ...view, problems: { form: sentence } });
  const product = view.products.find(({ id }) => id === productId);
  if (!product) return refuse('That product is not published any more. Choose another.');
  const connectionId = view.connection?.id ?? null;
  const sent = await sampleOrders.send({
    orgId,
    platform,
    connectionId,
    sku: product.slug,
    email: user.email,
    name: user.name ?? user.email.slice(0, user.email.lastIndexOf('@')),
  });
  if (sent.kind !== 'arrived') return refuse(trouble(sent, view.platforms.vendorOf(platform)));
  const toast = {
    title: `Test ${formatOrderId(sent.orderId)} received`,
    sentence: 'Here is its entry in the webhook log.',
  };
  const log = '/dashboard/webhook-log';
  return { kind: 'redirect', to: sent.deliveryId ? `${log}/${sent.deliveryId}` : log, toast };
}

function trouble(sent: Exclude<SampleSent, { kind: 'arrived' }>, vendor: string): string {
  switch (sent.kind) {
    case 'refused':
      return `The test order was refused with ${sent.status}. Set the secret again, then send it once more.`;
    case 'not-set-up':
      return `${vendor} has no secret yet. Set it first.`;
    case 'no-sample':
      return `The package of ${vendor} brings no test order. Buy something in the shop instead.`;
  }
}
