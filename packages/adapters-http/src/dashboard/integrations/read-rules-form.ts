import type { ConnectionRules } from '@handover/domain';

/** The rules that a form names; each stands in a form of its own. */
export function readRulesForm(form: URLSearchParams): Partial<ConnectionRules> {
  const currency = form.get('defaultCurrency')?.trim();
  return {
    ...(form.has('strict') ? { strict: form.get('strict') === 'on' } : {}),
    ...(form.has('ignoreTestOrders') ? { ignoreTestOrders: form.get('ignoreTestOrders') === 'on' } : {}),
    ...(currency === undefined ? {} : { defaultCurrency: currency || null }),
  };
}

/** What holds from now on, of those that were changed. */
export function formatRules(changed: Partial<ConnectionRules>, rules: ConnectionRules): string {
  const { strict, ignoreTestOrders, defaultCurrency } = rules;
  return [
    'strict' in changed
      ? strict
        ? 'A proof that was used before is refused.'
        : 'A proof that was used before is taken, with a note.'
      : '',
    'ignoreTestOrders' in changed
      ? ignoreTestOrders
        ? 'Test orders are ignored.'
        : 'Test orders are delivered like others.'
      : '',
    'defaultCurrency' in changed
      ? defaultCurrency
        ? `Orders that name no currency are in ${defaultCurrency}.`
        : 'Orders that name no currency are in the organisation’s default.'
      : '',
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}
