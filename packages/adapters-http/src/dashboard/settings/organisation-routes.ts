import {
  type AuditedAction,
  type Organisation,
  runAuditedAction,
  setAlertAddress,
  setDefaultCurrency,
  setLocale,
  updateOrganisation,
} from '@handover/domain';
import type { HttpOptions, HttpPorts } from '../../http-ports.ts';
import { type Answer, action, type DashboardRequest, type DashboardRoute, page } from '../dashboard-route.ts';
import { organisationPage } from './organisation-page.ts';

type Ports = Pick<HttpPorts, 'clock' | 'ids' | 'inTransaction' | 'organisations'>;

/** The organisation's name, and the address for its notifications. */
export function organisationRoutes(
  ports: Ports,
  { senderAddress }: Pick<HttpOptions, 'senderAddress'>,
): readonly DashboardRoute[] {
  const withOrganisation = async (
    { orgId }: DashboardRequest,
    answer: (organisation: Organisation) => Promise<Answer>,
  ): Promise<Answer> => {
    const organisation = await ports.organisations.find(orgId);
    return organisation ? answer(organisation) : { kind: 'not-found' };
  };

  return [
    page('/settings/organisation', 'admin', async (context) =>
      withOrganisation(context, async (organisation) =>
        organisationPage({ ...context, organisation, senderAddress }),
      ),
    ),

    action('/settings/organisation/mails', 'admin', async (context, posted) =>
      withOrganisation(context, async (organisation) => {
        const mails = { name: posted.get('name') ?? '', email: posted.get('email') ?? '' };
        const summary = `Mails come from “${mails.name.trim()}”, and replies go to ${mails.email.trim()}.`;
        const result = await runAuditedAction(
          ports,
          context,
          (within) => updateOrganisation(within, context.orgId, mails),
          ({ kind }) => (kind === 'updated' ? changeOf(context, summary) : null),
        );
        if (result.kind === 'unknown-organisation') return { kind: 'not-found' };
        if (result.kind === 'invalid') {
          const problems = { [result.field]: `It ${result.problem}.` };
          return organisationPage({ ...context, organisation, senderAddress, mails, problems });
        }
        const toast = { title: 'Saved', sentence: 'Mails that go out from now on have it.' };
        return { kind: 'redirect', to: '/dashboard/settings/organisation', toast };
      }),
    ),

    action('/settings/organisation/language', 'admin', async (context, posted) =>
      withOrganisation(context, async (organisation) => {
        const locale = { language: posted.get('language') ?? '', timeZone: posted.get('timeZone') ?? '' };
        const result = await runAuditedAction(
          ports,
          context,
          (within) => setLocale(within, context.orgId, locale),
          (outcome) => (outcome.kind === 'set' ? changeOf(context, explainLocale(outcome)) : null),
        );
        if (result.kind === 'unknown-organisation') return { kind: 'not-found' };
        if (result.kind === 'invalid') {
          const problems = { [result.field]: `It ${result.problem}.` };
          return organisationPage({ ...context, organisation, senderAddress, locale, problems });
        }
        const toast = { title: 'Saved', sentence: explainLocale(result) };
        return { kind: 'redirect', to: '/dashboard/settings/organisation', toast };
      }),
    ),

    action('/settings/organisation/currency', 'admin', async (context, posted) =>
      withOrganisation(context, async (organisation) => {
        const defaultCurrency = posted.get('defaultCurrency') ?? '';
        const result = await runAuditedAction(
          ports,
          context,
          (within) => setDefaultCurrency(within, context.orgId, defaultCurrency),
          (outcome) => (outcome.kind === 'set' ? changeOf(context, explainCurrency(outcome.currency)) : null),
        );
        if (result.kind === 'unknown-organisation') return { kind: 'not-found' };
        if (result.kind === 'invalid') {
          const problems = { [result.field]: `It ${result.problem}.` };
          return organisationPage({ ...context, organisation, senderAddress, defaultCurrency, problems });
        }
        const toast = { title: 'Saved', sentence: explainCurrency(result.currency) };
        return { kind: 'redirect', to: '/dashboard/settings/organisation', toast };
      }),
    ),

    action('/settings/organisation/alerts', 'admin', async (context, posted) =>
      withOrganisation(context, async (organisation) => {
        const alertEmail = posted.get('alertEmail')?.trim() ?? '';
        const summary = `Alerts go to ${alertEmail || 'the owners'}.`;
        const result = await runAuditedAction(
          ports,
          context,
          (within) => setAlertAddress(within, context.orgId, alertEmail || null),
          ({ kind }) => (kind === 'set' ? changeOf(context, summary) : null),
        );
        if (result.kind === 'unknown-organisation') return { kind: 'not-found' };
        if (result.kind === 'invalid') {
          const problems = { [result.field]: `It ${result.problem}.` };
          return organisationPage({ ...context, organisation, senderAddress, alertEmail, problems });
        }
        const toast = { title: 'Saved', sentence: summary };
        return { kind: 'redirect', to: '/dashboard/settings/organisation', toast };
      }),
    ),
  ];
}

function explainLocale({ language, timeZone }: Pick<Organisation, 'language' | 'timeZone'>): string {
  const name = new Intl.DisplayNames('en', { type: 'language' }).of(language) ?? language;
  return `Buyers whose language is not known read ${name}, and mails say times in ${timeZone}.`;
}

function explainCurrency(currency: string): string {
  return `Orders that name no currency are in ${currency}.`;
}

function changeOf({ orgId }: DashboardRequest, summary: string): AuditedAction {
  return { kind: 'organisation-changed', subjectId: orgId, summary };
}
