import { cartA } from '../packages/platform-webhooks/cart-a/src/index.ts';
import {
  sampleThriveCart,
  sampleUltraCart,
  ultraCartOrder,
} from '../packages/platform-webhooks/cart-a/src/testing.ts';
import { checkoutA } from '../packages/platform-webhooks/checkout-a/src/index.ts';
import { signForTest as signCheckoutA } from '../packages/platform-webhooks/checkout-a/src/testing.ts';
import { checkoutAClassic } from '../packages/platform-webhooks/checkout-a-classic/src/index.ts';
import { signForTest as signCheckoutAClassic } from '../packages/platform-webhooks/checkout-a-classic/src/testing.ts';
import type {
  PlatformWebhook,
  SampleSale,
  SignedRequest,
} from '../packages/platform-webhooks/contract/src/index.ts';
import { paymentsA } from '../packages/platform-webhooks/payments-a/src/index.ts';
import { signForTest as signPaymentsA } from '../packages/platform-webhooks/payments-a/src/testing.ts';
import { storefrontA } from '../packages/platform-webhooks/storefront-a/src/index.ts';
import { signForTest as signStorefrontA } from '../packages/platform-webhooks/storefront-a/src/testing.ts';
import { storefrontB } from '../packages/platform-webhooks/storefront-b/src/index.ts';
import { signForTest as signStorefrontB } from '../packages/platform-webhooks/storefront-b/src/testing.ts';

/** A platform, and how its vendor would sign any body. */
export interface BenchPlatform {
  readonly webhook: PlatformWebhook;
  sign(secret: string, body: Uint8Array): Pick<SignedRequest, 'headers' | 'query'>;
  /** Genuine bodies of other shapes than its sample. */
  readonly others?: readonly Uint8Array[];
}

const SECRET = 'bench-secret-bench-secret';

const inHeaders =
  (sign: (secret: string, body: Uint8Array) => Readonly<Record<string, string>>): BenchPlatform['sign'] =>
  (secret, body) => ({ headers: { 'content-type': 'application/json', ...sign(secret, body) }, query: {} });

export const BENCH_PLATFORMS: readonly BenchPlatform[] = [
  { webhook: storefrontA, sign: inHeaders(signStorefrontA) },
  { webhook: storefrontB, sign: inHeaders(signStorefrontB) },
  { webhook: paymentsA, sign: inHeaders(signPaymentsA) },
  { webhook: checkoutA, sign: inHeaders(signCheckoutA) },
  {
    webhook: checkoutAClassic,
    sign: inHeaders((secret) => signCheckoutAClassic(secret, String(Math.random()))),
  },
  {
    webhook: cartA,
    sign: (secret) => ({ headers: { 'content-type': 'application/json' }, query: { secret } }),
    others: [sampleThriveCart(), sampleUltraCart(['order_create', ultraCartOrder()])],
  },
];

/** Genuine bodies, one for each shape that the platform sends. */
export function listSamples(
  { webhook, others = [] }: BenchPlatform,
  sale: SampleSale,
): readonly Uint8Array[] {
  const own = webhook.sample?.sign(SECRET, sale);
  return own ? [own.body, ...others] : others;
}
