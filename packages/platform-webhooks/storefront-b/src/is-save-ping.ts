import type { InboundDelivery } from '@handover/platform-contract';
import { TOPIC_HEADERS } from './translate.ts';
import { SIGNATURE_HEADERS } from './verify.ts';

/**
 * The form that the shop posts when a webhook is first saved, with none of its headers. Any answer but 200
 * shows the merchant an error and leaves the webhook disabled.
 * https://github.com/woocommerce/woocommerce/blob/trunk/plugins/woocommerce/includes/class-wc-webhook.php (deliver_ping)
 */
export function isSavePing({ body, headers }: Pick<InboundDelivery, 'body' | 'headers'>): boolean {
  const bare = [...SIGNATURE_HEADERS, ...TOPIC_HEADERS].every((name) => headers[name] === undefined);
  return bare && body.length <= MAX_PING_BYTES && SAVE_PING.test(new TextDecoder('latin1').decode(body));
}

export const MAX_PING_BYTES = 40;
const SAVE_PING = /^webhook_id=\d+$/;
