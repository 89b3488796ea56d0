import { type ConnectionRules, runAuditedAction, setConnectionRules } from '@handover/domain';
import type { HttpPorts } from '../../http-ports.ts';
import type { Answer, DashboardRequest } from '../dashboard-route.ts';
import { type PlatformView, platformPage } from './platform-page.ts';

type Ports = Pick<HttpPorts, 'clock' | 'connections' | 'ids' | 'inTransaction' | 'platforms'>;

/** Saves the rule that the form is about. */
export async function setRules(
  ports: Ports,
  context: DashboardRequest,
  view: PlatformView,
  form: URLSearchParams,
): Promise<Answer> {
  const { connection, state } = view;
  if (!connection) return { kind: 'not-found' };
  const rules = readRulesForm(form);
  const { platform } = state;
  const change = { orgId: context.orgId, platform, name: connection.name, rules };
  const result = await runAuditedAction(
    ports,
    context,
    (within) => setConnectionRules(within, change),
    (changed) => {
      if (changed.kind !== 'set' || !changed.isChanged) return null;
      const summary = `${ports.platforms.vendorOf(platform)}, “${connection.name}”: ${formatRules(rules, changed.rules)}`;
      return { kind: 'integration-changed', subjectId: connection.id, summary };
    },
  );
  if (result.kind === 'unknown-connection') return { kind: 'not-found' };
  if (result.kind === 'invalid') {
    const problems = { [result.field]: `It ${result.problem}.` };
    return platformPage({ ...view, typedCurrency: form.get('defaultCurrency'), problems });
  }
  const sentence = formatRules(rules, result.rules);
  return {
    kind: 'redirect',
    to: `/dashboard/settings/integrations/${platform}?shop=${connection.id}`,
    toast: { title: 'Saved', sentence },
  };
}

/** The rules in a form; each form has one. */
function readRulesForm(form: URLSearchParams): Partial<ConnectionRules> {
  const currency = form.get('defaultCurrency')?.trim();
  return {
    ...(form.has('strict') ? { strict: form.get('strict') === 'on' } : {}),
    ...(form.has('ignoreTestOrders') ? { ignoreTestOrders: form.get('ignoreTestOrders') === 'on' } : {}),
    ...(currency === undefined ? {} : { defaultCurrency: currency || null }),
  };
}

/** Describes the changed rules. */
function formatRules(changed: Partial<ConnectionRules>, rules: ConnectionRules): string {
  const { strict, ignoreTestOrders, defaultCurrency } = rules;
  const sentences = {
    strict: strict
      ? 'A proof that was used before is refused.'
      : 'A proof that was used before is taken, with a note.',
    ignoreTestOrders: ignoreTestOrders
      ? 'Test orders are ignored.'
      : 'Test orders are delivered like others.',
    defaultCurrency: defaultCurrency
      ? `Orders that name no currency are in ${defaultCurrency}.`
      : 'Orders that name no currency are in the organisation’s default.',
  };
  return Object.entries(sentences)
    .flatMap(([rule, sentence]) => (rule in changed ? sentence : []))
    .join(' ');
}
