import { isIPv4, isIPv6 } from 'node:net';

/**
 * Whom an address belongs to, for counting: an IPv4 address by itself, of IPv6 its first 64 bits, since every
 * household gets at least as many addresses as share those.
 */
export function networkOf(ip: string): string {
  const [address = ''] = ip.split('%');
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped && isIPv4(mapped)) return mapped;
  if (!isIPv6(address)) return address;
  const [before = '', after] = address.split('::');
  const head = groupsOf(before);
  const tail = groupsOf(after ?? '');
  const zeros = Array.from({ length: after === undefined ? 0 : 8 - head.length - tail.length }, () => '0');
  const groups = [...head, ...zeros, ...tail].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}

/** The last two groups may be written as an IPv4 address. */
function groupsOf(text: string): readonly string[] {
  const groups = text === '' ? [] : text.split(':');
  return groups.flatMap((group) => (group.includes('.') ? ['0', '0'] : [group]));
}
