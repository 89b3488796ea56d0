/**
 * The body with its texts decoded once more where the buyer's address shows that they were encoded twice
 * (`buyer%40example.com`): a rule of the merchant can encode what the vendor then encodes again.
 */
export function decodeTwiceEncoded(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const members = Object.entries(body);
  const isTwice = members.some(([name, value]) => ADDRESSES.has(name) && isEncodedAddress(value));
  return isTwice ? Object.fromEntries(members.map(([name, value]) => [name, decode(value)])) : body;
}

const ADDRESSES: ReadonlySet<string> = new Set(['email', 'CustomerEmail', 'customerEmail']);

function isEncodedAddress(value: unknown): boolean {
  return typeof value === 'string' && !value.includes('@') && /%40/.test(value);
}

function decode(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
