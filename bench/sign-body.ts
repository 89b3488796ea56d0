import { cartA } from '../packages/platform-webhooks/cart-a/src/index.ts';
import * as cartASamples from '../packages/platform-webhooks/cart-a/src/testing.ts';
import { checkoutA } from '../packages/platform-webhooks/checkout-a/src/index.ts';
import * as checkoutASamples from '../packages/platform-webhooks/checkout-a/src/testing.ts';
import { checkoutAClassic } from '../packages/platform-webhooks/checkout-a-classic/src/index.ts';
import * as checkoutAClassicSamples from '../packages/platform-webhooks/checkout-a-classic/src/testing.ts';
import type { PlatformWebhook } from '../packages/platform-webhooks/contract/src/index.ts';
import type { SampleSale, SignedRequest } from '../packages/platform-webhooks/contract/src/testing/index.ts';
import { paymentsA } from '../packages/platform-webhooks/payments-a/src/index.ts';
import * as paymentsASamples from '../packages/platform-webhooks/payments-a/src/testing.ts';
import { storefrontA } from '../packages/platform-webhooks/storefront-a/src/index.ts';
import * as storefrontASamples from '../packages/platform-webhooks/storefront-a/src/testing.ts';
import { storefrontB } from '../packages/platform-webhooks/storefront-b/src/index.ts';
import * as storefrontBSamples from '../packages/platform-webhooks/storefront-b/src/testing.ts';

/** A platform, and how its vendor would sign any body. */
export interface BenchPlatform {
  readonly webhook: PlatformWebhook;
  /** Genuine bodies, one for each shape that the platform sends. */
  samples(sale: SampleSale): readonly Uint8Array[];
  sign(secret: string, body: Uint8Array): Pick<SignedRequest, 'headers' | 'query'>;
}

const SECRET = 'bench-secret-bench-secret';

const inHeaders =
  (sign: (secret: string, body: Uint8Array) => Readonly<Record<string, string>>): BenchPlatform['sign'] =>
  (secret, body) => ({ headers: { 'content-type': 'application/json', ...sign(secret, body) }, query: {} });

export const BENCH_PLATFORMS: readonly BenchPlatform[] = [
  {
    webhook: storefrontA,
    samples: (sale) => [storefrontASamples.signedSample(SECRET, sale).body],
    sign: inHeaders(storefrontASamples.signForTest),
  },
  {
    webhook: storefrontB,
    samples: (sale) => [storefrontBSamples.signedSample(SECRET, sale).body],
    sign: inHeaders(storefrontBSamples.signForTest),
  },
  {
    webhook: paymentsA,
    samples: (sale) => [paymentsASamples.signedSample(SECRET, sale).body],
    sign: inHeaders(paymentsASamples.signForTest),
  },
  {
    webhook: checkoutA,
    samples: (sale) => [checkoutASamples.signedSample(SECRET, sale).body],
    sign: inHeaders(checkoutASamples.signForTest),
  },
  {
    webhook: checkoutAClassic,
    samples: (sale) => [checkoutAClassicSamples.signedSample(SECRET, sale).body],
    sign: inHeaders((secret) => checkoutAClassicSamples.signForTest(secret, String(Math.random()))),
  },
  {
    webhook: cartA,
    samples: (sale) => [
      cartASamples.signedSample(SECRET, sale).body,
      cartASamples.sampleThriveCart(),
      cartASamples.sampleUltraCart(['order_create', cartASamples.ultraCartOrder()]),
    ],
    sign: (secret) => ({ headers: { 'content-type': 'application/json' }, query: { secret } }),
  },
];
