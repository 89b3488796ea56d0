import { minSecretLength, type Platform, type Platforms, SHARED_PLATFORM } from '@handover/domain';
import { type Html, html } from '@handover/html';
import { linkButton, submitButton } from '../parts/button.ts';
import { copyField } from '../parts/copy-field.ts';
import { hiddenField, postForm, textField } from '../parts/form.ts';
import { exactTime } from '../parts/time.ts';
import { withReturn } from '../sign-in/return-address.ts';
import type { PlatformView } from './platform-page.ts';

/** The webhook URL, and the secret that belongs to it. Secrets are write-only: the page shows when they were set. */
export function secretSection(view: PlatformView): Html {
  const { state, connection, webhookUrl, offer } = view;
  if (offer.kind === 'none') {
    const address = copyField({ label: 'Webhook URL', text: webhookUrl });
    if (state.platform === SHARED_PLATFORM) return html`${address}${sharedWords(view)}${mappingAgain(view)}`;
    return html`${address}${secretForm(view)}${dates(view)}`;
  }
  const made = offer.kind === 'offered' ? offeredUrl(view, offer.secret) : confirmToShow(view);
  return connection?.secretSetAt ? html`${urlInUse(view)}${newUrl(view, made)}` : made;
}

function offeredUrl(view: PlatformView, secret: string): Html {
  const text = `${view.webhookUrl}?secret=${encodeURIComponent(secret)}`;
  return html`${copyField({ label: 'Webhook URL with a new secret', text })}${secretForm(view)}`;
}

/** Leads back to this page, which then shows the URL. */
function confirmToShow({ state, connection }: PlatformView): Html {
  const isFirst = state.connections.length === 0;
  const shop = connection ? `?shop=${connection.id}` : isFirst ? '' : '?new';
  const to = `/dashboard/settings/integrations/${state.platform}${shop}`;
  const words = 'Confirm that it is you';
  const link = linkButton(withReturn('/dashboard/confirm', to), { words, primary: connection === null });
  return html`<p class="muted small">The webhook URL holds a new secret. It is shown once you have confirmed your sign-in, as keys and other secrets are.</p><div class="form-actions">${link}</div>`;
}

/** What the shop already has. The offered URL does not replace a lost one: it verifies nothing before it is saved. */
function urlInUse(view: PlatformView): Html {
  const vendor = view.platforms.vendorOf(view.state.platform);
  return html`<div class="field"><span class="label">Webhook URL in use</span>
<div class="copy"><code>${view.webhookUrl}?secret=<wbr>••••••••</code></div></div>
<p class="muted small">It is the URL that you copied when you set its secret. Leave it in ${vendor}. If you no longer have it, make a new one.</p>${dates(view)}`;
}

function newUrl({ problems, connection, state, genuine }: PlatformView, made: Html): Html {
  const isNeeded = connection?.hasShortSecret === true || (state.rejected !== null && genuine === 0);
  const isOpen = isNeeded || Object.keys(problems).length > 0;
  return html`<details class="new-url" ${isOpen && 'open'}><summary>Make a URL with a new secret</summary><div class="form">${made}</div></details>`;
}

function secretForm(view: PlatformView): Html {
  const { state, connection, csrfToken, offer } = view;
  const offered = offer.kind === 'offered' ? hiddenField('offered', offer.secret) : '';
  const isSet = Boolean(connection?.secretSetAt);
  const words = isSet ? 'Replace' : 'Set the secret';
  const buttons = [
    submitButton({ words, primary: connection === null }, { name: 'action', value: 'replace' }),
    isSet ? submitButton({ words: 'Add a second secret' }, { name: 'action', value: 'add' }) : null,
  ];
  const body = html`${offered}${whose(view)}<div class="field-and-button">${secretField(view, isSet)}${buttons}</div>`;
  const action = `/dashboard/settings/integrations/${state.platform}/secret`;
  const copyFirst =
    offer.kind === 'offered'
      ? html`<p class="muted small">Copy this URL, then press “${words}”: it is in use from then on, and not shown again.</p>`
      : '';
  return html`${copyFirst}${postForm({ action, csrfToken, body })}`;
}

function whose({ connection, shopName, problems }: PlatformView): Html {
  if (connection) return hiddenField('shop', connection.id);
  return textField({
    name: 'name',
    label: 'Name of the shop',
    value: shopName,
    required: true,
    help: 'For you: it tells several shops apart.',
    problem: problems.name ?? null,
  });
}

function secretField({ state, offer, problems, platforms }: PlatformView, isSet: boolean): Html {
  const problem = problems.secret ?? null;
  // Browsers fill in saved passwords despite `off`, and would save a wrong secret.
  const autocomplete = 'new-password';
  const field = { type: 'password', name: 'secret', value: '', autocomplete, problem } as const;
  if (offer.kind === 'offered') {
    return textField({
      ...field,
      label: 'A secret of your own',
      help: `Only if you do not want the one above: at least ${minSecretLength(state.platform, platforms)} characters. Put it into the URL yourself.`,
    });
  }
  return textField({
    ...field,
    label: isSet ? 'New signing secret' : 'Signing secret',
    help: `${whereFrom(platforms, state.platform)}${isSet ? '' : ' It is never shown again.'}`,
  });
}

function whereFrom(platforms: Platforms, platform: Platform): string {
  const vendor = platforms.vendorOf(platform);
  return platforms.isSecretEntered(platform)
    ? `The same that you enter in ${vendor}.`
    : `Copy it from ${vendor}.`;
}

function dates({ connection }: PlatformView): Html | null {
  if (!connection?.secretSetAt) return null;
  const { secretSetAt, secretCount, formerUntil } = connection;
  const many =
    secretCount > 1
      ? html`${secretCount} secrets are valid; the newest was set ${exactTime(secretSetAt)}.`
      : html`Set ${exactTime(secretSetAt)}, and never shown again.`;
  const former = formerUntil ? html` The one before it works until ${exactTime(formerUntil)}.` : '';
  const how =
    secretCount > 1 && !formerUntil
      ? ' None of them ends by itself. Once the shop signs with the new one only, enter the new one again and press “Replace”: the others then end 24 hours later.'
      : '';
  return html`<p class="muted small">${many}${former}${how}</p>`;
}

function mappingAgain({ connection, orgId }: PlatformView): Html | null {
  if (connection?.state !== 'unmapped') return null;
  return copyField({
    label: 'The operator of this service maps the account again with',
    text: `handover account map --org ${orgId} --account ${connection.name}`,
  });
}

/** What is missing for orders of the shared platform, and who can do it. */
function sharedWords({ serviceIsSetUp, isOperator, state, orgId, platforms }: PlatformView): Html {
  const vendor = platforms.vendorOf(state.platform);
  const who = isOperator
    ? 'You operate it, so you can do both.'
    : 'Only the operator of this service can do both.';
  const words = serviceIsSetUp
    ? state.connections.length > 0
      ? html`The service holds the secret of this address, for all its organisations. There is nothing to set here.`
      : html`The service is connected. If you sell through a ${vendor} account of your own, it must still be mapped to your organisation (<span class="mono">${orgId}</span>). ${isOperator ? 'You operate this service, so you can do it.' : 'Only the operator of this service can do that.'}`
    : html`${vendor} is not connected to this service yet. Missing are the signing secret of the webhook address above, and, if you sell through a ${vendor} account of your own, its mapping to your organisation (<span class="mono">${orgId}</span>). ${who}`;
  const link = linkButton('/dashboard/settings/installation/payments-a', {
    words: serviceIsSetUp ? `Manage ${vendor}` : `Connect ${vendor}`,
    primary: !serviceIsSetUp,
  });
  return html`<p class="muted small">${words}</p>${isOperator ? html`<div class="form-actions">${link}</div>` : ''}`;
}
