import {
  listSharedSecrets,
  mapAccount,
  type PaymentAccounts,
  runAuditedAction,
  SHARED_PLATFORM,
  setSharedSecret,
  unmapAccount,
} from '@handover/domain';
import type { HttpOptions, HttpPorts } from '../../http-ports.ts';
import { type Answer, action, type DashboardRequest, type DashboardRoute, page } from '../dashboard-route.ts';
import { readTexts } from '../parts/form.ts';
import { counted } from '../parts/money.ts';
import { type InstallationDoctor, isOperator } from '../settings/installation-report.ts';
import { type StripeView, stripePage } from './stripe-page.ts';

export const STRIPE_PATH = `/settings/installation/${SHARED_PLATFORM}`;
const ADDRESS = `/dashboard${STRIPE_PATH}`;
const VENDOR = 'Stripe';
const ACCOUNTS_PER_PAGE = 50;
/** The maximum for a select list. With more, an organisation is named by its id. */
const MAX_OFFERED = 200;

type Ports = Pick<
  HttpPorts,
  | 'accounts'
  | 'clock'
  | 'connections'
  | 'ids'
  | 'inTransaction'
  | 'organisations'
  | 'sharedSecrets'
  | 'unassigned'
>;

/** Connects the shared platform, for owners who operate the installation. For everybody else there is no such page. */
export function stripeRoutes(
  ports: Ports,
  options: Options,
  doctor: InstallationDoctor,
): readonly DashboardRoute[] {
  const forOperators =
    <Posted extends readonly URLSearchParams[]>(answer: Handler<Posted>) =>
    async (context: DashboardRequest, ...posted: Posted): Promise<Answer> =>
      isOperator(doctor, context.user)
        ? answer({ ports, options }, context, ...posted)
        : { kind: 'not-found' };
  const fresh = { needsFreshSignIn: true };
  return [
    page(STRIPE_PATH, 'admin', forOperators(show)),
    action(`${STRIPE_PATH}/secret`, 'admin', forOperators(setSecret), fresh),
    action(`${STRIPE_PATH}/accounts`, 'admin', forOperators(map)),
    action(`${STRIPE_PATH}/accounts/unmap`, 'admin', forOperators(unmap)),
  ];
}

type Options = Pick<HttpOptions, 'sharedPlatform' | 'siteUrl'>;

interface Service {
  readonly ports: Ports;
  readonly options: Options;
}

type Handler<Posted extends readonly URLSearchParams[]> = (
  service: Service,
  context: DashboardRequest,
  ...posted: Posted
) => Promise<Answer>;

function show(service: Service, context: DashboardRequest): Promise<Answer> {
  return answerPage(service, context, {});
}

async function setSecret(
  service: Service,
  context: DashboardRequest,
  form: URLSearchParams,
): Promise<Answer> {
  if (isSetByEnvironment(service)) {
    return answerPage(service, context, { problems: { secret: SET_BY_ENVIRONMENT } });
  }
  const result = await runAuditedAction(
    service.ports,
    context,
    (within) => setSharedSecret(within, form.get('secret') ?? ''),
    ({ kind }) =>
      kind === 'set' || kind === 'replaced'
        ? {
            kind: 'integration-changed',
            subjectId: context.orgId,
            summary: `The signing secret of ${VENDOR} was ${kind} for this installation.`,
          }
        : null,
  );
  if (result.kind === 'invalid')
    return answerPage(service, context, { problems: { secret: `It ${result.problem}.` } });
  return { kind: 'redirect', to: ADDRESS, toast: SECRET_TOASTS[result.kind] };
}

async function map(service: Service, context: DashboardRequest, form: URLSearchParams): Promise<Answer> {
  const { ports } = service;
  const typed = { account: form.get('account') ?? '', org: form.get('org')?.trim() ?? '' };
  const refuse = (problems: StripeView['problems']) => answerPage(service, context, { typed, problems });
  // The mapping and its entry are one transaction. Waiting orders follow one by one, each in the webhook log.
  const accounts: PaymentAccounts = {
    ...ports.accounts,
    map: (mapping) =>
      runAuditedAction(
        ports,
        { orgId: mapping.orgId, by: context.by },
        (within) => within.accounts.map(mapping),
        ({ kind }) => (kind === 'mapped' ? describe(mapping.orgId, mapping.account, 'was mapped to') : null),
      ),
  };
  const mapped = await mapAccount({ ...ports, accounts }, { orgId: typed.org, account: typed.account });
  if (mapped.kind === 'invalid') return refuse({ [mapped.field]: `It ${mapped.problem}.` });
  if (mapped.kind === 'unknown-organisation')
    return refuse({ org: 'There is no such organisation. Choose one of this installation.' });
  if (mapped.kind === 'taken') {
    const other = (await ports.organisations.find(mapped.orgId))?.name ?? mapped.orgId;
    return refuse({ account: `It is mapped to ${other} already. Unmap it there first.` });
  }
  const waited =
    mapped.assigned > 0 ? ` ${counted(mapped.assigned, 'order')} that waited for it are processed now.` : '';
  const title = mapped.kind === 'mapped' ? 'The account is mapped' : 'It was mapped already';
  const sentence = `Orders of ${mapped.account} go to its organisation.${waited}`;
  return { kind: 'redirect', to: ADDRESS, toast: { title, sentence } };
}

async function unmap(service: Service, context: DashboardRequest, form: URLSearchParams): Promise<Answer> {
  const { account, org: orgId } = readTexts(form, 'account', 'org');
  const unmapped = await runAuditedAction(
    service.ports,
    { orgId, by: context.by },
    (within) => unmapAccount(within, account, orgId),
    ({ kind }) => (kind === 'unmapped' ? describe(orgId, account, 'is no longer mapped to') : null),
  );
  if (unmapped.kind !== 'unmapped') {
    const problems = { accounts: `${account} was unmapped or moved meanwhile.` };
    return answerPage(service, context, { problems });
  }
  const sentence = `New orders of ${account} wait until it is mapped again.`;
  return { kind: 'redirect', to: ADDRESS, toast: { title: 'The account is unmapped', sentence } };
}

/** `more`: what a form shows besides. */
async function answerPage(
  service: Service,
  context: DashboardRequest,
  more: Partial<StripeView>,
): Promise<Answer> {
  const { ports, options } = service;
  const after = context.query.get('after');
  const limit = ACCOUNTS_PER_PAGE + 1;
  const accounts = await ports.accounts.list({ after, limit });
  const organisations = await ports.organisations.list({ after: null, limit: MAX_OFFERED + 1 });
  const waiting = await ports.unassigned.list({ after: null, limit: ACCOUNTS_PER_PAGE });
  const used = await listSharedSecrets(ports, options.sharedPlatform, context.now);
  return stripePage({
    csrfToken: context.csrfToken,
    webhookUrl: `${options.siteUrl}/webhooks/${SHARED_PLATFORM}`,
    bySettings: isSetByEnvironment(service),
    isConnected: used.length > 0,
    secrets: await ports.sharedSecrets.list(context.now),
    accounts: accounts.slice(0, ACCOUNTS_PER_PAGE),
    next: accounts.length < limit ? null : (accounts[ACCOUNTS_PER_PAGE - 1]?.account ?? null),
    organisations: organisations.length > MAX_OFFERED ? null : organisations,
    waiting: waiting.length === 0 ? null : { count: await ports.unassigned.count(), entries: waiting },
    typed: { account: context.query.get('account') ?? '', org: context.orgId },
    problems: {},
    ...more,
  });
}

function isSetByEnvironment({ options }: Service): boolean {
  return options.sharedPlatform.secrets.length > 0;
}

const SET_BY_ENVIRONMENT =
  'PAYMENTS_A_SIGNING_SECRET is set in the environment of this server, and it wins. Change it there.';

const SECRET_TOASTS = {
  set: { title: `${VENDOR} is connected`, sentence: 'Events are accepted from now on, by every process.' },
  replaced: {
    title: 'The secret is replaced',
    sentence: 'The one before it goes on working for another 24 hours.',
  },
  known: { title: 'Nothing changed', sentence: 'It is the secret that is in use already.' },
} as const;

function describe(orgId: string, account: string, what: string) {
  const summary = `Account ${account} of ${VENDOR} ${what} this organisation.`;
  return { kind: 'integration-changed', subjectId: orgId, summary } as const;
}
