/** Is shown in place of a secret. */
export const MASK = '•••';

/**
 * Whether a member, field or element of this name holds what must never be shown: a secret, a key, a token, a signature.
 * Separators, brackets, digits and case do not matter.
 */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(
    name
      .slice(-MAX_NAME_LENGTH)
      .toLowerCase()
      .replace(/[^a-z]/g, ''),
  );
}

/** A name can be as long as a body. Its end tells. */
const MAX_NAME_LENGTH = 200;

/**
 * Last parts of names, in lower case and without separators: `thrivecart_secret`, `api_key`, `security_hash`,
 * `client_secret`, a cart's `token`, the status page that opens to everyone with its address.
 */
const SECRET_NAME =
  /(?:secret|password|apikey|accesskey|privatekey|token|signature|securitydata|securityhash|orderstatusurl)$/;
