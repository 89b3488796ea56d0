import type { KnownPlatform } from '@handover/domain';
import { cartA } from '@handover/platform-cart-a';
import { checkoutA } from '@handover/platform-checkout-a';
import { checkoutAClassic } from '@handover/platform-checkout-a-classic';
import type { PlatformWebhook } from '@handover/platform-contract';
import { paymentsA } from '@handover/platform-payments-a';
import { storefrontA } from '@handover/platform-storefront-a';
import { storefrontB } from '@handover/platform-storefront-b';

/**
 * The platforms. Shops send duplicates, and a platform's result for the same bytes is always the same: all its
 * functions are pure. So each body is verified and parsed once, for all histories together.
 */
export const PLATFORM_WEBHOOKS: Readonly<Record<KnownPlatform, PlatformWebhook>> = {
  'storefront-a': rememberAnswers(storefrontA),
  'storefront-b': rememberAnswers(storefrontB),
  'payments-a': rememberAnswers(paymentsA),
  'checkout-a': rememberAnswers(checkoutA),
  'checkout-a-classic': rememberAnswers(checkoutAClassic),
  'cart-a': rememberAnswers(cartA),
};

function rememberAnswers(platform: PlatformWebhook): PlatformWebhook {
  const verified = new WeakMap<Uint8Array, Map<string, ReturnType<PlatformWebhook['verify']>>>();
  const parsed = new WeakMap<Uint8Array, Map<string, ReturnType<PlatformWebhook['parse']>>>();
  const translated = new WeakMap<object, Map<string, ReturnType<PlatformWebhook['translate']>>>();
  // A body that is signed with its time is not sent twice.
  const expires = platform.credential.kind === 'signature' && platform.credential.expires === true;
  return {
    ...platform,
    verify: (inbound, connections, now) => {
      if (expires) return platform.verify(inbound, connections, now);
      const secrets = connections.map(({ id, secrets }) => [id, secrets]);
      const request = JSON.stringify([inbound.headers, inbound.query, secrets]);
      return readOnce(verified, inbound.body, request, () => platform.verify(inbound, connections, now));
    },
    parse: (body, headers) =>
      readOnce(parsed, body, JSON.stringify(headers), () => platform.parse(body, headers)),
    translate: (payload, headers) =>
      typeof payload === 'object' && payload !== null
        ? readOnce(translated, payload, JSON.stringify(headers), () => platform.translate(payload, headers))
        : platform.translate(payload, headers),
  };
}

/** Bounded by the bodies that are sent again: see `composeDelivery`. */
function readOnce<Answer>(
  known: WeakMap<object, Map<string, Answer>>,
  of: object,
  key: string,
  ask: () => Answer,
): Answer {
  let answers = known.get(of);
  if (!answers) {
    answers = new Map();
    known.set(of, answers);
  }
  const before = answers.get(key);
  if (before !== undefined) return before;
  const answer = ask();
  answers.set(key, answer);
  return answer;
}
