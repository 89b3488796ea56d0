import { type ConnectionRules, type Platform, readRules, setConnectionRules } from '@handover/domain';
import { CommandError, type CommandPorts, type OpenedCommand } from './run-command.ts';
import { wrongOption } from './wrong-option.ts';

/** The options of `integration set` that are rules. */
export interface RuleOptions {
  readonly strict?: boolean;
  readonly ignoreTestOrders?: boolean;
  readonly defaultCurrency?: string;
}

/** Checked before any change, so that a command does everything or nothing. */
export function readRuleOptions({
  strict,
  ignoreTestOrders,
  defaultCurrency,
}: RuleOptions): Partial<ConnectionRules> {
  const rules = readRules({
    ...(strict === undefined ? {} : { strict }),
    ...(ignoreTestOrders === undefined ? {} : { ignoreTestOrders }),
    ...(defaultCurrency === undefined
      ? {}
      : { defaultCurrency: defaultCurrency === 'none' ? null : defaultCurrency }),
  });
  if ('kind' in rules) throw wrongOption(rules);
  return rules;
}

/** Changes nothing if no rule is given, and returns all rules, and whether any changed. */
export async function setRules(
  ports: CommandPorts,
  {
    org: orgId,
    platform,
    name,
  }: { readonly org: string; readonly platform: Platform; readonly name: string },
  rules: Partial<ConnectionRules>,
): Promise<{ readonly rules: ConnectionRules; readonly isChanged: boolean }> {
  const set = await setConnectionRules(ports, { orgId, platform, name, rules });
  if (set.kind === 'invalid') throw wrongOption(set);
  if (set.kind === 'set') return set;
  throw new CommandError(
    `--org ${orgId} has no connection “${name}” of ${platform}. Set its secret first, with --secret-stdin.`,
  );
}

/** Each given rule as a sentence, with its current value. */
export function describeRules(given: Partial<ConnectionRules>, current: ConnectionRules): readonly string[] {
  return Object.keys(given).map((rule) => RULES[rule as keyof ConnectionRules](current));
}

const RULES: { readonly [Rule in keyof ConnectionRules]: (rules: ConnectionRules) => string } = {
  strict: ({ strict }) =>
    strict
      ? 'The connection is strict: a proof of origin that was used before, is old, or does not name its order is refused.'
      : 'The connection is not strict: a proof of origin that was used before, is old, or does not name its order is accepted, with a note.',
  ignoreTestOrders: ({ ignoreTestOrders }) =>
    ignoreTestOrders ? 'Test orders are ignored.' : 'Test orders are delivered like others.',
  defaultCurrency: ({ defaultCurrency }) =>
    defaultCurrency === null
      ? 'Orders that name no currency are in the organisation’s default.'
      : `Orders that name no currency are in ${defaultCurrency}.`,
};

/** Says so where a strict connection refuses nothing more, because requests of the platform have no such proof. */
export function explainStrict(
  { composition, platforms }: OpenedCommand,
  platform: Platform,
): readonly string[] {
  if (composition.resolve('platformWebhooks')[platform]?.proofOfOrigin) return [];
  return [`Webhooks of ${platforms.vendorOf(platform)} have no such proof, so this changes nothing there.`];
}
