/** Replaces a secret. */
export const MASK = '•••';

/**
 * Whether a member, field or element of this name contains something that must never be shown: a secret,
 * key, token or signature. Separators, brackets, digits and case are ignored.
 */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(
    name
      .slice(-MAX_NAME_LENGTH)
      .toLowerCase()
      .replace(/[^a-z]/g, ''),
  );
}

/** A name can be as long as a body. Its end is enough to decide. */
const MAX_NAME_LENGTH = 200;

/**
 * Last parts of names, in lower case and without separators: `thrivecart_secret`, `api_key`,
 * `security_hash`, `client_secret`, a cart's `token`, and the URL of a public status page.
 */
const SECRET_NAME =
  /(?:secret|password|apikey|accesskey|privatekey|token|signature|securitydata|securityhash|orderstatusurl)$/;
