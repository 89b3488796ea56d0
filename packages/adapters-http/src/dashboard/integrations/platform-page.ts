import {
  type EvaluatedConnection,
  minSecretLength,
  type PlatformState,
  type Product,
  SHARED_PLATFORM,
} from '@handover/domain';
import { type Html, html, joinHtml } from '@handover/html';
import { plusIcon } from '../../pages/icons.ts';
import type { Answer, DashboardRequest } from '../dashboard-route.ts';
import { statusBadge, statusMark } from '../parts/badge.ts';
import { linkButton, submitButton } from '../parts/button.ts';
import { copyField } from '../parts/copy-field.ts';
import { hiddenField, postForm, selectField, statusOf } from '../parts/form.ts';
import { brokenIcon, keyIcon, sendIcon } from '../parts/icons.ts';
import { listTitle } from '../parts/list-title.ts';
import { noticePanel } from '../parts/notice.ts';
import { pageHeader } from '../parts/page-header.ts';
import { formatOrderId } from '../parts/platform.ts';
import { relativeTime } from '../parts/time.ts';
import { platformList } from './platform-list.ts';
import { rulesCard } from './rules-card.ts';
import { secretSection } from './secret-forms.ts';
import { countRejected } from './selected-rejected-page.ts';
import { listSetupSteps } from './setup-steps.ts';

export interface PlatformView extends Pick<DashboardRequest, 'csrfToken' | 'now' | 'orgId' | 'platforms'> {
  readonly states: readonly PlatformState[];
  readonly state: PlatformState;
  /** Null: a new shop. */
  readonly connection: EvaluatedConnection | null;
  readonly webhookUrl: string;
  readonly offer: SecretOffer;
  /** For the shared platform: whether the service has its secret. */
  readonly serviceIsSetUp: boolean;
  /** Whether the user operates the installation, and can so set it up. */
  readonly isOperator: boolean;
  /** How many rejected requests the current secrets verify. */
  readonly genuine: number;
  readonly products: readonly Product[];
  /** The template that a merchant of FastSpring Classic pastes. */
  readonly contentTemplate: string | null;
  /** The name of a new shop. */
  readonly shopName: string;
  /** The typed currency, when it was invalid. */
  readonly typedCurrency: string | null;
  readonly problems: Readonly<Record<string, string>>;
}

/** A new secret for a URL that holds it, to be copied with the URL before it is saved. */
export type SecretOffer =
  | { readonly kind: 'offered'; readonly secret: string }
  /** The user has to confirm the sign-in first. */
  | { readonly kind: 'unconfirmed' }
  /** The platform has no secret in its URL. */
  | { readonly kind: 'none' };

/** One platform: its shops, and the settings, tests and problems of the selected one. */
export function platformPage(view: PlatformView): Answer {
  const { state, connection, problems, platforms } = view;
  const hasSeveral = state.connections.length > (connection === null ? 0 : 1);
  return {
    kind: 'page',
    status: statusOf(problems),
    title: platforms.vendorOf(state.platform),
    windowTitle: listTitle('Integrations', [
      hasSeveral && (connection?.name ?? 'New shop'),
      platforms.vendorOf(state.platform),
    ]),
    main: frame(view, { back: { href: LIST, words: 'All platforms' } }),
  };
}

/** All platforms, with the first one open beside them; small screens show only the list. */
export function integrationsPage(view: PlatformView): Answer {
  return { kind: 'page', title: 'Integrations', main: frame(view, { mark: 'data-all-platforms' }) };
}

const LIST = '/dashboard/settings/integrations';

/** `back`: for screens on which the list is a page of its own. */
function frame(
  view: PlatformView,
  {
    back = null,
    mark = '',
  }: { readonly back?: { href: string; words: string } | null; readonly mark?: string },
): Html {
  const { states, state, problems } = view;
  return html`${pageHeader({ title: 'Integrations', back, meta: ['Shops and checkouts that send their orders here'] })}
<div class="with-list" ${mark}>${platformList(states, state.platform, view)}<div class="stack">
${head(view)}${problems.form ? html`<p class="form-problem" role="alert">${problems.form}</p>` : ''}${rejectedNotice(view)}${unmappedNotice(view)}${shortSecretNotice(view)}${setupCard(view)}${view.connection ? rulesCard(view, view.connection) : ''}</div></div>`;
}

function head({ state, connection, platforms }: PlatformView): Html {
  const { platform, connections } = state;
  const path = `${LIST}/${platform}`;
  const tabs = connections.map(
    ({ id, name, state: how }) =>
      html`<a href="${path}?shop=${id}" ${id === connection?.id ? html`aria-current="page"` : ''}><bdi>${name}</bdi>${how === 'working' ? '' : statusMark('connection', how)}</a>`,
  );
  const isNew = connection === null && connections.length > 0;
  if (isNew) tabs.push(html`<a href="${path}?new" aria-current="page">New shop</a>`);
  const add =
    platform === SHARED_PLATFORM || connections.length === 0 || isNew
      ? ''
      : linkButton(`${path}?new`, { words: 'Add a shop', icon: plusIcon });
  return html`<div class="platform-head"><div><h2>${platforms.vendorOf(platform)}</h2>${connection ? statusBadge('connection', connection.state) : ''}</div>${add}</div>
${tabs.length > 0 ? html`<nav class="tabs-nav shop-tabs" aria-label="Shops">${tabs}</nav>` : ''}`;
}

function rejectedNotice({ state, connection, genuine, csrfToken, platforms }: PlatformView): Html | null {
  const { platform, connections, rejected } = state;
  // The form for another shop is about what is not there yet.
  if (!rejected || (!connection && connections.length > 0)) return null;
  const path = `/dashboard/settings/integrations/${platform}/rejected`;
  const look = linkButton(path, { words: rejected.kept === 1 ? 'Review it' : 'Review them' });
  if (genuine === 0) {
    return noticePanel({
      tone: 'error',
      icon: keyIcon,
      title: countRejected(rejected.kept),
      sentence: 'None of the secrets set here verifies them. Set the right one, then deliver them.',
      actions: [look],
    });
  }
  const words = genuine === 1 ? 'Deliver it' : `Deliver all ${genuine}`;
  const body = submitButton({ words, primary: true }, { name: 'action', value: 'deliver' });
  return noticePanel({
    tone: 'pending',
    icon: keyIcon,
    title: `${countRejected(genuine)} now ${genuine === 1 ? 'verifies' : 'verify'}`,
    sentence: `${genuine === 1 ? 'It fits' : 'They fit'} a secret that is set here. ${platforms.vendorOf(platform)} may not send again, but you can deliver the ${genuine === 1 ? 'copy' : 'copies'} kept here.`,
    actions: [look, postForm({ action: path, csrfToken, body })],
  });
}

function unmappedNotice({ connection }: PlatformView): Html | null {
  if (connection?.state !== 'unmapped') return null;
  return noticePanel({
    tone: 'held',
    icon: brokenIcon,
    title: `${connection.name} is no longer mapped to your organisation`,
    sentence:
      'New orders of this account are held until the operator of this service maps it again. Then they are delivered. Earlier orders stay here.',
  });
}

function shortSecretNotice({ state, connection, platforms }: PlatformView): Html | null {
  if (!connection?.hasShortSecret) return null;
  const { platform } = state;
  return noticePanel({
    tone: 'held',
    icon: keyIcon,
    title: 'The secret is short',
    sentence: `It still works, but a secret of ${platforms.vendorOf(platform)} needs at least ${minSecretLength(platform, platforms)} characters now. Replace it below: the old one then works for another 24 hours.`,
  });
}

function setupCard(view: PlatformView): Html {
  const { state, contentTemplate, platforms } = view;
  const template =
    contentTemplate === null ? '' : copyField({ label: 'Content template', text: contentTemplate });
  return html`<section class="card"><section class="form">${secretSection(view)}</section>
<section class="setup"><div><h3>Where to click in ${platforms.vendorOf(state.platform)}</h3><ol class="steps" role="list">${listSetupSteps(platforms, state.platform, view.orgId).map(stepItem)}</ol></div>${testOrderSection(view)}</section>
${template ? html`<section>${template}</section>` : ''}</section>`;
}

/** Names of events and fields are between backticks. The long ones may break after a dot. */
function stepItem(step: string): Html {
  const words = step
    .split('`')
    .map((part, at) => (at % 2 === 0 ? html`${part}` : html`<code>${breakAfterDots(part)}</code>`));
  return html`<li><span>${words}</span></li>`;
}

function breakAfterDots(name: string): Html {
  return joinHtml(name.split(/(?<=\.)(?=\w)/), html`<wbr>`);
}

/** Sends an order as the vendor would, and shows the latest one. */
export function testOrderSection(view: PlatformView): Html {
  return html`<div class="form"><h3>Test it</h3>${form(view)}${heard(view)}</div>`;
}

function heard({ state, connection, now }: PlatformView): Html | null {
  const { platform, rejected } = state;
  const last = connection?.lastDelivery;
  const order = last && (last.orderNumber ?? last.orderId);
  const lastDelivery = last
    ? html`<dt>Last delivery</dt><dd><a href="/dashboard/webhook-log/${last.id}">${relativeTime(last.at, now)}${order && html`, <bdi>${formatOrderId(order)}</bdi>`}</a></dd>`
    : '';
  const path = `/dashboard/settings/integrations/${platform}/rejected`;
  const signatures = rejected
    ? html`<dt>Signatures</dt><dd><a href="${path}">${countRejected(rejected.kept)} kept from the last 7 days</a></dd>`
    : '';
  return lastDelivery || signatures ? html`<dl class="heard">${lastDelivery}${signatures}</dl>` : null;
}

function form({ state, connection, products, platforms, serviceIsSetUp, csrfToken }: PlatformView): Html {
  const isReady =
    state.platform === SHARED_PLATFORM
      ? serviceIsSetUp
      : Boolean(connection?.secretSetAt ?? connection?.formerUntil);
  if (!isReady) return html`<p class="muted small">Once the secret is set, you can send a test order.</p>`;
  if (products.length === 0)
    return html`<p class="muted small">Publish a product first: a test order needs one.</p>`;
  const body = html`${connection ? hiddenField('shop', connection.id) : ''}<div class="field-and-button">${selectField(
    {
      name: 'product',
      label: 'Product',
      value: products[0]?.id ?? '',
      options: products.map(({ id, name }) => ({ value: id, words: name })),
    },
  )}${submitButton({ words: 'Send test order', icon: sendIcon })}</div>`;
  const action = `/dashboard/settings/integrations/${state.platform}/test-order`;
  return html`<p class="muted small">Sends one order for this product to the webhook URL as ${platforms.vendorOf(state.platform)} would, with you as the buyer. It is marked as a test, and left out of all totals.</p>${postForm({ action, csrfToken, body })}`;
}
