import {
  type MappedAccount,
  type Organisation,
  SHARED_PLATFORM,
  type SharedSecret,
  type UnassignedDelivery,
} from '@handover/domain';
import { type Html, html } from '@handover/html';
import type { Answer, DashboardRequest } from '../dashboard-route.ts';
import { statusBadge } from '../parts/badge.ts';
import { dialogButton, linkButton, submitButton } from '../parts/button.ts';
import { copyField } from '../parts/copy-field.ts';
import { confirmDialog } from '../parts/dialog.ts';
import { fieldsOf, postForm, selectField, statusOf, textField } from '../parts/form.ts';
import { keyIcon, pauseIcon } from '../parts/icons.ts';
import { longText } from '../parts/long-text.ts';
import { counted } from '../parts/money.ts';
import { noticePanel } from '../parts/notice.ts';
import { pageHeader } from '../parts/page-header.ts';
import { table } from '../parts/table.ts';
import { exactTime } from '../parts/time.ts';

const ADDRESS = `/dashboard/settings/installation/${SHARED_PLATFORM}`;
const VENDOR = 'Stripe';

export interface StripeView extends Pick<DashboardRequest, 'csrfToken'> {
  readonly webhookUrl: string;
  /** The environment sets the secret, so this page cannot. */
  readonly bySettings: boolean;
  readonly isConnected: boolean;
  /** Those set on this page, newest first. */
  readonly secrets: readonly SharedSecret[];
  readonly accounts: readonly MappedAccount[];
  /** The last account shown; null if there are no more. */
  readonly next: string | null;
  /** Null: too many for a list. */
  readonly organisations: readonly Pick<Organisation, 'id' | 'name'>[] | null;
  /** Orders without an organisation, of which the oldest are given; null if there are none. */
  readonly waiting: {
    readonly count: number;
    readonly entries: readonly Pick<UnassignedDelivery, 'account'>[];
  } | null;
  readonly typed: { readonly account: string; readonly org: string };
  readonly problems: Readonly<Record<string, string>>;
}

export function stripePage(view: StripeView): Answer {
  const { isConnected, problems } = view;
  const main = html`${pageHeader({
    back: { href: '/dashboard/settings/installation', words: 'Installation' },
    title: VENDOR,
    badge: isConnected ? null : statusBadge('connection', 'not-set-up'),
    meta: ['One webhook address for all organisations', 'Only operators see this page'],
  })}
<div class="stack">${waitingNotice(view)}${secretCard(view)}${accountsCard(view)}</div>`;
  return {
    kind: 'page',
    status: statusOf(problems),
    title: VENDOR,
    windowTitle: `${VENDOR} · Installation`,
    main,
  };
}

function waitingNotice({ waiting }: StripeView): Html | null {
  if (!waiting) return null;
  const accounts = new Set(waiting.entries.flatMap(({ account }) => account ?? []));
  const [first] = accounts;
  const sentence =
    first === undefined
      ? 'Their sessions name no organisation that exists. They are kept until it does.'
      : `Paid to ${[...accounts].slice(0, 5).join(', ')}${accounts.size > 5 ? ' and others' : ''}. Map an account, and its orders are delivered.`;
  const fill = `${ADDRESS}?${new URLSearchParams({ account: first ?? '' })}#account`;
  return noticePanel({
    tone: 'held',
    icon: pauseIcon,
    title: `${counted(waiting.count, 'order waits', 'orders wait')} for an organisation`,
    sentence,
    actions: first === undefined ? [] : [linkButton(fill, { words: 'Map it' })],
  });
}

function secretCard(view: StripeView): Html {
  const { bySettings, csrfToken, isConnected, problems, secrets, webhookUrl } = view;
  const isSet = secrets.length > 0;
  const body = html`<div class="field-and-button">${textField({
    name: 'secret',
    type: 'password',
    // Browsers fill in saved passwords despite `off`, and would save a wrong secret.
    autocomplete: 'new-password',
    label: isSet ? 'New signing secret' : 'Signing secret',
    value: '',
    required: true,
    help: `Copy it from the endpoint in ${VENDOR}. It begins with whsec_.`,
    problem: problems.secret ?? null,
  })}${submitButton({ words: isSet ? 'Replace' : 'Set the secret', primary: !isConnected })}</div>`;
  const form = postForm({ action: `${ADDRESS}/secret`, csrfToken, body });
  return html`<section class="card" aria-labelledby="secret-title"><header><h2 id="secret-title">Signing secret</h2></header><section class="form">${copyField({ label: 'Webhook URL', text: webhookUrl })}
${bySettings ? setElsewhere(problems.secret) : html`${form}${secretDates(secrets)}`}</section>
<section><h3>Where to click in ${VENDOR}</h3><ol class="steps" role="list">${(bySettings ? STEPS : [...STEPS, PASTE_SECRET]).map((step) => html`<li><span>${step}</span></li>`)}</ol></section></section>`;
}

const STEPS: readonly Html[] = [
  html`In ${VENDOR}, open Developers, then Webhooks, and add an endpoint with the webhook URL above.`,
  html`Choose the events checkout.session.<wbr>completed and checkout.session.<wbr>async_payment_succeeded, with snapshot payloads.`,
  html`To sell through connected accounts as well, listen to events on connected accounts, and map each account below.`,
];

const PASTE_SECRET = html`Reveal the endpoint’s signing secret, and paste it here.`;

function setElsewhere(problem: string | undefined): Html {
  const notice = noticePanel({
    tone: 'pending',
    icon: keyIcon,
    title: 'The environment sets the secret',
    sentence:
      'This server was started with PAYMENTS_A_SIGNING_SECRET, which wins over this page, so nothing can be set here. To set it here, remove the variable and restart every process.',
  });
  return html`${notice}${problem ? html`<p class="form-problem" role="alert">${problem}</p>` : ''}`;
}

function secretDates(secrets: readonly SharedSecret[]): Html | null {
  if (secrets.length === 0) return null;
  const lines = secrets.map(({ secret, setAt, expiresAt }) => {
    const until = expiresAt
      ? html`works until ${exactTime(expiresAt)}`
      : html`set ${exactTime(setAt)}, in use`;
    return html`<li><span class="mono">${mask(secret)}</span>, ${until}</li>`;
  });
  return html`<ul class="muted small" role="list" aria-label="Secrets that are accepted">${lines}</ul>`;
}

/** The last characters tell secrets apart, and do not help anybody to guess the rest. */
function mask(secret: string): string {
  return `whsec_…${secret.length > 20 ? secret.slice(-4) : ''}`;
}

function accountsCard(view: StripeView): Html {
  const { accounts, csrfToken, next, problems } = view;
  const list =
    accounts.length === 0
      ? html`<section><p class="muted">No account is mapped yet. Events without an account can name their organisation in the session’s metadata, as <span class="mono">org_id</span>.</p></section>`
      : html`${table<MappedAccount>({
          label: 'Mapped accounts',
          rows: accounts,
          columns: [
            { head: 'Account', cell: ({ account }) => html`<span class="mono">${longText(account)}</span>` },
            { head: 'Organisation', cell: ({ organisation }) => longText(organisation), narrow: 'line' },
            { head: 'Actions', cell: (row) => unmapButton(row, csrfToken), number: true, narrow: 'corner' },
          ],
        })}`;
  const more = next === null ? '' : linkButton(`${ADDRESS}?after=${next}`, { words: 'More accounts' });
  return html`<section class="card" aria-labelledby="accounts-title"><header><h2 id="accounts-title">Accounts</h2></header>${list}${more ? html`<div class="older">${more}</div>` : ''}
<section class="form">${problems.accounts ? html`<p class="form-problem" role="alert">${problems.accounts}</p>` : ''}${mapForm(view)}</section></section>`;
}

function unmapButton({ account, orgId, organisation }: MappedAccount, csrfToken: string): Html {
  const id = `unmap-${account}`;
  return html`${dialogButton(id, { words: 'Unmap', small: true, danger: true })}${confirmDialog({
    id,
    title: `Unmap ${account}?`,
    loss: `New orders of this account wait until it is mapped again. ${organisation} keeps what it has received.`,
    action: `${ADDRESS}/accounts/unmap`,
    words: 'Unmap',
    fields: { account, org: orgId },
    csrfToken,
  })}`;
}

function mapForm({ csrfToken, isConnected, organisations, problems, typed }: StripeView): Html {
  const field = fieldsOf(typed, problems);
  const org = field('org', 'Organisation');
  const orgField = organisations
    ? selectField({ ...org, options: organisations.map(({ id, name }) => ({ value: id, words: name })) })
    : textField({ ...org, mono: true, help: 'Its id, from its Organisation page.' });
  const help = `Copy it from ${VENDOR}: acct_1A2b3C, for example.`;
  const body = html`<div class="field-and-button">${textField({ ...field('account', 'Account'), required: true, mono: true, help })}${orgField}${submitButton({ words: 'Map the account', primary: isConnected })}</div>`;
  return postForm({ action: `${ADDRESS}/accounts`, csrfToken, body });
}
