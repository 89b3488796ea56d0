/**
 * Encrypts what must be shown or used again. `context` is bound to the secret: sealed in one place, it opens
 * in no other.
 */
export interface SecretBox {
  seal(plain: string, context: string): string;
  unseal(sealed: string, context: string): string;
  /** Whether that is what was sealed, in a time that says nothing of it. */
  holds(sealed: string, context: string, plain: string): boolean;
}
