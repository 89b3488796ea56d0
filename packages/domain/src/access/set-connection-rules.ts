import type { ConnectionRules } from '../model/connection.ts';
import type { Platform } from '../model/platform.ts';
import { type InvalidInput, readCurrency } from '../model/validation.ts';
import type { Connections } from '../ports/connections.ts';

/** `rules`: all current rules. `isChanged`: whether any value changed. */
type SetConnectionRulesResult =
  | { readonly kind: 'set'; readonly rules: ConnectionRules; readonly isChanged: boolean }
  | InvalidInput
  | { readonly kind: 'unknown-connection' };

/** Changes the given rules of a connection. They apply to later decisions. */
export async function setConnectionRules(
  ports: { readonly connections: Pick<Connections, 'setRules'> },
  input: {
    readonly orgId: string;
    readonly platform: Platform;
    readonly name: string;
    readonly rules: Partial<ConnectionRules>;
  },
): Promise<SetConnectionRulesResult> {
  const change = readRules(input.rules);
  if ('kind' in change) return change;
  const set = await ports.connections.setRules(input.orgId, input.platform, input.name.trim(), change);
  return set ? { kind: 'set', ...set } : { kind: 'unknown-connection' };
}

/** The given rules, with a normalized currency. */
export function readRules(rules: Partial<ConnectionRules>): Partial<ConnectionRules> | InvalidInput {
  const { defaultCurrency } = rules;
  if (defaultCurrency === undefined || defaultCurrency === null) return rules;
  const read = readCurrency('defaultCurrency', defaultCurrency);
  return read.kind === 'invalid' ? read : { ...rules, defaultCurrency: read.value };
}
