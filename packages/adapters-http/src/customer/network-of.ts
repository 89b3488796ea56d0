import { isIPv4, isIPv6 } from 'node:net';

/**
 * Whom an address belongs to, for counting: an IPv4 address by itself, of IPv6 its first 64 bits, since every
 * household gets at least as many addresses as share those.
 */
export function networkOf(ip: string): string {
  const [address = ''] = withoutPort(ip).split('%');
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped && isIPv4(mapped)) return mapped;
  // Whatever else a proxy passes on, its sender made up: all of it together counts as one.
  if (!isIPv6(address)) return isIPv4(address) ? address : 'unknown';
  const [before = '', after] = address.split('::');
  const head = groupsOf(before);
  const tail = groupsOf(after ?? '');
  const zeros = Array.from({ length: after === undefined ? 0 : 8 - head.length - tail.length }, () => '0');
  const groups = [...head, ...zeros, ...tail].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}

/** Some proxies add the port, which is another one with each connection: `203.0.113.7:50412`, `[2001:db8::1]:50412`. */
function withoutPort(ip: string): string {
  return /^\[([^\]]*)\](?::\d+)?$/.exec(ip)?.[1] ?? /^([\d.]+):\d+$/.exec(ip)?.[1] ?? ip;
}

/** The last two groups may be written as an IPv4 address. */
function groupsOf(text: string): readonly string[] {
  const groups = text === '' ? [] : text.split(':');
  return groups.flatMap((group) => (group.includes('.') ? ['0', '0'] : [group]));
}
