import { isIP, isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * The network that a rate limit counts: an IPv4 address, or the first 64 bits of an IPv6 address, since a
 * household has at least a /64. Every limit by source uses this.
 */
export function networkOf(ip: string): string {
  if (isIPv4(ip)) return ip;
  // A link-local address also names the interface: `fe80::1%eth0.100`.
  const [address = ''] = withoutPort(ip).split('%');
  // Any other text that a proxy passes on is invented by the sender: all of it counts as one network.
  if (!isIP(address)) return 'unknown';
  // An IPv4-mapped IPv6 address, as dual-stack sockets report it, is read as IPv4 (RFC 4291, 2.5.5.2).
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const groups = parsed.parts.slice(0, 4).map((group) => group.toString(16));
  return `${groups.join(':')}::/64`;
}

/**
 * Some proxies append the port, which changes with each connection: `203.0.113.7:50412`,
 * `[2001:db8::1]:50412`.
 */
function withoutPort(ip: string): string {
  return /^\[([^\]]*)\](?::\d+)?$/.exec(ip)?.[1] ?? /^([\d.]+):\d+$/.exec(ip)?.[1] ?? ip;
}
