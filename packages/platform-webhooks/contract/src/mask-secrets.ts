/** Stands where a secret was. */
export const MASK = '•••';

/**
 * A stored body as text that may be shown: whatever its sender calls a secret, a key, a token or a signature is masked,
 * in JSON, in a form, and as far as it can be told in anything else. JSON is laid out; its numbers keep every digit.
 */
export function maskSecrets(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes);
  return maskJson(text) ?? maskForm(text) ?? maskAnything(text);
}

/**
 * Last parts of names, in lower case and without separators: `thrivecart_secret`, `api_key`, `security_hash`,
 * `client_secret`, a cart's `token`, the status page that opens to whoever has its address.
 */
const SECRET_NAME =
  /(?:secret|password|apikey|accesskey|privatekey|token|signature|securitydata|securityhash|orderstatusurl)$/;

function isSecret(name: string): boolean {
  const last = name.replace(/(?:\[\d*\])+$/, '');
  return SECRET_NAME.test(last.toLowerCase().replace(/[^a-z0-9]/g, ''));
}

function maskJson(text: string): string | null {
  try {
    return JSON.stringify(JSON.parse(text, maskMember as Parameters<typeof JSON.parse>[1]), null, 2);
  } catch {
    return null;
  }
}

/** Numbers are written as they came, digit by digit. */
function maskMember(name: string, value: unknown, { source }: { readonly source?: string }): unknown {
  if (isSecret(name) && value !== null) return MASK;
  return typeof value === 'number' && source !== undefined ? rawJSON(source) : value;
}

/** In Node, but not yet in TypeScript's ES2024. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };

function maskForm(text: string): string | null {
  if (!/^[^\s<>{}"]+=[^\s<>{}"]*$/.test(text.trim())) return null;
  return text
    .trim()
    .split('&')
    .map((pair) => {
      const [name = ''] = pair.split('=', 1);
      return isSecret(decodeName(name)) && pair.length > name.length + 1 ? `${name}=${MASK}` : pair;
    })
    .join('&');
}

/** Brackets nest names, so that `a[secret][]` is a secret as well. */
function decodeName(name: string): string {
  try {
    return decodeURIComponent(name.replaceAll('+', ' '));
  } catch {
    return name;
  }
}

/** XML, broken JSON, or nobody knows what: the value after a name, up to where it would end. */
function maskAnything(text: string): string {
  const maskValue = (whole: string, before: string, name: string, between: string) =>
    isSecret(name) ? `${before}${name}${between}${MASK}` : whole;
  return text.replace(ELEMENT, maskValue).replace(MEMBER, maskValue);
}

const ELEMENT = /(<)([\w:.-]{3,60})(>)[^<]+/g;
const MEMBER = /(^|[^\w.[\]-])([\w.[\]-]{3,60})("?\s{0,20}[:=]\s{0,20}"?)(?:(?<=")[^"\n]+|[^"&<>,;\s{}]+)/g;
