import { LANGUAGES, type Language, type Organisation } from '@handover/domain';
import { type Html, html } from '@handover/html';
import type { Answer, DashboardRequest } from '../dashboard-route.ts';
import { submitButton } from '../parts/button.ts';
import { copyField } from '../parts/copy-field.ts';
import { fieldsOf, postForm, selectField, statusOf, textField } from '../parts/form.ts';
import { pageHeader } from '../parts/page-header.ts';
import { dayOf } from '../parts/time.ts';

export interface OrganisationState extends Pick<DashboardRequest, 'csrfToken' | 'now'> {
  readonly organisation: Organisation;
  readonly senderAddress: string;
  /** The typed values, if they could not be saved. */
  readonly mails?: Pick<Organisation, 'name' | 'email'>;
  readonly locale?: { readonly language: string; readonly timeZone: string };
  readonly alertEmail?: string;
  readonly defaultCurrency?: string;
  readonly problems?: Readonly<Record<string, string>>;
}

export function organisationPage(state: OrganisationState): Answer {
  const { organisation, problems = {} } = state;
  const main = html`${pageHeader({ title: 'Organisation', meta: ['What buyers see of you, and where mail goes'] })}
<div class="stack narrow">${mailCard(state)}${localeCard(state)}${currencyCard(state)}${alertCard(state)}${subscriptionCard(state)}
<section class="card"><section class="form">${copyField({ label: 'Organisation id', text: organisation.id })}
<p class="muted small">It is part of your webhook addresses. The operator of this service may ask for it.</p></section></section></div>`;
  return {
    kind: 'page',
    status: statusOf(problems),
    title: 'Organisation',
    main,
  };
}

function mailCard({
  organisation,
  senderAddress,
  mails = organisation,
  problems = {},
  csrfToken,
}: OrganisationState): Html {
  const field = fieldsOf(mails, problems);
  const body = html`${textField({ ...field('name', 'Name in mails'), required: true, help: 'Who receipts come from, and the name on download pages.' })}
${textField({ ...field('email', 'Reply address'), type: 'email', required: true, help: 'A buyer who answers a receipt writes to it.' })}
<div class="field"><span class="label">Receipts appear as</span><dl class="sender"><dt>From</dt><dd><bdi>${organisation.name}</bdi> &lt;${senderAddress}&gt;</dd><dt>Reply-To</dt><dd><bdi>${organisation.email}</bdi></dd></dl></div>
<div class="form-actions">${submitButton({ words: 'Save mail settings', primary: true })}</div>`;
  return html`<section class="card"><header><h2>Mails to buyers</h2></header><section>${postForm({ action: '/dashboard/settings/organisation/mails', csrfToken, body })}</section></section>`;
}

/** Names of the languages in themselves, so that everybody finds their own. */
const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  pt: 'Português',
  ja: '日本語',
};

function localeCard({
  organisation,
  locale = organisation,
  problems = {},
  csrfToken,
}: OrganisationState): Html {
  const zones = new Set(['UTC', organisation.timeZone, ...Intl.supportedValuesOf('timeZone')]);
  const field = fieldsOf(locale, problems);
  const language = selectField({
    ...field('language', 'Language'),
    options: LANGUAGES.map((value) => ({ value, words: LANGUAGE_NAMES[value] })),
    help: 'For pages and mails, unless the buyer’s browser or order asks for another one.',
  });
  const timeZone = selectField({
    ...field('timeZone', 'Time zone'),
    options: [...zones].map((value) => ({ value, words: value.replaceAll('_', ' ') })),
    help: 'For times in mails to buyers. Pages show times in the buyer’s own zone.',
  });
  const body = html`${language}${timeZone}<div class="form-actions">${submitButton({ words: 'Save language and time zone' })}</div>`;
  return html`<section class="card" id="language-card"><header><h2>Language of buyers</h2></header><section>${postForm({ action: '/dashboard/settings/organisation/language', csrfToken, body })}</section></section>`;
}

function currencyCard({
  organisation,
  defaultCurrency = organisation.defaultCurrency ?? '',
  problems = {},
  csrfToken,
}: OrganisationState): Html {
  const field = fieldsOf({ defaultCurrency }, problems)('defaultCurrency', 'Default currency');
  const help =
    'Such as EUR. Used for orders that name no currency, unless their connection has its own. SamCart never names one.';
  const body = html`${textField({ ...field, required: true, mono: true, help })}<div class="form-actions">${submitButton({ words: 'Save' })}</div>`;
  return html`<section class="card" id="currency"><header><h2>Currency</h2></header><section>${postForm({ action: '/dashboard/settings/organisation/currency', csrfToken, body })}</section></section>`;
}

function alertCard({
  organisation,
  alertEmail = organisation.alertEmail ?? '',
  problems = {},
  csrfToken,
}: OrganisationState): Html {
  const field = fieldsOf({ alertEmail }, problems)('alertEmail', 'Alert address');
  const help = 'We write to it when a delivery fails. If empty, we write to every owner.';
  const body = html`${textField({ ...field, type: 'email', help })}<div class="form-actions">${submitButton({ words: 'Save alert address' })}</div>`;
  return html`<section class="card"><header><h2>Alerts to you</h2></header><section>${postForm({ action: '/dashboard/settings/organisation/alerts', csrfToken, body })}</section></section>`;
}

function subscriptionCard({ organisation: { subscriptionExpiresAt: until } }: OrganisationState): Html {
  const sentence = until
    ? html`Valid until <strong>${dayOf(until)}</strong>. Later orders are held, and delivered once it is renewed. The operator of this service renews it.`
    : 'No end date.';
  return html`<section class="card"><header><h2>Subscription</h2></header><section><p>${sentence}</p></section></section>`;
}
