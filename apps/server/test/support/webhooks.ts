import { signedSample as signCartA } from '@handover/platform-cart-a/testing';
import { signedSample as signCheckoutA } from '@handover/platform-checkout-a/testing';
import { signedSample as signCheckoutAClassic } from '@handover/platform-checkout-a-classic/testing';
import type { SampleSale, SignedRequest } from '@handover/platform-contract/testing';
import { signedSample as signStorefrontA } from '@handover/platform-storefront-a/testing';
import { signedSample as signStorefrontB } from '@handover/platform-storefront-b/testing';
import { runCliForJson } from './server-process.ts';
import { type Installation, openOwnShop } from './shared-server.ts';

/** A genuine order of each platform whose URL names the organisation. */
export const SIGNERS: Readonly<Record<string, (secret: string, sale: SampleSale) => SignedRequest>> = {
  'storefront-a': signStorefrontA,
  'storefront-b': signStorefrontB,
  'checkout-a': signCheckoutA,
  'checkout-a-classic': signCheckoutAClassic,
  'cart-a': signCartA,
};

export const SALE = { orderId: '727', email: 'ana@example.com', sku: 'felt-piano' };

export interface Entry {
  readonly id: string;
  readonly platform: string;
  readonly orderId: string;
  readonly status: string;
  readonly reason: string | null;
  readonly note: string | null;
}

/** This test's own shop, with the commands of its people and the requests of its platforms. */
export async function openTradingShop(shared: Installation) {
  const { mailServer, environment, server, shop } = await openOwnShop(shared);

  /** `integration …` for a platform of the shop. */
  const integrate = <T = Record<string, unknown>>(platform: string, words: readonly string[], verb = 'set') =>
    runCliForJson<T>(environment, [
      ...['integration', verb, '--org', shop.orgId, '--platform', platform],
      ...words,
    ]);

  const post = async (platform: string, { body, headers, query }: SignedRequest) => {
    const url = new URL(`${server.url}/webhooks/${shop.orgId}/${platform}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const response = await fetch(url, { method: 'POST', headers, body: Buffer.from(body) });
    const answer = (await response.json()) as { readonly deliveryId?: string; readonly error?: string };
    return { ...answer, status: response.status };
  };

  const ask = async <T>(path: string, method = 'GET', body?: object) => {
    const response = await fetch(`${server.url}/api${path}`, {
      method,
      headers: { 'x-api-key': shop.apiKey, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return (await response.json()) as T;
  };
  const log = () => ask<readonly Entry[]>('/deliveries');

  return { mailServer, environment, server, shop, integrate, post, ask, log };
}
