import type { PlatformWebhook } from './platform-webhook.ts';
import { describeThrown } from './read-payload.ts';

/** Whether a value can be one of the platforms of a service, as far as that can be told without a sample of its orders. */
export type CheckedPlatform =
  | { readonly kind: 'valid'; readonly platform: PlatformWebhook }
  /** Sentences that follow the platform's name: "needs …". */
  | { readonly kind: 'invalid'; readonly problems: readonly string[] };

/**
 * The cheap part of the contract of every platform, for a service that is given one when it starts: its members are there
 * and of their types, its label can stand in an address and is not `taken`, and it lets nothing in without a secret. What
 * it makes of orders is proved by `platformContract` in its own tests.
 */
export function checkPlatform(value: unknown, taken: readonly string[]): CheckedPlatform {
  if (typeof value !== 'object' || value === null) {
    return {
      kind: 'invalid',
      problems: ['needs to export a platform (PlatformWebhook), as default or alone'],
    };
  }
  const platform = value as Readonly<Record<string, unknown>>;
  const problems = [...CHECKS.flatMap((check) => check(platform) ?? []), ...checkLabel(platform, taken)];
  if (problems.length > 0) return { kind: 'invalid', problems };
  const found = value as PlatformWebhook;
  const open = findOpenDoor(found);
  return open === null ? { kind: 'valid', platform: found } : { kind: 'invalid', problems: [open] };
}

type Check = (platform: Readonly<Record<string, unknown>>) => string | null;

const CHECKS: readonly Check[] = [
  ...['verify', 'parse', 'translate'].map(
    (name): Check =>
      (platform) =>
        typeof platform[name] === 'function' ? null : `needs the function “${name}”`,
  ),
  ({ answers }) =>
    answers === 'after-fulfilment' || answers === 'after-recording'
      ? null
      : 'needs “answers” to be after-fulfilment or after-recording',
  ({ keptHeaders }) =>
    isListOfHeaders(keptHeaders) ? null : 'needs “keptHeaders” to list names of headers in lower case',
  ({ credential }) =>
    isCredential(credential)
      ? null
      : 'needs “credential” to name headers in lower case, or the parameter “secret” of its URL',
  ({ name }) =>
    name === undefined || (typeof name === 'string' && /^\S(.{0,58}\S)?$/u.test(name))
      ? null
      : 'needs “name” to be a text of 1 to 60 characters, or none',
  ({ isPing }) =>
    isPing === undefined || typeof isPing === 'function' ? null : 'needs “isPing” to be a function, or none',
  ({ sample }) =>
    sample === undefined || hasFunction(sample, 'sign')
      ? null
      : 'needs “sample” to have the function “sign”, or none',
];

const LABEL = /^[a-z0-9]+(-[a-z0-9]+)*$/;

function* checkLabel(
  { label }: Readonly<Record<string, unknown>>,
  taken: readonly string[],
): Iterable<string> {
  if (typeof label !== 'string' || !LABEL.test(label) || label.length > 40) {
    yield 'needs a “label” of up to 40 lower-case letters and digits, with hyphens between them, such as gumtree-a';
  } else if (taken.includes(label)) yield `needs another “label”: ${label} is taken`;
}

function isListOfHeaders(value: unknown): boolean {
  return Array.isArray(value) && value.every((name) => typeof name === 'string' && /^[a-z0-9-]+$/.test(name));
}

function isCredential(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('kind' in value)) return false;
  // Logs and pages know this name, and keep what it holds to themselves.
  if (value.kind === 'secret-in-url') return 'parameter' in value && value.parameter === 'secret';
  return value.kind === 'signature' && 'headers' in value && isListOfHeaders(value.headers);
}

function hasFunction(value: unknown, name: string): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as Record<string, unknown>)[name] === 'function'
  );
}

const STRANGER = { headers: {}, query: {}, body: new Uint8Array(), receivedAt: new Date(0) };

/** With no secret set, and nothing signed, there is nobody to let in. */
function findOpenDoor(platform: PlatformWebhook): string | null {
  const inbound = { ...STRANGER, platform: platform.label };
  const connections = [{ id: 'check', secrets: ['a secret that nobody signed with'] }];
  for (const asked of [[], connections]) {
    try {
      if (platform.verify(inbound, asked, inbound.receivedAt).kind !== 'refused') {
        return 'needs “verify” to refuse a request that carries nothing';
      }
    } catch (error) {
      return `needs “verify” to refuse a request that carries nothing, instead of throwing: ${describeThrown(error)}`;
    }
  }
  return null;
}
