import { domainToASCII } from 'node:url';
import { readEmail } from '@handover/domain';

/** The address of all mail, and its domain in punycode. */
export interface Sender {
  readonly address: string;
  readonly domain: string;
}

/**
 * Parses `orders@lumen.audio` or `Lumen Audio <orders@lumen.audio>`. The name is ignored: buyers know the
 * shop, so every mail has the name of its organisation.
 */
export function readSender(from: string): Sender {
  const bracketed = /<([^<>]*)>\s*$/.exec(from);
  const address = readEmail(bracketed?.[1] ?? from);
  const domain = address && domainToASCII(address.slice(address.lastIndexOf('@') + 1));
  if (!address || !domain) {
    throw new TypeError(`“${from}” is not an address to send from; write it as Name <orders@example.com>.`);
  }
  return { address, domain };
}
