import {
  type InboundDelivery,
  type SigningConnection,
  type Verification,
  verifyHmac,
} from '@handover/platform-contract';
import { TOPIC_HEADERS } from './translate.ts';

// https://woocommerce.github.io/woocommerce-rest-api-docs/#webhooks
// There is no timestamp to check. A shop with an empty secret signs with an empty key, which is never
// tried.
export function verify(inbound: InboundDelivery, connections: readonly SigningConnection[]): Verification {
  return verifyHmac(inbound, connections, {
    headers: SIGNATURE_HEADERS,
    encodings: ['base64'],
    keys: listSecretForms,
  });
}

export const SIGNATURE_HEADERS = ['x-storefront-b-webhook-signature', 'x-wc-webhook-signature'];

/**
 * The keys that a shop may sign with when its merchant typed this secret. Shops can store `&`, `<`, `>` and
 * quotes as HTML entities; current releases decode them before signing, older ones sign with the stored
 * text.
 * https://github.com/woocommerce/woocommerce/blob/trunk/plugins/woocommerce/includes/class-wc-webhook.php
 * (generate_signature)
 */
export function listSecretForms(secret: string): readonly string[] {
  return [...new Set([secret, encodeEntities(secret), decodeEntities(secret)])];
}

function encodeEntities(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES.get(character) ?? character);
}

/** Decodes in one pass, as the shop does: the result is not decoded again. */
function decodeEntities(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|apos|#0*38|#0*39|#x0*27);/gi, (entity) => {
    return CHARACTERS.get(entity.toLowerCase().replace(/#(x?)0+/, '#$1')) ?? entity;
  });
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#039;'],
]);

const CHARACTERS: ReadonlyMap<string, string> = new Map([
  ['&amp;', '&'],
  ['&#38;', '&'],
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&apos;', "'"],
  ['&#39;', "'"],
  ['&#x27;', "'"],
]);

/**
 * The form that the shop posts when a webhook is first saved, without its usual headers. Any answer but 200
 * shows the merchant an error and leaves the webhook disabled.
 * https://github.com/woocommerce/woocommerce/blob/trunk/plugins/woocommerce/includes/class-wc-webhook.php
 * (deliver_ping)
 */
export function isSavePing({ body, headers }: Pick<InboundDelivery, 'body' | 'headers'>): boolean {
  const bare = [...SIGNATURE_HEADERS, ...TOPIC_HEADERS].every((name) => headers[name] === undefined);
  return bare && body.length <= MAX_PING_BYTES && SAVE_PING.test(new TextDecoder('latin1').decode(body));
}

export const MAX_PING_BYTES = 40;
const SAVE_PING = /^webhook_id=\d+$/;
