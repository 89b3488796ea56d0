import type { SampleSale, SignedRequest } from '@handover/platform-contract';

/** The headers of a genuine delivery of this body. Until they are made as the vendor makes them, none is genuine. */
export function signForTest(_secret: string, _body: Uint8Array): Readonly<Record<string, string>> {
  return { 'x-new-platform-signature': 'src/testing.ts signs nothing yet' };
}

/** A genuine delivery of one order, as the vendor would send it: for `handover simulate`. */
export function signedSample(secret: string, { orderId, sku }: SampleSale): SignedRequest {
  const body = new TextEncoder().encode(JSON.stringify({ id: orderId, items: [{ sku, quantity: '1' }] }));
  return { body, headers: { 'content-type': 'application/json', ...signForTest(secret, body) }, query: {} };
}
