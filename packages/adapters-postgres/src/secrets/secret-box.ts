/**
 * Encrypts values that must be readable later. `context` is bound to the secret: a value sealed in one context cannot
 * be opened in another.
 */
export interface SecretBox {
  seal(plain: string, context: string): string;
  unseal(sealed: string, context: string): string;
  /** Compares with the sealed value in constant time. */
  holds(sealed: string, context: string, plain: string): boolean;
}
