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
/** A key of the Web Cryptography API. */
export interface HmacKey {
  readonly [key]: true;
}

/** The part of the Web Cryptography API that the defaults use. Node, Deno, Bun, browsers and workers have it. */
export const webCrypto = (globalThis as unknown as { readonly crypto: WebCrypto }).crypto;

export function toHex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

// Every runtime has these. The type libraries of this package do not declare them.
declare const TextEncoder: new () => { encode(text: string): Uint8Array };
declare const TextDecoder: new () => { decode(bytes: Uint8Array): string };

export function encodeUtf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

export function decodeUtf8(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
