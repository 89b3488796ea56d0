import {
  type ActivityKind,
  type AuditedAction,
  addApiKey,
  isFresh,
  listApiKeys,
  nameApiKey,
  replaceApiKey,
  runAuditedAction,
  type SignedIn,
  showApiKey,
} from '@handover/domain';
import type { HttpPorts } from '../../http-ports.ts';
import { type Answer, action, type DashboardRoute, page, type UserRequest } from '../dashboard-route.ts';
import { confirmFirst } from '../sign-in/confirm-routes.ts';
import { apiKeysPage, type NewKeyForm, newKeyPage } from './api-key-pages.ts';

type Ports = Pick<HttpPorts, 'apiKeys' | 'clock' | 'ids' | 'inTransaction' | 'userKeys'>;

const FRESH = { needsFreshSignIn: true } as const;
const ADDRESS = '/dashboard/settings/api-key';

/** The user's own API keys: for any role, also without an organisation. */
export function apiKeyRoutes(ports: Ports): readonly DashboardRoute[] {
  return [
    page('/settings/api-key', 'signed-in', (context) => showKeys(ports, context)),

    page('/settings/api-key/new', 'signed-in', async ({ user, csrfToken }) =>
      newKeyPage({ form: EMPTY_FORM, problems: {}, role: roleOf(user), csrfToken }),
    ),

    action('/settings/api-key/new', 'signed-in', (context, posted) => add(ports, context, posted), FRESH),

    action(
      '/settings/api-key/replace',
      'signed-in',
      (context, posted) => replace(ports, context, posted),
      FRESH,
    ),

    action('/settings/api-key/revoke', 'signed-in', (context, posted) => revoke(ports, context, posted)),
  ];
}

async function showKeys(ports: Ports, { user, csrfToken, query, now }: UserRequest): Promise<Answer> {
  const keys = await listApiKeys(ports, user.userId);
  const wanted = query.get('show');
  if (wanted !== null && !isFresh(user.session, now)) return confirmFirst(addressOf(wanted));
  // Without a name it is the first one: the default key, unless that was revoked.
  const name = (wanted === '' ? keys[0]?.name : wanted) ?? '';
  const key = wanted === null ? null : await showApiKey(ports, user.userId, name);
  const shown = key === null ? null : { name, key };
  return apiKeysPage({ keys, shown, role: roleOf(user), csrfToken, now });
}

async function add(ports: Ports, context: UserRequest, posted: URLSearchParams): Promise<Answer> {
  const { user, csrfToken } = context;
  const form = readForm(posted);
  const { name, lifetime: lifetimeDays, access } = form;
  const scopes = access === 'all' ? null : form.scopes;
  const added = await runAuditedAction(
    ports,
    context,
    (within) => addApiKey(within, user.userId, { name, lifetimeDays, scopes }),
    (result) => (result.kind === 'added' ? describe('api-key-added', user, result.name) : null),
  );
  if (added.kind === 'added') return showKey(added.name, `Your key “${added.name}” is ready`);
  const problems = { [added.field]: `It ${added.problem}.` };
  return newKeyPage({ form, problems, role: roleOf(user), csrfToken });
}

async function replace(ports: Ports, context: UserRequest, posted: URLSearchParams): Promise<Answer> {
  const { user } = context;
  const name = posted.get('name') ?? '';
  const result = await runAuditedAction(
    ports,
    context,
    (within) => replaceApiKey(within, user.userId, name),
    ({ kind }) => (kind === 'replaced' ? describe('api-key-refreshed', user, name) : null),
  );
  if (result.kind === 'unknown-key') return { kind: 'not-found' };
  return showKey(name, 'You have a new API key', 'The one before is invalid from now on.');
}

async function revoke(ports: Ports, context: UserRequest, posted: URLSearchParams): Promise<Answer> {
  const { user } = context;
  const revoked = await runAuditedAction(
    ports,
    context,
    (within) => within.userKeys.revoke(user.userId, posted.get('name') ?? ''),
    (key) => (key ? describe('api-key-revoked', user, key.name) : null),
  );
  if (!revoked) return { kind: 'not-found' };
  const toast = { title: `The key “${revoked.name}” is revoked`, sentence: 'It is invalid from now on.' };
  return { kind: 'redirect', to: ADDRESS, toast };
}

function showKey(name: string, title: string, sentence?: string): Answer {
  return { kind: 'redirect', to: addressOf(name), toast: { title, ...(sentence && { sentence }) } };
}

function addressOf(name: string): string {
  return `${ADDRESS}?${new URLSearchParams({ show: name }).toString()}`;
}

function roleOf({ membership }: SignedIn) {
  return membership?.role ?? null;
}

function describe(
  kind: Extract<ActivityKind, `api-key-${string}`>,
  { userId, email }: SignedIn,
  name: string,
): AuditedAction {
  return { kind, subjectId: userId, summary: SUMMARIES[kind](email, nameApiKey(name)) };
}

const SUMMARIES = {
  'api-key-added': (email: string, key: string) => `${email} made the ${key}.`,
  'api-key-refreshed': (email: string, key: string) =>
    `${email} has a new ${key}; the one before is invalid.`,
  'api-key-revoked': (email: string, key: string) => `${email} revoked the ${key}.`,
} as const;

const EMPTY_FORM: NewKeyForm = { name: '', lifetime: '90', access: 'all', scopes: [] };

function readForm(posted: URLSearchParams): NewKeyForm {
  const scopes = [...posted].flatMap(([name, value]) => (name.startsWith('scope-') && value ? [value] : []));
  return {
    name: posted.get('name') ?? '',
    lifetime: posted.get('lifetime') ?? '',
    access: posted.get('access') ?? 'all',
    scopes,
  };
}
