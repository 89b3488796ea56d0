import {
  type InvalidInput,
  type Organisation,
  runAuditedAction,
  type Stores,
  setAlertAddress,
  setDefaultCurrency,
  setLocale,
  updateOrganisation,
} from '@handover/domain';
import type { AuditPorts, HttpOptions, HttpPorts } from '../../http-ports.ts';
import { type Answer, action, type DashboardRequest, type DashboardRoute, page } from '../dashboard-route.ts';
import { explainProblems, readTexts } from '../parts/form.ts';
import { type OrganisationState, organisationPage } from './organisation-page.ts';

type Ports = Pick<HttpPorts, 'clock' | 'ids' | 'inTransaction' | 'organisations'>;

/** What came of a form. `summary` is for the activity log, unless nothing was changed, `sentence` for the user. */
type Saved =
  | {
      readonly kind: 'saved';
      readonly isChanged: boolean;
      readonly summary: string;
      readonly sentence: string;
    }
  | (InvalidInput & { readonly problems?: readonly InvalidInput[] })
  | { readonly kind: 'unknown-organisation' };

/** What buyers see of the organisation, and the addresses for its notifications. Each form is saved by itself. */
export function organisationRoutes(
  ports: Ports,
  { senderAddress }: Pick<HttpOptions, 'senderAddress'>,
): readonly DashboardRoute[] {
  const settings = { ports, senderAddress };
  return [
    page('/settings/organisation', 'admin', (context) => show(settings, context, {})),

    action('/settings/organisation/mails', 'admin', (context, posted) => {
      const mails = readTexts(posted, 'name', 'email');
      return save(settings, context, { mails }, async (within) => {
        const result = await updateOrganisation(within, context.orgId, mails);
        if (result.kind !== 'updated') return result;
        const summary = `Mails come from “${mails.name.trim()}”, and replies go to ${mails.email.trim()}.`;
        const sentence = 'Mails that go out from now on have it.';
        return { kind: 'saved', isChanged: result.isChanged, summary, sentence };
      });
    }),

    action('/settings/organisation/language', 'admin', (context, posted) => {
      const locale = readTexts(posted, 'language', 'timeZone');
      return save(settings, context, { locale }, async (within) => {
        const result = await setLocale(within, context.orgId, locale);
        return result.kind === 'set' ? saved(result, explainLocale(result)) : result;
      });
    }),

    action('/settings/organisation/currency', 'admin', (context, posted) => {
      const defaultCurrency = posted.get('defaultCurrency') ?? '';
      return save(settings, context, { defaultCurrency }, async (within) => {
        const result = await setDefaultCurrency(within, context.orgId, defaultCurrency);
        return result.kind === 'set'
          ? saved(result, `Orders that name no currency are in ${result.currency}.`)
          : result;
      });
    }),

    action('/settings/organisation/alerts', 'admin', (context, posted) => {
      const alertEmail = posted.get('alertEmail')?.trim() ?? '';
      return save(settings, context, { alertEmail }, async (within) => {
        const result = await setAlertAddress(within, context.orgId, alertEmail || null);
        return result.kind === 'set' ? saved(result, `Alerts go to ${alertEmail || 'the owners'}.`) : result;
      });
    }),
  ];
}

interface Settings {
  readonly ports: Ports;
  readonly senderAddress: string;
}

async function show(
  { ports, senderAddress }: Settings,
  context: DashboardRequest,
  typed: Partial<OrganisationState>,
): Promise<Answer> {
  const organisation = await ports.organisations.find(context.orgId);
  if (!organisation) return { kind: 'not-found' };
  return organisationPage({ ...context, organisation, senderAddress, ...typed });
}

/** Saves what was typed, or shows it again with its problem. */
async function save(
  settings: Settings,
  context: DashboardRequest,
  typed: Partial<OrganisationState>,
  change: (within: AuditPorts & Stores) => Promise<Saved>,
): Promise<Answer> {
  const result = await runAuditedAction(settings.ports, context, change, (saved) =>
    saved.kind === 'saved' && saved.isChanged
      ? { kind: 'organisation-changed', subjectId: context.orgId, summary: saved.summary }
      : null,
  );
  if (result.kind === 'unknown-organisation') return { kind: 'not-found' };
  if (result.kind === 'invalid') {
    return show(settings, context, { ...typed, problems: explainProblems(result.problems ?? [result]) });
  }
  const toast = { title: 'Saved', sentence: result.sentence };
  return { kind: 'redirect', to: '/dashboard/settings/organisation', toast };
}

function saved({ isChanged }: { readonly isChanged: boolean }, sentence: string): Saved {
  return { kind: 'saved', isChanged, summary: sentence, sentence };
}

function explainLocale({ language, timeZone }: Pick<Organisation, 'language' | 'timeZone'>): string {
  const name = new Intl.DisplayNames('en', { type: 'language' }).of(language) ?? language;
  return `Buyers whose language is not known read ${name}, and mails give times in ${timeZone}.`;
}
