import type { Platforms } from '@handover/domain';
import { type Html, html } from '@handover/html';
import { FORM_TOKEN_FIELD } from '../auth/csrf.ts';
import { capitalise } from '../pages/words.ts';
import type { SentAnswer } from './dashboard-route.ts';
import { submitButton } from './parts/button.ts';
import { hiddenFields, postForm } from './parts/form.ts';

/** Shows a rejected form again with everything that was typed, to be sent once more. */
export function keptFormAnswer(
  why:
    | { readonly kind: 'stale'; readonly ageMs: number | null }
    | { readonly kind: 'signed-out' | 'unconfirmed' },
  {
    action,
    form,
    csrfToken,
    platforms,
  }: {
    readonly action: string;
    readonly form: URLSearchParams;
    readonly csrfToken: string;
    readonly platforms: Platforms;
  },
): SentAnswer {
  const typed = [...form].filter(([name]) => name !== FORM_TOKEN_FIELD);
  const button = html`<div>${submitButton({ words: 'Press once more', primary: true })}</div>`;
  const title = TITLES[why.kind];
  const main = html`<section class="card alone-card narrow"><section>
<h1>${title}</h1><p class="lead">${why.kind === 'stale' ? staleWords(why.ageMs) : WORDS[why.kind]}</p>
${typedList(platforms, action, typed)}${postForm({ action, csrfToken, body: html`${hiddenFields(typed)}${button}` })}
</section></section>`;
  return {
    kind: why.kind === 'signed-out' ? 'alone' : 'page',
    status: STATUSES[why.kind],
    title,
    main,
  };
}

const TITLES = {
  stale: 'Please press once more',
  'signed-out': 'You were signed out',
  unconfirmed: 'Confirm that it is you',
} as const;

const STATUSES = { stale: 409, 'signed-out': 401, unconfirmed: 403 } as const;

const WORDS = {
  'signed-out': html`We kept what you typed. <a href="/dashboard/sign-in" target="_blank" rel="noopener">Sign in again</a> in a new window, then come back here and press once more.`,
  unconfirmed: html`Keys, secrets and roles open everything, so we ask once more. We kept what you typed: <a href="/dashboard/confirm" target="_blank" rel="noopener">confirm it in a new window</a>, then come back here and press once more.`,
} as const;

function staleWords(ageMs: number | null): Html {
  const age = ageMs === null ? 'from before you signed in' : `from ${formatAge(ageMs)}`;
  return html`This page is ${age}. We kept what you typed; please press once more.`;
}

export function formatAge(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return 'a moment ago';
  if (minutes < 60) return minutes === 1 ? 'a minute ago' : `${minutes} minutes ago`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return hours === 1 ? 'an hour ago' : `${hours} hours ago`;
  return `${Math.floor(hours / 24)} days ago`;
}

/** Keeps the fields that were not typed (ids, tokens), but does not show them. */
function typedList(
  platforms: Platforms,
  action: string,
  typed: readonly (readonly [string, string])[],
): Html | null {
  const shown = typed.flatMap(([name, value]) => {
    const label = labelOf(action, name);
    return label === null || value.trim() === ''
      ? []
      : [{ label, value: formatValue(platforms, name, value) }];
  });
  if (shown.length === 0) return null;
  return html`<dl class="name-values">${shown.map(({ label, value }) => html`<dt>${label}</dt><dd>${value}</dd>`)}</dl>`;
}

function labelOf(action: string, name: string): string | null {
  const [path = ''] = action.split('?');
  const own = LABELS_OF_FORMS.find(([form]) => form.test(path))?.[1];
  const labels: Labels = { ...LABELS, ...own };
  // Anybody can post a field of any name.
  return Object.hasOwn(labels, name) ? (labels[name] ?? null) : null;
}

type Labels = Readonly<Record<string, string>>;

const LABELS: Labels = {
  name: 'Name',
  email: 'E-mail address',
  slug: 'Slug',
  description: 'Description',
  version: 'New version',
  sku: 'SKU',
  platform: 'Platform',
  role: 'Role',
  amount: 'Amount',
  currency: 'Currency',
  paymentMethod: 'Payment method',
  orderNumber: 'Invoice or order number',
  sendEmail: 'Mail the buyer a receipt with the link',
  alertEmail: 'Alert address',
  defaultCurrency: 'Default currency',
  secret: 'Signing secret',
};

/** Forms in which a field has another label. */
const LABELS_OF_FORMS: readonly (readonly [RegExp, Labels])[] = [
  [/\/products\/new$/, { version: 'First version' }],
  [/\/purchases\/record$/, { email: 'Buyer’s e-mail address', name: 'Buyer’s name' }],
  [/\/purchases\/[^/]+\/address$/, { email: 'Right address' }],
  [/\/purchases\/unmatched\//, { platform: 'Applies to' }],
  [/\/organisation\/mails$/, { name: 'Name in mails', email: 'Reply address' }],
  [/\/integrations\/cart-a\/secret$/, { name: 'Name of the shop', secret: 'A secret of your own' }],
  [/\/integrations\/[^/]+\/secret$/, { name: 'Name of the shop' }],
];

function formatValue(platforms: Platforms, name: string, value: string): string {
  if (name === 'secret') return '••••••';
  if (name === 'platform' && platforms.has(value)) return platforms.vendorOf(value);
  if (name === 'role' || name === 'sendEmail') return capitalise(value);
  return value;
}
