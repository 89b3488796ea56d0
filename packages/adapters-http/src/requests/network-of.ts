import { isIPv4, isIPv6 } from 'node:net';

/**
 * The network that a rate limit counts: an IPv4 address, or the first 64 bits of an IPv6 address, since a
 * household has at least a /64. Every limit by source uses this.
 */
export function networkOf(ip: string): string {
  if (isIPv4(ip)) return ip;
  const [address = ''] = withoutPort(ip).split('%');
  if (isIPv4(address)) return address;
  // Any other text that a proxy passes on is invented by the sender: all of it counts as one network.
  if (!isIPv6(address)) return 'unknown';
  const [before = '', after] = address.split('::');
  const head = groupsOf(before);
  const tail = groupsOf(after ?? '');
  const zeros = Array.from({ length: after === undefined ? 0 : 8 - head.length - tail.length }, () => 0);
  const groups = [...head, ...zeros, ...tail];
  return isMapped(groups)
    ? groups
        .slice(6)
        .flatMap((group) => [group >> 8, group & 0xff])
        .join('.')
    : `${groups
        .slice(0, 4)
        .map((group) => group.toString(16))
        .join(':')}::/64`;
}

/** An IPv4-mapped IPv6 address, as dual-stack sockets report it (RFC 4291, 2.5.5.2), in any spelling. */
function isMapped(groups: readonly number[]): boolean {
  return groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0);
}

/**
 * Some proxies append the port, which changes with each connection: `203.0.113.7:50412`,
 * `[2001:db8::1]:50412`.
 */
function withoutPort(ip: string): string {
  return /^\[([^\]]*)\](?::\d+)?$/.exec(ip)?.[1] ?? /^([\d.]+):\d+$/.exec(ip)?.[1] ?? ip;
}

/** The last two groups can be written as an IPv4 address. */
function groupsOf(text: string): readonly number[] {
  const groups = text === '' ? [] : text.split(':');
  return groups.flatMap((group) => {
    if (!group.includes('.')) return [Number.parseInt(group, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
    return [a * 256 + b, c * 256 + d];
  });
}
