import {
  type ApiArea,
  type ApiKeyScopes,
  areasFor,
  KEY_LIFETIMES_DAYS,
  type ListedApiKey,
  type Role,
} from '@handover/domain';
import { type Html, html } from '@handover/html';
import { plusIcon } from '../../pages/icons.ts';
import type { Answer } from '../dashboard-route.ts';
import { dialogButton, linkButton, submitButton } from '../parts/button.ts';
import { copyField } from '../parts/copy-field.ts';
import { confirmDialog } from '../parts/dialog.ts';
import { emptyState } from '../parts/empty-state.ts';
import { fieldsOf, selectField, statusOf, textField } from '../parts/form.ts';
import { keyIcon } from '../parts/icons.ts';
import { listTitle } from '../parts/list-title.ts';
import { formPage } from '../parts/narrow-page.ts';
import { pageHeader } from '../parts/page-header.ts';
import { table } from '../parts/table.ts';
import { dayOf, relativeTime } from '../parts/time.ts';
import { ROLE_WORDS } from './team-words.ts';

const ADDRESS = '/dashboard/settings/api-key';

const AREAS: Readonly<Record<ApiArea, string>> = {
  products: 'Products and files',
  downloads: 'Downloads',
  purchases: 'Purchases',
  'webhook-log': 'Webhook log',
  'sku-mappings': 'SKU mappings',
  reports: 'Reports',
};

interface KeysPage {
  readonly keys: readonly ListedApiKey[];
  /** The key to show in clear: the browser gets it only on request. */
  readonly shown: { readonly name: string; readonly key: string } | null;
  /** Null: a user without an organisation. */
  readonly role: Role | null;
  readonly csrfToken: string;
  readonly now: Date;
}

export function apiKeysPage({ keys, shown, role, csrfToken, now }: KeysPage): Answer {
  const list = table<ListedApiKey>({
    label: 'Your API keys',
    rows: keys,
    columns: [
      {
        head: 'Name',
        cell: ({ name, hint }) =>
          html`<strong><bdi>${name}</bdi></strong><div><span class="muted mono small">${hint ?? 'Cannot be shown'}</span></div>`,
      },
      { head: 'Permissions', cell: ({ scopes }) => html`${formatScopes(scopes)}` },
      {
        head: 'Last used',
        cell: ({ lastUsedAt }) =>
          html`<span class="muted">${lastUsedAt ? html`Used ${relativeTime(lastUsedAt, now)}` : 'Never used'}</span>`,
      },
      { head: 'Valid', cell: ({ expiresAt }) => formatExpiry(expiresAt, now) },
      { head: 'Actions', number: true, cell: (key) => actions(key, key.name === shown?.name) },
    ],
  });
  const none = emptyState({
    icon: keyIcon,
    title: 'You have no API key',
    sentence: 'Programs need one to use the API as you.',
  });
  const main = html`${pageHeader({
    title: 'API keys',
    meta: ['Yours alone; a program that uses one acts as you'],
    actions: [linkButton(`${ADDRESS}/new`, { words: 'New key', icon: plusIcon, primary: true })],
  })}${shown ? html`<section class="card shown-key"><section class="form">${copyField({ label: `Your key “${shown.name}”`, text: shown.key })}</section></section>` : ''}
<section class="card api-keys">${keys.length > 0 ? list : none}</section>
<p class="muted small below-card">Send a key in the header <span class="chip">Authorization: Bearer …</span> of API requests. ${role === null ? 'It opens nothing until you belong to an organisation' : `No key may do more than you may as ${ROLE_WORDS[role]}`}: <a href="/docs">see the reference</a>.</p>
${keys.map((key) => html`${replaceDialog(key, csrfToken)}${revokeDialog(key, csrfToken)}`)}`;
  return {
    kind: 'page',
    title: 'API keys',
    windowTitle: listTitle('API keys', [shown && `“${shown.name}” shown`]),
    main,
  };
}

function actions({ hash, name }: ListedApiKey, isShown: boolean): Html {
  const of = html`<span class="visually-hidden"> the key ${name}</span>`;
  const show = isShown
    ? linkButton(ADDRESS, { words: html`Hide${of}`, small: true })
    : linkButton(`${ADDRESS}?${new URLSearchParams({ show: name }).toString()}`, {
        words: html`Show${of}`,
        small: true,
      });
  return html`<div class="row-actions">${show}${dialogButton(`replace-${hash}`, { words: html`Replace${of}`, small: true })}${dialogButton(`revoke-${hash}`, { words: html`Revoke${of}`, small: true, danger: true })}</div>`;
}

function replaceDialog({ hash, name }: ListedApiKey, csrfToken: string): Html {
  return confirmDialog({
    id: `replace-${hash}`,
    title: `Replace the key “${name}”?`,
    loss: 'The current key stops working at once, in every program that uses it. You get a new one of the same name, which may do the same.',
    action: `${ADDRESS}/replace`,
    fields: { name },
    words: 'Replace the key',
    csrfToken,
  });
}

function revokeDialog({ hash, name }: ListedApiKey, csrfToken: string): Html {
  return confirmDialog({
    id: `revoke-${hash}`,
    title: `Revoke the key “${name}”?`,
    loss: 'It stops working at once, in every program that uses it, and is gone for good. Your other keys go on working.',
    action: `${ADDRESS}/revoke`,
    fields: { name },
    words: 'Revoke the key',
    csrfToken,
  });
}

function formatExpiry(expiresAt: Date | null, now: Date): Html {
  if (expiresAt === null) return html`<span class="muted">No end date</span>`;
  if (expiresAt > now) return html`Until ${dayOf(expiresAt)}`;
  return html`<span class="expired">Expired ${dayOf(expiresAt)}</span>`;
}

/** "Everything you may do", or "Products and files; read Reports". */
function formatScopes(scopes: ApiKeyScopes): string {
  if (scopes === null) return 'Everything you may do';
  const areas = [...new Set(scopes.map((scope) => scope.split(':')[0] as ApiArea))];
  return areas
    .map((area) => (scopes.includes(`${area}:write`) ? `Change ${AREAS[area]}` : `Read ${AREAS[area]}`))
    .join(', ');
}

/** What was typed. */
export interface NewKeyForm {
  readonly name: string;
  readonly lifetime: string;
  /** `all`: everything; else the chosen scopes count. */
  readonly access: string;
  readonly scopes: readonly string[];
}

export function newKeyPage({
  form,
  problems,
  role,
  csrfToken,
}: {
  readonly form: NewKeyForm;
  readonly problems: Readonly<Record<string, string>>;
  readonly role: Role | null;
  readonly csrfToken: string;
}): Answer {
  const field = fieldsOf(form, problems);
  const fields = html`${textField({ ...field('name', 'Name'), required: true, help: 'The program that will use it, such as “Nightly export”.' })}
${selectField({ ...field('lifetime', 'Valid for'), options: LIFETIMES })}
${selectField({ ...field('access', 'It may do'), options: ACCESS, problem: problems.scopes ?? null })}
<fieldset class="scopes"><legend>Areas</legend>${areasFor(role).map((area) => areaField(area, form.scopes))}</fieldset>`;
  return formPage({
    title: 'New API key',
    back: { href: ADDRESS, words: 'API keys' },
    status: statusOf(problems),
    action: `${ADDRESS}/new`,
    csrfToken,
    fields,
    submit: submitButton({ words: 'Make the key', primary: true }),
  });
}

function areaField(area: ApiArea, scopes: readonly string[]): Html {
  const chosen = [`${area}:write`, `${area}:read`].find((scope) => scopes.includes(scope)) ?? '';
  return selectField({
    name: `scope-${area}`,
    label: AREAS[area],
    value: chosen,
    options: [
      { value: '', words: 'Nothing' },
      { value: `${area}:read`, words: 'Read' },
      { value: `${area}:write`, words: 'Read and change' },
    ],
  });
}

const LIFETIMES = [
  { value: '', words: 'No end date' },
  ...KEY_LIFETIMES_DAYS.map((days) => ({
    value: String(days),
    words: days === 365 ? '1 year' : `${days} days`,
  })),
];

const ACCESS = [
  { value: 'all', words: 'Everything that I may do' },
  { value: 'chosen', words: 'Only what I choose for each area' },
];
