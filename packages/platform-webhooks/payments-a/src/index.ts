import { type PlatformWebhook, parseJsonExactly } from '@handover/platform-contract';
import { signedSample } from './testing.ts';
import { translate } from './translate.ts';
import { SIGNATURE_HEADERS, verify } from './verify.ts';

export { readTenantRef } from './read-tenant-ref.ts';

/**
 * Stripe Checkout: one event per delivery, as JSON. The organisation is not in the path: see `readTenantRef`.
 */
export const paymentsA: PlatformWebhook = {
  label: 'payments-a',
  answers: 'after-fulfilment',
  keptHeaders: [],
  // The signature covers a time, and the vendor retries for days.
  credential: { kind: 'signature', headers: SIGNATURE_HEADERS, expires: true },
  verify,
  parse: parseJsonExactly,
  translate,
  sample: { sign: signedSample, announcesUnpaid: true },
};
