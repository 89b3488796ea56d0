import {
  type InboundDelivery,
  type SigningConnection,
  type Verification,
  verifyHmac,
} from '@handover/platform-contract';
import { listSecretForms } from './secret-forms.ts';

// https://woocommerce.github.io/woocommerce-rest-api-docs/#webhooks
// There is no timestamp to check. A shop whose secret is empty signs with an empty key, which is never asked.
export function verify(inbound: InboundDelivery, connections: readonly SigningConnection[]): Verification {
  return verifyHmac(inbound, connections, {
    headers: SIGNATURE_HEADERS,
    encodings: ['base64'],
    keys: listSecretForms,
  });
}

export const SIGNATURE_HEADERS = ['x-storefront-b-webhook-signature', 'x-wc-webhook-signature'];
