interface WebCrypto {
  getRandomValues(bytes: Uint8Array): Uint8Array;
  readonly subtle: {
    importKey(
      format: 'raw',
      key: Uint8Array,
      algorithm: { readonly name: 'HMAC'; readonly hash: 'SHA-256' },
      extractable: false,
      usages: readonly ['sign'],
    ): Promise<HmacKey>;
    sign(algorithm: 'HMAC', key: HmacKey, content: Uint8Array): Promise<ArrayBuffer>;
  };
}

declare const key: unique symbol;
/** What the runtime keeps of a key. */
export interface HmacKey {
  readonly [key]: true;
}

/** As much of the Web Cryptography API as the defaults use. Node, Deno, Bun, browsers and workers all have it. */
export const webCrypto = (globalThis as unknown as { readonly crypto: WebCrypto }).crypto;

export function toHex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
