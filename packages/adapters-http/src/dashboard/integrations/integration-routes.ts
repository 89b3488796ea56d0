import {
  countGenuineRejected,
  listSharedSecrets,
  type Platform,
  type PlatformState,
  type RejectedReader,
  readConnectionStates,
  SHARED_PLATFORM,
} from '@handover/domain';
import type { HttpOptions, HttpPorts } from '../../http-ports.ts';
import { type Answer, action, type DashboardRequest, type DashboardRoute, page } from '../dashboard-route.ts';
import { isOperator } from '../settings/installation-report.ts';
import { chooseFirst } from './platform-list.ts';
import { integrationsPage, type PlatformView, platformPage } from './platform-page.ts';
import { rejectedRoutes } from './rejected-routes.ts';
import { sendTestOrder } from './send-test-order.ts';
import { setRules } from './set-rules.ts';
import { offerSecret, setSecret } from './set-secret.ts';

interface Ports
  extends Pick<
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
  > {
  readonly rejectedReader: RejectedReader;
}

type Options = Pick<HttpOptions, 'siteUrl' | 'platforms' | 'sharedPlatform' | 'doctor'>;

/** The maximum for a select list. */
const OFFERED_PRODUCTS = 100;

/** Platforms and shops: their state, secrets and rules, a test order, and rejected requests. */
export function integrationRoutes(
  httpPorts: Omit<Ports, 'rejectedReader'>,
  options: Options,
  rejectedReader: RejectedReader,
): readonly DashboardRoute[] {
  const ports = { ...httpPorts, rejectedReader };
  const withView = async (
    context: DashboardRequest<'platform'>,
    shop: string | null,
    answer: (view: PlatformView) => Promise<Answer> | Answer,
  ): Promise<Answer> => {
    const view = await loadView(ports, options, context, shop, (states) =>
      states.find(({ platform }) => platform === context.params.platform),
    );
    return view ? answer(view) : { kind: 'not-found' };
  };
  const fresh = { needsFreshSignIn: true };
  const path = '/settings/integrations/:platform';

  return [
    page('/settings/integrations', 'admin', async (context) => {
      const view = await loadView(ports, options, context, null, chooseFirst);
      return view ? integrationsPage(view) : { kind: 'not-found' };
    }),
    page(path, 'admin', (context) =>
      withView(context, context.query.get('shop'), (view) =>
        platformPage(context.query.has('new') ? withNewShop(ports, context, view) : view),
      ),
    ),
    action(
      `${path}/secret`,
      'admin',
      (context, form) => withView(context, form.get('shop'), (view) => setSecret(ports, context, view, form)),
      fresh,
    ),
    action(`${path}/rules`, 'admin', (context, form) =>
      withView(context, form.get('shop'), (view) => setRules(ports, context, view, form)),
    ),
    ...rejectedRoutes(ports, options, rejectedReader),
    action(`${path}/test-order`, 'admin', (context, form) =>
      withView(context, form.get('shop'), (view) =>
        sendTestOrder(ports, context, view, form.get('product') ?? ''),
      ),
    ),
  ];
}

/** Loads a platform's page for the shop with that id; null if the organisation has no such shop. */
async function loadView(
  ports: Ports,
  options: Options,
  context: DashboardRequest,
  shop: string | null,
  choose: (states: readonly PlatformState[], serviceIsSetUp: boolean) => PlatformState | undefined,
): Promise<PlatformView | null> {
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
    genuine: state.rejected ? await countGenuineRejected(ports, orgId, platform) : 0,
    products: found.map(({ product }) => product),
    contentTemplate: webhook?.contentTemplate ?? null,
    shopName: state.connections.length === 0 ? 'main' : '',
    typedCurrency: null,
    problems: {},
  };
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
