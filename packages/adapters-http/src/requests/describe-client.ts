import type { FastifyRequest } from 'fastify';
import { networkOf } from '../customer/network-of.ts';

/**
 * Which browser asks, and from where, for an entry that stays: “Firefox on Windows, 203.0.113.0/24”. Only as much as it
 * takes to tell one's own sign-in from a stranger's: never the whole address, nor what else a browser says of itself.
 */
export function describeClient({ headers, ip }: Pick<FastifyRequest, 'headers' | 'ip'>): string {
  return `${describeBrowser(headers['user-agent'] ?? '')}, ${describeNetwork(ip)}`;
}

/** The order counts: most browsers name those that they are made after, too. */
const BROWSERS: readonly (readonly [string, RegExp])[] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
];
const SYSTEMS: readonly (readonly [string, RegExp])[] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMacintosh\b/],
  ['Linux', /\bLinux\b/],
];

function describeBrowser(userAgent: string): string {
  const named = (list: typeof BROWSERS) => list.find(([, pattern]) => pattern.test(userAgent))?.[0];
  const [browser, system] = [named(BROWSERS), named(SYSTEMS)];
  if (!browser) return 'another program';
  return system ? `${browser} on ${system}` : browser;
}

/** The network of a town or a company rather than of a household: a /24 of IPv4, a /48 of IPv6. */
function describeNetwork(ip: string): string {
  const network = networkOf(ip);
  const [, site] = /^([\da-f]+:[\da-f]+:[\da-f]+):[\da-f]+::\/64$/.exec(network) ?? [];
  if (site) return `${site}::/48`;
  return network.replace(/\.\d+$/, '.0/24');
}
